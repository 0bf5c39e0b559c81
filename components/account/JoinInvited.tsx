/** Who invites, where to and as what. */
export interface JoinInvitedProps {
  readonly organization: string;
  readonly inviter: string;
  /** A role's number. */
  readonly role: number;
}

const ROLE_WORDS: ReadonlyMap<number, string> = new Map([
  [100, "an owner"],
  [200, "an administrator"],
  [300, "a moderator"],
  [400, "a member"],
  [600, "a guest"],
]);

/** One sentence that says who invites to what. */
export function JoinInvited({ organization, inviter, role }: JoinInvitedProps) {
  const words = ROLE_WORDS.get(role);
  return (
    <>
      <span class="text-ink break-words">{inviter}</span> invites you to{" "}
      <span class="text-ink break-words">{organization}</span>
      {words === undefined ? "." : ` as ${words}.`}
    </>
  );
}
