import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import { ConfirmationPage } from "./ConfirmationPage.tsx";
import { FormPanel } from "./FormPanel.tsx";

interface ConfirmEmailPageProps {
  /** Address to confirm; null for an invalid link. */
  readonly address: string | null;
  readonly isConfirmed: boolean;
}

/** Renders the button that confirms an address, or the result. */
export function ConfirmEmailPage({ address, isConfirmed }: ConfirmEmailPageProps) {
  if (address === null) {
    return (
      <ConfirmationPage
        title="This link no longer works"
        text="It was used already, is older than a day, or another address was asked for since."
        link={{ href: "/account", label: "Go to your account" }}
      />
    );
  }
  if (isConfirmed) {
    return (
      <ConfirmationPage
        title="Your address is confirmed"
        text={`Your account now has the address ${address}. Please sign in with it.`}
        link={{ href: "/login", label: "Sign in" }}
      />
    );
  }
  return (
    <SitePage title="Confirm your address">
      <PageTitle title="Confirm your address">
        {`Your account gets the address ${address}, and you are signed out wherever you are signed in.`}
      </PageTitle>
      <FormPanel fields={[]} problems={{}} button="Confirm the address" />
    </SitePage>
  );
}
