import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** Renders the page of a setup link that was used or is wrong. */
export function SetupUnavailable() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="The link that sets up this server is printed where the server is started, and only until the organization has an owner."
      link={{ href: "/login", label: "Sign in" }}
    />
  );
}
