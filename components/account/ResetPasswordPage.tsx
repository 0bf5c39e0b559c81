import type { SignInSubject } from "@/lib/pages/password_pages.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { type FieldSpec, FormPanel, type FormProblems } from "./FormFields.tsx";

interface ResetPasswordPageProps {
  /** Secret of the link, sent as `key`; Preact reserves a prop of that name. */
  readonly linkKey: string;
  /** Account that a sign-in link is for; null for a link that its user requested. */
  readonly signIn: SignInSubject | null;
  readonly problems: FormProblems;
}

const FIELDS: readonly FieldSpec[] = [
  {
    name: "new_password",
    label: "New password",
    type: "password",
    autocomplete: "new-password",
    hint: "At least 8 characters. Avoid common passwords.",
  },
];

/** Renders the form that sets a new password; it is sent to the page's own address. */
export function ResetPasswordPage({ linkKey, signIn, problems }: ResetPasswordPageProps) {
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
        fields={FIELDS}
        problems={problems}
        button={signIn === null ? "Change password" : "Set password and sign in"}
      />
    </SitePage>
  );
}
