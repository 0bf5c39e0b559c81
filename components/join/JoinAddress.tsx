import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import type { FieldSpec } from "../account/FormField.tsx";
import type { FormProblems } from "../account/FormFields.tsx";
import { FormPanel } from "../account/FormPanel.tsx";
import { JoinInvitation, type JoinInvitationProps } from "./JoinInvitation.tsx";
import { Link } from "../Link.tsx";

/** Data that the form of a reusable invitation link shows. */
export interface JoinAddressProps extends JoinInvitationProps {
  /** Submitted values. */
  readonly form: { readonly email: string };
  readonly problems: FormProblems;
}

const FIELDS: readonly FieldSpec[] = [
  {
    name: "email",
    label: "Your email address",
    type: "email",
    autocomplete: "username",
    hint: "We will send a link to this address. You will also use it to sign in.",
  },
];

/**
 * Renders the form that asks for an address to send the confirmation link to; sent to the page's own address.
 */
export function JoinAddress({ form, problems, ...invited }: JoinAddressProps) {
  const title = `Join ${invited.organization}`;
  return (
    <SitePage title={Object.keys(problems).length > 0 ? "Not sent" : title}>
      <PageTitle title={title}>
        <JoinInvitation {...invited} />
      </PageTitle>
      <FormPanel fields={FIELDS} values={form} problems={problems} button="Send link">
        <Link class="link inline-flex min-h-11 items-center text-small" href="/login">
          I already have an account
        </Link>
      </FormPanel>
    </SitePage>
  );
}
