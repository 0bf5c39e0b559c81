import { ConfirmationPage } from "./ConfirmEmailPage.tsx";

/** Renders the page of a link to set a password that was used, was replaced or has expired. */
export function ResetPasswordExpired() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="Links to set a password expire, and can be used only once. Your password was not changed."
      link={{ href: "/forgot-password", label: "Get a new link" }}
    />
  );
}
