import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { differencesOf } from "../audit/details.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import type { Role, UserRecord } from "../users/user.ts";
import { accessOffer, readById } from "./access_invite.ts";
import { noSuchInvitation } from "./failure.ts";
import { inviteKeys, type InviteLinkRecord, type InviteOffer, isExpired } from "./invite.ts";
import { noteLink } from "./note_invite.ts";
import { keptUntil } from "./offer.ts";
import { isBacked, requireMayInvite, requireMayOffer } from "./rights.ts";
import { tellOfInvites } from "./tell_of_invites.ts";

/** What a reusable link offers from now on. */
export interface LinkChanges {
  readonly role: Role;
  readonly channel_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
}

const PERMISSION = "create_multiuse_invite_group";
const CHANGED = ["role", "channel_ids", "group_ids", "include_realm_default_subscriptions"] as const;

/**
 * Changes what a reusable link offers to those who join by it from now on, with a proof of their address in hand too.
 * What is added both the caller and the link's maker must be allowed to offer, as nobody else stands for the newcomers.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateLink(
  app: ChatApp,
  caller: Caller,
  { id, changes }: { id: number; changes: LinkChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const link = await readById<InviteLinkRecord>(tx, id, inviteKeys.link(realmId, id));
    if (link === null) throw noSuchInvitation();
    const { offer, user } = await accessOffer(tx, caller, link.offer_id);
    if (link.is_revoked) throw new AppError("BAD_REQUEST", "Invitation has already been revoked");
    if (isExpired(offer, app.clock.now())) throw noSuchInvitation();
    const permissions = await readPermissionContext(app, tx, realmId);
    const inviter = await getUser(tx, realmId, offer.inviter_id);
    await requireMayChange(tx, permissions, { user, inviter, offer, changes });
    const after: InviteOffer = { ...offer, ...changes };
    const details = differencesOf(offer, after, CHANGED);
    if (Object.keys(details).length === 0) return;
    tx.set(inviteKeys.offer(realmId, offer.id), after, keptUntil(app, after));
    const at = { realmId, now: permissions.now };
    noteLink(tx, at, { actor: user, link, action: "invite_link_changed", details });
    tellOfInvites(tx, at, inviter);
  });
}

interface Changing {
  readonly user: UserRecord;
  readonly inviter: UserRecord;
  readonly offer: InviteOffer;
  readonly changes: LinkChanges;
}

async function requireMayChange(
  tx: Tx,
  permissions: PermissionContext,
  { user, inviter, offer, changes }: Changing,
) {
  requireMayInvite(permissions, user, { permission: PERMISSION, role: changes.role });
  if (!isBacked(permissions, inviter, { ...offer, permission: PERMISSION, role: changes.role })) {
    throw new AppError("BAD_REQUEST", "Whoever made this link may not invite to that role.");
  }
  const added = {
    invite_expires_in_minutes: null,
    invite_as: changes.role,
    stream_ids: changes.channel_ids.filter((id) => !offer.channel_ids.includes(id)),
    group_ids: changes.group_ids.filter((id) => !offer.group_ids.includes(id)),
    include_realm_default_subscriptions: changes.include_realm_default_subscriptions,
    welcome_message_custom_text: undefined,
    notify_referrer_on_join: false,
  };
  await requireMayOffer(tx, permissions, { user, sent: added });
  if (inviter.id !== user.id) await requireMayOffer(tx, permissions, { user: inviter, sent: added });
}
