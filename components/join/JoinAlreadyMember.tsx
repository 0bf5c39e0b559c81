import { ConfirmationPage } from "../account/ConfirmationPage.tsx";

/** A user who already belongs to the organization. */
export interface JoinAlreadyMemberProps {
  readonly organization: string;
  /** Whether this browser is signed in; otherwise the invited address has an account. */
  readonly isSignedIn: boolean;
}

/** Renders the page of an invitation link for a user who already belongs to the organization. */
export function JoinAlreadyMember({ organization, isSignedIn }: JoinAlreadyMemberProps) {
  const title = `You already belong to ${organization}`;
  return isSignedIn
    ? (
      <ConfirmationPage
        title={title}
        text="This browser is signed in there. To join with another address, sign out first and open the link again."
        link={{ href: "/account", label: "Your account" }}
      />
    )
    : (
      <ConfirmationPage
        title={title}
        text="The address that was invited has an account there. Sign in with it."
        link={{ href: "/login", label: "Sign in" }}
      />
    );
}
