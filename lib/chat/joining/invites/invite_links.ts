import { act, getUser } from "@/lib/chat/organization/users/store.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { diffDetails } from "@/lib/chat/organization/audit/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { type Caller, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  getManageableOffer,
  isInviterAuthorized,
  readInviteRecord,
  requireCanInvite,
  requireCanOffer,
} from "./access.ts";
import { auditInvite, inviteLinkUrl, sendInvitesEvents } from "./events.ts";
import {
  generateSalt,
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  INVITES_LOCK,
  isExpired,
  noSuchInvitation,
  type OfferRequest,
  retentionOptions,
  toOffer,
} from "./model.ts";

/** @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST. */
export async function createInviteLink(
  app: ChatApp,
  caller: Caller,
  terms: Omit<OfferRequest, "notify_referrer_on_join">,
): Promise<string> {
  // Inviters are not notified of users who join by a link.
  const sent = { ...terms, notify_referrer_on_join: false };
  const { realm } = caller;
  const link = await act(app, caller, async ({ tx, actingUser: user }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
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
    auditInvite(tx, at, { actor: user, invite: record, action: "invite_link_created", details });
    sendInvitesEvents(tx, at, user);
    return record;
  }, INVITES_LOCK);
  return inviteLinkUrl(app, realm, link);
}

const AUDITED_FIELDS = ["role", "channel_ids", "group_ids", "include_realm_default_subscriptions"] as const;

/**
 * Updates the terms of a reusable link for everyone who joins from now on, including by personal join links
 * already sent. Additions must be allowed to both the caller and the link's creator, whose permissions count
 * when users join. `change` returns the new terms, and may refuse the stored ones.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateInviteLink(
  app: ChatApp,
  caller: Caller,
  { id, change }: {
    id: number;
    change: (offer: InviteOffer) => Pick<InviteOffer, typeof AUDITED_FIELDS[number]>;
  },
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const link = await readInviteRecord<InviteLinkRecord>(tx, id, inviteKeys.link(realmId, id));
    if (link === null) throw noSuchInvitation();
    const { offer, user } = await getManageableOffer(tx, caller, link.offer_id);
    if (link.is_revoked) throw new AppError("BAD_REQUEST", "Invitation has already been revoked");
    if (isExpired(offer, app.clock.now())) throw noSuchInvitation();
    const changes = change(offer);
    const permissions = permissionsOf(await tx.organization(realmId), app.clock);
    const inviter = await getUser(tx, realmId, offer.inviter_id);
    const terms = { permission: "create_multiuse_invite_group", role: changes.role } as const;
    requireCanInvite(permissions, user, terms);
    if (!isInviterAuthorized(permissions, inviter, { ...offer, ...terms })) {
      throw new AppError("BAD_REQUEST", "Whoever made this link may not invite to that role.");
    }
    const sent = {
      stream_ids: changes.channel_ids.filter((id) => !offer.channel_ids.includes(id)),
      group_ids: changes.group_ids.filter((id) => !offer.group_ids.includes(id)),
      welcome_message_custom_text: undefined,
    };
    await requireCanOffer(tx, permissions, { user, sent });
    if (inviter.id !== user.id) await requireCanOffer(tx, permissions, { user: inviter, sent });
    const after: InviteOffer = { ...offer, ...changes };
    const details = diffDetails(offer, after, AUDITED_FIELDS);
    if (Object.keys(details).length === 0) return;
    tx.set(inviteKeys.offer(realmId, offer.id), after, retentionOptions(app, after));
    const at = { realmId, now: permissions.now };
    auditInvite(tx, at, { actor: user, invite: link, action: "invite_link_changed", details });
    sendInvitesEvents(tx, at, inviter);
  });
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
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
    auditInvite(tx, at, { actor: caller.actingUser, invite: link, action: "invite_link_revoked" });
    sendInvitesEvents(tx, at, await tx.peek<UserRecord>(userKeys.user(realmId, offer.inviter_id)));
  });
}
