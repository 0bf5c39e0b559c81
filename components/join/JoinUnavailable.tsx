import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** The reason an invitation link cannot be used. */
export interface JoinUnavailableProps {
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
export function JoinUnavailable({ organization, reason }: JoinUnavailableProps) {
  const link = reason === "used"
    ? { href: "/login", label: "Sign in" }
    : { href: "/", label: "Go to the home page" };
  return <ConfirmationPage {...TEXTS[reason](organization)} link={link} />;
}
