import { ConfirmationPage } from "./ConfirmationPage.tsx";

/** Renders the page of a password reset link that was used or has expired. */
export function ResetPasswordExpired() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="A link for a new password works once, and not for long. Your password is what it was; another link is quickly sent."
      link={{ href: "/forgot-password", label: "Send another link" }}
    />
  );
}
