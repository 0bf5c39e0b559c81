import type { ChatApp } from "../app.ts";
import type { InviteCaller } from "./offer.ts";
import { readOpenInvitations } from "./open_invitations.ts";
import { toInvite, toLink } from "./view.ts";

/**
 * What may still be used to join, as the API shows it: all of it for administrators, what they made themselves for
 * others; first the invitations of addresses, then the reusable links, the oldest first.
 */
export async function listInvites(app: ChatApp, caller: InviteCaller) {
  const open = await readOpenInvitations(app, caller);
  return open.map((one) =>
    one.kind === "email" ? toInvite(one.invite, one.offer) : toLink(app, caller.realm, one)
  );
}
