import { ConfirmationPage } from "./ConfirmationPage.tsx";

/** What a setup link shows that is used up or wrong. */
export function SetupGone() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="The link that sets up this server is printed where the server is started, and only until the organization has an owner."
      link={{ href: "/login", label: "Sign in" }}
    />
  );
}
