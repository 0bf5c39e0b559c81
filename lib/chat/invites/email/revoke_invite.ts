import type { ChatApp } from "@/lib/chat/app.ts";
import { type Caller, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { transact } from "@/lib/store/transact.ts";
import { getManageableInvite } from "../access.ts";
import { auditInvite, sendInvitesEvents } from "../events.ts";
import { inviteKeys, type InviteRecord, retentionOptions } from "../model.ts";

/**
 * Revokes the invitation of an address, whose link no longer works.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function revokeInvite(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const { invite, offer } = await getManageableInvite(tx, caller, id);
    const revoked: InviteRecord = { ...invite, state: "revoked" };
    tx.set(inviteKeys.invite(realmId, id), revoked, retentionOptions(app, offer));
    const at = { realmId, now: app.clock.now() };
    auditInvite(tx, at, { actor: caller.actingUser, invite, action: "invite_revoked" });
    sendInvitesEvents(tx, at, await tx.peek<UserRecord>(userKeys.user(realmId, offer.inviter_id)));
  });
}
