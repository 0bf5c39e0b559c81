import type { JoinData } from "@/lib/pages/join_pages.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { type FieldSpec, FormPanel, NEW_PASSWORD } from "../account/FormFields.tsx";
import { Link } from "../Link.tsx";
import { ConfirmationPage } from "../account/ConfirmEmailPage.tsx";

type Join<Kind extends JoinData["kind"]> = Extract<JoinData, { readonly kind: Kind }>;

/** Renders the page that an invitation link opens. */
export function JoinPage(props: JoinData) {
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
const PASSWORD: FieldSpec = { ...NEW_PASSWORD, name: "password", label: "Your password" };

/** Renders the form that creates the invited user's account; it is sent to the page's own address. */
function JoinAccount({ email, form, problems, ...invited }: Join<"account">) {
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
function JoinAddress({ form, problems, ...invited }: Join<"address">) {
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

/** Renders the page of an invitation link for a user who already belongs to the organization. */
function JoinAlreadyMember({ organization, isSignedIn }: Join<"member">) {
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

const ROLE_WORDS: ReadonlyMap<number, string> = new Map([
  [100, "an owner"],
  [200, "an administrator"],
  [300, "a moderator"],
  [400, "a member"],
  [600, "a guest"],
]);

/** Renders one sentence with the inviter, the organization and the role. */
function JoinInvitation(
  { organization, inviter, role }: Pick<Join<"address">, "organization" | "inviter" | "role">,
) {
  const messages = ROLE_WORDS.get(role);
  return (
    <>
      <span class="text-ink break-words">{inviter}</span> invites you to{" "}
      <span class="text-ink break-words">{organization}</span>
      {messages === undefined ? "." : ` as ${messages}.`}
    </>
  );
}

/** Renders the same text for every address, so that the page never reveals who has an account. */
function JoinSent({ organization, email }: Join<"sent">) {
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

const TEXTS: Readonly<
  Record<
    Join<"dead">["reason"],
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
function JoinUnavailable({ organization, reason }: Join<"dead">) {
  const link = reason === "used"
    ? { href: "/login", label: "Sign in" }
    : { href: "/", label: "Go to the home page" };
  return <ConfirmationPage {...TEXTS[reason](organization)} link={link} />;
}
