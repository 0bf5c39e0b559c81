import type { ConfirmEmailData } from "@/lib/pages/password_pages.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { FormPanel } from "./FormFields.tsx";
import { Link } from "../Link.tsx";

/** Renders the button that confirms an address, or the result. */
export function ConfirmEmailPage({ address, isConfirmed }: ConfirmEmailData) {
  if (address === null) {
    return (
      <ConfirmationPage
        title="This link no longer works"
        text="It was already used, has expired, or was replaced by a newer request."
        link={{ href: "/account", label: "Go to your account" }}
      />
    );
  }
  if (isConfirmed) {
    return (
      <ConfirmationPage
        title="Email address confirmed"
        text={`Your email address is now ${address}. Sign in with it.`}
        link={{ href: "/login", label: "Sign in" }}
      />
    );
  }
  return (
    <SitePage title="Confirm your email address">
      <PageTitle title="Confirm your email address">
        {`Your email address changes to ${address}, and you are signed out everywhere.`}
      </PageTitle>
      <FormPanel fields={[]} problems={{}} button="Confirm email address" />
    </SitePage>
  );
}

interface ConfirmationPageProps {
  readonly title: string;
  readonly text: string;
  /** Link to continue with. */
  readonly link: { readonly href: string; readonly label: string };
}

/** Renders a page of text, such as the result of following a link, and a link to continue with. */
export function ConfirmationPage({ title, text, link }: ConfirmationPageProps) {
  return (
    <SitePage title={title}>
      <PageTitle title={title}>{text}</PageTitle>
      <p class="mt-7">
        <Link class="link font-strong" href={link.href}>{link.label}</Link>
      </p>
    </SitePage>
  );
}
