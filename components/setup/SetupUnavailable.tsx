import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** Renders the page of a setup link that was used, is wrong, or was replaced at the server's last start. */
export function SetupUnavailable({ isSetUp }: { isSetUp: boolean }) {
  return isSetUp
    ? (
      <ConfirmationPage
        title="This server is set up"
        text="The setup link works once, and its organization exists."
        link={{ href: "/login", label: "Sign in" }}
      />
    )
    : (
      <ConfirmationPage
        title="This link does not work"
        text="Open the whole setup link that the server printed last. It prints a new one each time it starts, until there is an organization."
        link={{ href: "/", label: "Home" }}
      />
    );
}
