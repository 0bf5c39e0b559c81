import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import type { FieldSpec } from "../account/FormField.tsx";
import type { FormProblems } from "../account/FormFields.tsx";
import { FormPanel } from "../account/FormPanel.tsx";
import { Link } from "../Link.tsx";
import { JoinInvitation, type JoinInvitationProps } from "./JoinInvitation.tsx";

/** Data that the account form of an invited user shows. */
export interface JoinAccountProps extends JoinInvitationProps {
  /** Invited address; null when the form asks for it. */
  readonly email: string | null;
  /** Submitted values; at first the name that the inviter entered. */
  readonly form: { readonly fullName: string; readonly email: string };
  readonly problems: FormProblems;
}

const NAME: FieldSpec = {
  name: "full_name",
  label: "Your name",
  autocomplete: "name",
  hint: "Other users see this name.",
};
const ADDRESS: FieldSpec = {
  name: "email",
  label: "Your email address",
  type: "email",
  autocomplete: "username",
  hint: "You will use it to sign in.",
};
const PASSWORD: FieldSpec = {
  name: "password",
  label: "Your password",
  type: "password",
  autocomplete: "new-password",
  hint: "At least 8 characters. Avoid common passwords.",
};

/** Renders the form that creates the invited user's account; it is sent to the page's own address. */
export function JoinAccount({ email, form, problems, ...invited }: JoinAccountProps) {
  const title = `Join ${invited.organization}`;
  return (
    <SitePage title={Object.keys(problems).length > 0 ? "Not joined" : title}>
      <PageTitle title={title}>
        <JoinInvitation {...invited} />
        {email !== null && (
          <>
            {" "}You will sign in with <span class="text-ink break-words">{email}</span>.
          </>
        )}
      </PageTitle>
      <FormPanel
        fields={email === null ? [NAME, ADDRESS, PASSWORD] : [NAME, PASSWORD]}
        values={{ full_name: form.fullName, email: form.email }}
        problems={problems}
        button="Join"
      >
        {email === null && (
          <Link class="link inline-flex min-h-11 items-center text-small" href="/login">
            I already have an account
          </Link>
        )}
      </FormPanel>
    </SitePage>
  );
}
