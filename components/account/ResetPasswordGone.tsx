import { ConfirmationPage } from "./ConfirmationPage.tsx";

/** What a link for a new password shows that was used or has expired. */
export function ResetPasswordGone() {
  return (
    <ConfirmationPage
      title="This link no longer works"
      text="A link for a new password works once, and not for long. Your password is what it was; another link is quickly sent."
      link={{ href: "/forgot-password", label: "Send another link" }}
    />
  );
}
