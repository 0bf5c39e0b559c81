import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** The reason an invitation link cannot be used. */
export interface JoinUnavailableProps {
  readonly organization: string;
  readonly reason: "unknown" | "expired" | "revoked" | "used" | "not_backed" | "refused" | "closed";
}

const TEXTS: Readonly<
  Record<
    JoinUnavailableProps["reason"],
    (organization: string) => { readonly title: string; readonly text: string }
  >
> = {
  unknown: () => ({
    title: "This link does not exist",
    text: "Perhaps it was not copied as a whole. Otherwise ask whoever gave it to you for another.",
  }),
  expired: (organization) => ({
    title: "This invitation has expired",
    text: `It was open for some time only. Ask whoever invited you to ${organization} for another.`,
  }),
  revoked: (organization) => ({
    title: "This invitation was withdrawn",
    text: `If that surprises you, ask whoever invited you to ${organization}.`,
  }),
  used: (organization) => ({
    title: "This invitation was already used",
    text: `It works once. If it was you who joined ${organization} with it, sign in.`,
  }),
  not_backed: (organization) => ({
    title: "This invitation no longer holds",
    text: `Whoever sent it may no longer invite you to ${organization}. Somebody else there may.`,
  }),
  refused: (organization) => ({
    title: "This address cannot join",
    text: `${organization} takes no accounts with it. Ask for an invitation of another address of yours.`,
  }),
  closed: (organization) => ({
    title: "This organization is closed",
    text: `${organization} was deactivated: nobody can join it or sign in.`,
  }),
};

/** Renders the page of an invitation link that cannot be used. */
export function JoinUnavailable({ organization, reason }: JoinUnavailableProps) {
  const link = reason === "used"
    ? { href: "/login", label: "Sign in" }
    : { href: "/", label: "Go to the first page" };
  return <ConfirmationPage {...TEXTS[reason](organization)} link={link} />;
}
