import type { ResetPasswordData } from "@/lib/pages/password_pages.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { ConfirmationPage } from "./ConfirmEmailPage.tsx";
import { FormPanel, NEW_PASSWORD } from "./FormFields.tsx";

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

/** Renders the form that sets a new password; it is sent to the page's own address. */
export function ResetPasswordPage({ linkKey, signIn, problems }: NonNullable<ResetPasswordData>) {
  const title = signIn === null
    ? "Choose a new password"
    : `Sign in to ${signIn.organization} as ${signIn.name}`;
  const key = "Programs that use your API key need the new key from your account page.";
  return (
    <SitePage title={Object.keys(problems).length > 0 ? "Not changed" : title}>
      <PageTitle title={title}>
        {signIn === null ? `Changing your password signs you out everywhere. ${key}` : (
          <>
            Choose a password. From now on, sign in with it and{" "}
            <span class="text-ink break-words">{signIn.email}</span>.{!signIn.isFirst &&
              ` You are signed out everywhere else. ${key}`}
          </>
        )}
      </PageTitle>
      <FormPanel
        hidden={{ key: linkKey }}
        fields={[NEW_PASSWORD]}
        problems={problems}
        button={signIn === null ? "Change password" : "Set password and sign in"}
      />
    </SitePage>
  );
}
