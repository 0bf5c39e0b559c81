import type { ChatApp } from "@/lib/chat/app.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { getActingUser } from "@/lib/chat/users/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { requireCanInvite, requireCanOffer } from "../access.ts";
import { inviteLinkUrl } from "../api.ts";
import { auditInviteLink, sendInvitesEvents } from "../events.ts";
import {
  generateSalt,
  inviteKeys,
  type InviteLinkRecord,
  INVITES_LOCK,
  type OfferRequest,
  retentionOptions,
  toOffer,
} from "../model.ts";

/**
 * Creates a reusable link by which anyone who has it can join, and returns its URL.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createInviteLink(
  app: ChatApp,
  { realm, actingUser }: Caller,
  terms: Omit<OfferRequest, "notify_referrer_on_join">,
): Promise<string> {
  // Inviters are not notified of users who join by a link.
  const sent = { ...terms, notify_referrer_on_join: false };
  const link = await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const user = await getActingUser(tx, realm.id, actingUser);
    requireCanInvite(permissions, user, { permission: "create_multiuse_invite_group", role: sent.invite_as });
    await requireCanOffer(tx, permissions, { user, sent });
    const offer = toOffer(app, { id: await tx.nextId("invite_offer"), inviterId: user.id, sent });
    const record: InviteLinkRecord = {
      id: await tx.nextId("invite_link"),
      offer_id: offer.id,
      is_revoked: false,
      salt: generateSalt(),
    };
    tx.set(inviteKeys.offer(realm.id, offer.id), offer, retentionOptions(app, offer));
    tx.set(inviteKeys.link(realm.id, record.id), record, retentionOptions(app, offer));
    const at = { realmId: realm.id, now: permissions.now };
    const details = { role: String(offer.role) };
    auditInviteLink(tx, at, { actor: user, link: record, action: "invite_link_created", details });
    sendInvitesEvents(tx, at, user);
    return record;
  }, INVITES_LOCK);
  return inviteLinkUrl(app, realm, link);
}
