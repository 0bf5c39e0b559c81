import type { ChatApp } from "@/lib/chat/app.ts";
import { diffDetails } from "@/lib/chat/audit/model.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { Caller, Role, UserRecord } from "@/lib/chat/users/model.ts";
import { getUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  getManageableOffer,
  isInviterAuthorized,
  readInviteRecord,
  requireCanInvite,
  requireCanOffer,
} from "../access.ts";
import { auditInviteLink, sendInvitesEvents } from "../events.ts";
import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  isExpired,
  noSuchInvitation,
  retentionOptions,
} from "../model.ts";

/** New terms of a reusable link. */
export interface InviteLinkChanges {
  readonly role: Role;
  readonly channel_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
}

const PERMISSION = "create_multiuse_invite_group";
const AUDITED_FIELDS = ["role", "channel_ids", "group_ids", "include_realm_default_subscriptions"] as const;

/**
 * Updates the terms of a reusable link for everyone who joins from now on, including by personal join links
 * already sent. Additions must be allowed to both the caller and the link's creator, whose permissions count
 * when users join.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateInviteLink(
  app: ChatApp,
  caller: Caller,
  { id, changes }: { id: number; changes: InviteLinkChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const link = await readInviteRecord<InviteLinkRecord>(tx, id, inviteKeys.link(realmId, id));
    if (link === null) throw noSuchInvitation();
    const { offer, user } = await getManageableOffer(tx, caller, link.offer_id);
    if (link.is_revoked) throw new AppError("BAD_REQUEST", "Invitation has already been revoked");
    if (isExpired(offer, app.clock.now())) throw noSuchInvitation();
    const permissions = await readPermissionContext(app, tx, realmId);
    const inviter = await getUser(tx, realmId, offer.inviter_id);
    await requireCanChange(tx, permissions, { user, inviter, offer, changes });
    const after: InviteOffer = { ...offer, ...changes };
    const details = diffDetails(offer, after, AUDITED_FIELDS);
    if (Object.keys(details).length === 0) return;
    tx.set(inviteKeys.offer(realmId, offer.id), after, retentionOptions(app, after));
    const at = { realmId, now: permissions.now };
    auditInviteLink(tx, at, { actor: user, link, action: "invite_link_changed", details });
    sendInvitesEvents(tx, at, inviter);
  });
}

interface LinkUpdate {
  readonly user: UserRecord;
  readonly inviter: UserRecord;
  readonly offer: InviteOffer;
  readonly changes: InviteLinkChanges;
}

async function requireCanChange(
  tx: Tx,
  permissions: PermissionContext,
  { user, inviter, offer, changes }: LinkUpdate,
) {
  requireCanInvite(permissions, user, { permission: PERMISSION, role: changes.role });
  if (!isInviterAuthorized(permissions, inviter, { ...offer, permission: PERMISSION, role: changes.role })) {
    throw new AppError("BAD_REQUEST", "Whoever made this link may not invite to that role.");
  }
  const additions = {
    invite_expires_in_minutes: null,
    invite_as: changes.role,
    stream_ids: changes.channel_ids.filter((id) => !offer.channel_ids.includes(id)),
    group_ids: changes.group_ids.filter((id) => !offer.group_ids.includes(id)),
    include_realm_default_subscriptions: changes.include_realm_default_subscriptions,
    welcome_message_custom_text: undefined,
    notify_referrer_on_join: false,
  };
  await requireCanOffer(tx, permissions, { user, sent: additions });
  if (inviter.id !== user.id) await requireCanOffer(tx, permissions, { user: inviter, sent: additions });
}
