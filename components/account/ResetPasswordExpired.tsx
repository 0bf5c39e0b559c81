import { ConfirmationPage } from "./ConfirmationPage.tsx";

/** Renders the page of a password reset link that was used or has expired. */
export function ResetPasswordExpired() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="Password reset links expire and can be used only once. Your password was not changed. Request a new link to try again."
      link={{ href: "/forgot-password", label: "Request a new link" }}
    />
  );
}
