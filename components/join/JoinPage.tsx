import { PageTitle, SitePage } from "../PageFrame.tsx";
import { type FieldSpec, FormPanel, type FormProblems } from "../account/FormFields.tsx";
import { Link } from "../Link.tsx";
import { ConfirmationPage } from "../account/ConfirmEmailPage.tsx";

type JoinPageProps =
  | ({ readonly kind: "account" } & JoinAccountProps)
  | ({ readonly kind: "address" } & JoinAddressProps)
  | ({ readonly kind: "sent" } & JoinSentProps)
  | ({ readonly kind: "member" } & JoinAlreadyMemberProps)
  | ({ readonly kind: "dead" } & JoinUnavailableProps);

export function JoinPage(props: JoinPageProps) {
  switch (props.kind) {
    case "account":
      return <JoinAccount {...props} />;
    case "address":
      return <JoinAddress {...props} />;
    case "sent":
      return <JoinSent {...props} />;
    case "member":
      return <JoinAlreadyMember {...props} />;
    case "dead":
      return <JoinUnavailable {...props} />;
  }
}

interface JoinAccountProps extends JoinInvitationProps {
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
function JoinAccount({ email, form, problems, ...invited }: JoinAccountProps) {
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

interface JoinAddressProps extends JoinInvitationProps {
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
function JoinAddress({ form, problems, ...invited }: JoinAddressProps) {
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

/** A user who already belongs to the organization. */
interface JoinAlreadyMemberProps {
  readonly organization: string;
  /** Whether this browser is signed in; otherwise the invited address has an account. */
  readonly isSignedIn: boolean;
}

function JoinAlreadyMember({ organization, isSignedIn }: JoinAlreadyMemberProps) {
  const title = `You are already a member of ${organization}`;
  return isSignedIn
    ? (
      <ConfirmationPage
        title={title}
        text="You are signed in. To join with another address, sign out and open the link again."
        link={{ href: "/account", label: "Your account" }}
      />
    )
    : (
      <ConfirmationPage
        title={title}
        text="The invited address already has an account. Sign in with it."
        link={{ href: "/login", label: "Sign in" }}
      />
    );
}

/** The inviter, the organization and the role of an invitation. */
interface JoinInvitationProps {
  readonly organization: string;
  readonly inviter: string;
  /** Number of the role. */
  readonly role: number;
}

const ROLE_WORDS: ReadonlyMap<number, string> = new Map([
  [100, "an owner"],
  [200, "an administrator"],
  [300, "a moderator"],
  [400, "a member"],
  [600, "a guest"],
]);

function JoinInvitation({ organization, inviter, role }: JoinInvitationProps) {
  const messages = ROLE_WORDS.get(role);
  return (
    <>
      <span class="text-ink break-words">{inviter}</span> invites you to{" "}
      <span class="text-ink break-words">{organization}</span>
      {messages === undefined ? "." : ` as ${messages}.`}
    </>
  );
}

/** The address a link was sent to, and the organization. */
interface JoinSentProps {
  readonly organization: string;
  readonly email: string;
}

/** Renders the same text for every address, so that the page never reveals who has an account. */
function JoinSent({ organization, email }: JoinSentProps) {
  return (
    <SitePage title="Check your email">
      <PageTitle title="Check your email">
        We have sent instructions for joining <span class="text-ink break-words">{organization}</span> to{" "}
        <span class="text-ink break-words">{email}</span>. The link is valid for one day.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        If the email does not arrive within a few minutes, check your spam folder and the address above. If
        the address is wrong, open the invitation again and enter the correct one.
      </p>
    </SitePage>
  );
}

/** The reason an invitation link cannot be used. */
interface JoinUnavailableProps {
  readonly organization: string;
  readonly reason:
    | "unknown"
    | "expired"
    | "revoked"
    | "used"
    | "not_backed"
    | "refused"
    | "closed"
    | "no_mail";
}

const TEXTS: Readonly<
  Record<
    JoinUnavailableProps["reason"],
    (organization: string) => { readonly title: string; readonly text: string }
  >
> = {
  unknown: () => ({
    title: "Invitation not found",
    text: "Check that you copied the whole link, or ask the sender for a new one.",
  }),
  expired: (organization) => ({
    title: "This invitation has expired",
    text: `Ask the person who invited you to ${organization} for a new invitation.`,
  }),
  revoked: (organization) => ({
    title: "This invitation was revoked",
    text: `If you did not expect this, contact the person who invited you to ${organization}.`,
  }),
  used: (organization) => ({
    title: "This invitation was already used",
    text: `An invitation can be used only once. If you already joined ${organization}, sign in.`,
  }),
  not_backed: (organization) => ({
    title: "This invitation is no longer valid",
    text:
      `The sender can no longer invite people to ${organization}. Ask someone else there for an invitation.`,
  }),
  refused: (organization) => ({
    title: "This address cannot join",
    text:
      `${organization} does not allow accounts with this address. Ask for an invitation to another address.`,
  }),
  no_mail: (organization) => ({
    title: "This link cannot be used now",
    text:
      `${organization} confirms addresses by email, but this server sends no email. Ask the person who invited you for another way to join.`,
  }),
  closed: (organization) => ({
    title: "This organization is deactivated",
    text: `Nobody can join ${organization} or sign in to it.`,
  }),
};

/** Renders the page of an invitation link that cannot be used. */
function JoinUnavailable({ organization, reason }: JoinUnavailableProps) {
  const link = reason === "used"
    ? { href: "/login", label: "Sign in" }
    : { href: "/", label: "Go to the home page" };
  return <ConfirmationPage {...TEXTS[reason](organization)} link={link} />;
}
