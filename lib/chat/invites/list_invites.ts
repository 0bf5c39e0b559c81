import type { ChatApp } from "../app.ts";
import { type Caller, isOwner, ROLE } from "../users/model.ts";
import { toInvite, toInviteLink } from "./api.ts";
import { type ActiveInvite, readActiveInvites } from "./store.ts";

/**
 * Lists the active invitations and links that the caller may see, in their API form; links for owners only to
 * owners.
 */
export async function listInvites(app: ChatApp, caller: Caller) {
  const invites = await readActiveInvites(app, caller);
  return invites.filter((item) => canSeeUrl(caller, item)).map((item) =>
    item.kind === "email" ? toInvite(item.invite, item.offer) : toInviteLink(app, caller.realm, item)
  );
}

/**
 * Returns whether the caller may see a link's URL: with one for owners, any administrator could become an
 * owner.
 */
function canSeeUrl({ actingUser }: Caller, { kind, offer }: ActiveInvite): boolean {
  return kind === "email" || offer.role !== ROLE.owner || isOwner(actingUser);
}
