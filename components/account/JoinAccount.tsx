import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import type { FieldSpec } from "./FormField.tsx";
import type { FormProblems } from "./FormFields.tsx";
import { FormPanel } from "./FormPanel.tsx";
import { JoinInvited, type JoinInvitedProps } from "./JoinInvited.tsx";

/** What the form of an invited person's account shows. */
export interface JoinAccountProps extends JoinInvitedProps {
  /** The address that was invited. */
  readonly email: string;
  /** What was typed, or the name that the inviter gave. */
  readonly form: { readonly fullName: string };
  readonly problems: FormProblems;
}

const FIELDS: readonly FieldSpec[] = [
  { name: "full_name", label: "Your name", autocomplete: "name", hint: "As the others will see it." },
  {
    name: "password",
    label: "Your password",
    type: "password",
    autocomplete: "new-password",
    hint: "At least 8 characters.",
  },
];

/** Makes the account of whoever was invited; the form is sent to the page's own address. */
export function JoinAccount({ email, form, problems, ...invited }: JoinAccountProps) {
  const title = `Join ${invited.organization}`;
  return (
    <SitePage title={Object.keys(problems).length > 0 ? "Not joined" : title}>
      <PageTitle title={title}>
        <JoinInvited {...invited} /> You sign in with <span class="text-ink break-words">{email}</span>.
      </PageTitle>
      <FormPanel
        fields={FIELDS}
        values={{ full_name: form.fullName }}
        problems={problems}
        button="Join"
      />
    </SitePage>
  );
}
