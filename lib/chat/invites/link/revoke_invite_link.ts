import type { ChatApp } from "@/lib/chat/app.ts";
import { type Caller, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import { getManageableOffer, readInviteRecord } from "../access.ts";
import { auditInviteLink, sendInvitesEvents } from "../events.ts";
import { inviteKeys, type InviteLinkRecord, noSuchInvitation, retentionOptions } from "../model.ts";

/**
 * Revokes a reusable link, expired or not.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function revokeInviteLink(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const key = inviteKeys.link(realmId, id);
    const link = await readInviteRecord<InviteLinkRecord>(tx, id, key);
    if (link === null) throw noSuchInvitation();
    const { offer } = await getManageableOffer(tx, caller, link.offer_id);
    if (link.is_revoked) throw new AppError("BAD_REQUEST", "Invitation has already been revoked");
    tx.set(key, { ...link, is_revoked: true } satisfies InviteLinkRecord, retentionOptions(app, offer));
    const at = { realmId, now: app.clock.now() };
    auditInviteLink(tx, at, { actor: caller.actingUser, link, action: "invite_link_revoked" });
    sendInvitesEvents(tx, at, await tx.peek<UserRecord>(userKeys.user(realmId, offer.inviter_id)));
  });
}
