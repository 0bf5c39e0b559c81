import type { ComponentChildren } from "preact";
import type { JoinData } from "@/lib/pages/join_pages.ts";
import { ConfirmationPage } from "../account/ConfirmEmailPage.tsx";
import { type FieldSpec, FormPanel, NEW_PASSWORD } from "../account/FormFields.tsx";
import { Link } from "../Link.tsx";
import { OrganizationIcon } from "../OrganizationIcon.tsx";
import { PageTitle, SitePage } from "../PageFrame.tsx";

type Page<Kind extends JoinData["kind"]> = Extract<JoinData, { readonly kind: Kind }>;

export function JoinPage(data: JoinData) {
  switch (data.kind) {
    case "account":
      return <JoinAccount {...data} />;
    case "address":
      return <JoinAddress {...data} />;
    case "sent":
      return <JoinSent {...data} />;
    case "member":
      return <JoinAlreadyMember {...data} />;
    case "dead":
      return <JoinUnavailable {...data} />;
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
const CONFIRMED_ADDRESS: FieldSpec = {
  ...ADDRESS,
  hint: "We will send a link to this address. You will also use it to sign in.",
};
const PASSWORD: FieldSpec = { ...NEW_PASSWORD, name: "password", label: "Your password" };

/** Renders the form that creates the invited user's account. */
function JoinAccount({ email, form, ...page }: Page<"account">) {
  return (
    <JoinForm
      page={page}
      refused="Not joined"
      fields={email === null ? [NAME, ADDRESS, PASSWORD] : [NAME, PASSWORD]}
      values={{ full_name: form.fullName, email: form.email }}
      button="Join"
      hasAccountLink={email === null}
    >
      {email !== null && (
        <>
          {" "}You will sign in with <Name>{email}</Name>.
        </>
      )}
    </JoinForm>
  );
}

/** Renders the form that asks for an address to send the confirmation link to. */
function JoinAddress({ form, ...page }: Page<"address">) {
  return (
    <JoinForm
      page={page}
      refused="Not sent"
      fields={[CONFIRMED_ADDRESS]}
      values={form}
      button="Send link"
      hasAccountLink
    />
  );
}

interface JoinFormProps {
  readonly page: Pick<Page<"account">, "organization" | "icon" | "inviter" | "role" | "problems">;
  /** Title of the window after a refusal. */
  readonly refused: string;
  readonly fields: readonly FieldSpec[];
  readonly values: Readonly<Record<string, string>>;
  readonly button: string;
  readonly hasAccountLink: boolean;
  /** Text after the sentence about the invitation. */
  readonly children?: ComponentChildren;
}

const ROLE_WORDS: ReadonlyMap<number, string> = new Map([
  [100, "an owner"],
  [200, "an administrator"],
  [300, "a moderator"],
  [400, "a member"],
  [600, "a guest"],
]);

/** Renders a form of the invitation's page, which is sent to the page's own address. */
function JoinForm({ page, refused, fields, values, button, hasAccountLink, children }: JoinFormProps) {
  const { organization, icon, inviter, role, problems } = page;
  const title = `Join ${organization}`;
  const word = ROLE_WORDS.get(role);
  return (
    <SitePage title={Object.keys(problems).length > 0 ? refused : title}>
      <OrganizationIcon icon={icon} alt={`Icon of ${organization}`} size={48} class="mb-4" />
      <PageTitle title={title}>
        <Name>{inviter}</Name> invites you to <Name>{organization}</Name>
        {word === undefined ? "." : ` as ${word}.`}
        {children}
      </PageTitle>
      <FormPanel fields={fields} values={values} problems={problems} button={button}>
        {hasAccountLink && (
          <Link class="link inline-flex min-h-11 items-center text-small" href="/login">
            I already have an account
          </Link>
        )}
      </FormPanel>
    </SitePage>
  );
}

function Name({ children }: { children: string }) {
  return <span class="text-ink break-words">{children}</span>;
}

function JoinAlreadyMember({ organization, isSignedIn }: Page<"member">) {
  return (
    <ConfirmationPage
      title={`You are already a member of ${organization}`}
      text={isSignedIn
        ? "You are signed in. To join with another address, sign out and open the link again."
        : "The invited address already has an account. Sign in with it."}
      link={isSignedIn ? { href: "/account", label: "Your account" } : { href: "/login", label: "Sign in" }}
    />
  );
}

/** Renders the same text for every address, so that the page never reveals who has an account. */
function JoinSent({ organization, email }: Page<"sent">) {
  return (
    <SitePage title="Check your email">
      <PageTitle title="Check your email">
        We have sent instructions for joining <Name>{organization}</Name> to{" "}
        <Name>{email}</Name>. The link is valid for one day.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        If the email does not arrive within a few minutes, check your spam folder and the address above. If
        the address is wrong, open the invitation again and enter the correct one.
      </p>
    </SitePage>
  );
}

const UNAVAILABLE: Readonly<
  Record<Page<"dead">["reason"], (organization: string) => { readonly title: string; readonly text: string }>
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
function JoinUnavailable({ organization, reason }: Page<"dead">) {
  const link = reason === "used"
    ? { href: "/login", label: "Sign in" }
    : { href: "/", label: "Go to the home page" };
  return <ConfirmationPage {...UNAVAILABLE[reason](organization)} link={link} />;
}
