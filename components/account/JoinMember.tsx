import { ConfirmationPage } from "./ConfirmationPage.tsx";

/** Who has no need to join. */
export interface JoinMemberProps {
  readonly organization: string;
  /** Whether this browser is signed in; else the invited address has an account. */
  readonly isSignedIn: boolean;
}

/** What a link to join shows to somebody who belongs to the organization already. */
export function JoinMember({ organization, isSignedIn }: JoinMemberProps) {
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
