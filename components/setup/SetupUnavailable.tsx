import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** Renders the page of a setup link that was used or is wrong. */
export function SetupUnavailable() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="The server prints a setup link when it starts, until the organization has an owner."
      link={{ href: "/login", label: "Sign in" }}
    />
  );
}
