/** The inviter, the organization and the role of an invitation. */
export interface JoinInvitationProps {
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

/** Renders one sentence with the inviter, the organization and the role. */
export function JoinInvitation({ organization, inviter, role }: JoinInvitationProps) {
  const messages = ROLE_WORDS.get(role);
  return (
    <>
      <span class="text-ink break-words">{inviter}</span> invites you to{" "}
      <span class="text-ink break-words">{organization}</span>
      {messages === undefined ? "." : ` as ${messages}.`}
    </>
  );
}
