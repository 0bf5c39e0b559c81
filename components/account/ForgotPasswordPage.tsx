import type { ForgotPasswordData } from "@/lib/pages/password_pages.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { ConfirmationPage } from "./ConfirmEmailPage.tsx";
import { type FieldSpec, FormPanel } from "./FormFields.tsx";
import { Link } from "../Link.tsx";

const FIELDS: readonly FieldSpec[] = [
  {
    name: "email",
    label: "Email address",
    type: "email",
    autocomplete: "username",
    hint: "The address that you sign in with.",
  },
];

/** Renders the form that requests a link to reset the password. */
export function ForgotPasswordPage({ form, isSent, problem, hasMail }: ForgotPasswordData) {
  if (!hasMail) {
    return (
      <ConfirmationPage
        title="Forgot your password?"
        text="This server sends no email. Ask an administrator of your organization for a sign-in link: with it, you choose a new password."
        link={{ href: "/login", label: "Back to sign-in" }}
      />
    );
  }
  if (isSent) return <Sent email={form.email} />;
  return (
    <SitePage title={problem === null ? "Forgot your password?" : "Not sent"}>
      <PageTitle title="Forgot your password?">
        We will email you a link to choose a new password.
      </PageTitle>
      <FormPanel
        action="/forgot-password"
        fields={FIELDS}
        values={form}
        problems={problem === null ? {} : { email: problem }}
        button="Send link"
      >
        <Link class="link inline-flex min-h-11 items-center text-small" href="/login">Back to sign-in</Link>
      </FormPanel>
    </SitePage>
  );
}

/** Renders the same text for every address, so that the page never reveals who has an account. */
function Sent({ email }: { email: string }) {
  return (
    <SitePage title="Check your email">
      <PageTitle title="Check your email">
        If <span class="text-ink break-words">{email || "that address"}</span>{" "}
        belongs to an account, we have sent a link to choose a new password.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        If the email does not arrive within a few minutes, check your spam folder and the address above.
      </p>
      <p class="mt-6 flex flex-wrap gap-x-6 gap-y-2">
        <Link class="link font-strong" href="/login">Sign in</Link>
        <Link class="link" href="/forgot-password">Try another address</Link>
      </p>
    </SitePage>
  );
}
