import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import type { FieldSpec } from "./FormField.tsx";
import type { FormProblems } from "./FormFields.tsx";
import { FormPanel } from "./FormPanel.tsx";

interface ResetPasswordPageProps {
  /** Secret of the link, sent as `key`; Preact reserves a prop of that name. */
  readonly linkKey: string;
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
export function ResetPasswordPage({ linkKey, problems }: ResetPasswordPageProps) {
  return (
    <SitePage title={Object.keys(problems).length > 0 ? "Not changed" : "Choose a new password"}>
      <PageTitle title="Choose a new password">
        Changing your password signs you out everywhere. Programs that use your API key need the new key from
        your account page.
      </PageTitle>
      <FormPanel
        hidden={{ key: linkKey }}
        fields={FIELDS}
        problems={problems}
        button="Change password"
      />
    </SitePage>
  );
}
