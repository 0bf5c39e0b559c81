import type { Tx } from "@/lib/kv/transact.ts";
import { sendEvent } from "../events/emit.ts";
import { isAdmin, type UserRecord } from "../users/user.ts";
import { inviteKeys } from "./invite.ts";

/** Tells administrators, and who invited, that invitations are not what they were. */
export function tellOfInvites(
  tx: Tx,
  at: { readonly realmId: number; readonly now: number },
  inviter: UserRecord | null,
): void {
  tx.sum(inviteKeys.version(at.realmId), 1n);
  const event = { type: "invites_changed" };
  sendEvent(tx, at, { event, audience: "admins" });
  if (inviter !== null && !isAdmin(inviter)) sendEvent(tx, at, { event, audience: [inviter.id] });
}
