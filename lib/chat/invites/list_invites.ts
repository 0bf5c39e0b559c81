import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { type OpenInvitation, readOpenInvitations } from "./open_invitations.ts";
import { isOwner, ROLE } from "../users/user.ts";
import { toInvite, toLink } from "./view.ts";

/**
 * What may still be used to join, as the API shows it: all of it for administrators, but for links that make owners,
 * which are for owners; what they made themselves for others; first the invitations of addresses, then the reusable
 * links, the oldest first.
 */
export async function listInvites(app: ChatApp, caller: Caller) {
  const open = await readOpenInvitations(app, caller);
  return open.filter((one) => mayHold(caller, one)).map((one) =>
    one.kind === "email" ? toInvite(one.invite, one.offer) : toLink(app, caller.realm, one)
  );
}

/** Whoever has a link can join by it: one that makes owners would make an owner of any administrator. */
function mayHold({ actingUser }: Caller, { kind, offer }: OpenInvitation): boolean {
  return kind === "email" || offer.role !== ROLE.owner || isOwner(actingUser);
}
