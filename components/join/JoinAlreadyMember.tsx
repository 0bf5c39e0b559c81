import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** A user who already belongs to the organization. */
export interface JoinAlreadyMemberProps {
  readonly organization: string;
  /** Whether this browser is signed in; otherwise the invited address has an account. */
  readonly isSignedIn: boolean;
}

/** Renders the page of an invitation link for a user who already belongs to the organization. */
export function JoinAlreadyMember({ organization, isSignedIn }: JoinAlreadyMemberProps) {
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
