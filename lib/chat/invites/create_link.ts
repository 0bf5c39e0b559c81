import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import { inviteKeys, type InviteLinkRecord } from "./invite.ts";
import { noteLink } from "./note_invite.ts";
import { keptUntil, type SentOffer, toOffer } from "./offer.ts";
import { requireMayInvite, requireMayOffer } from "./rights.ts";
import { INVITES_QUEUE, newSalt } from "./stage_invites.ts";
import { tellOfInvites } from "./tell_of_invites.ts";
import { linkUrl } from "./view.ts";

/**
 * Makes a link by which anybody who has it may join, and gives its address.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createLink(
  app: ChatApp,
  { realm, actingUser }: Caller,
  sent: Omit<SentOffer, "notify_referrer_on_join">,
): Promise<string> {
  const link = await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    // The caller's role may have changed since the request was let in.
    const user = await getUser(tx, realm.id, actingUser.id);
    // Nobody is told of each person who comes by a link.
    const whole = { ...sent, notify_referrer_on_join: false };
    requireMayInvite(permissions, user, { permission: "create_multiuse_invite_group", role: sent.invite_as });
    await requireMayOffer(tx, permissions, { user, sent: whole });
    const offer = toOffer(app, { id: await tx.nextId("invite_offer"), inviterId: user.id, sent: whole });
    const record: InviteLinkRecord = {
      id: await tx.nextId("invite_link"),
      offer_id: offer.id,
      is_revoked: false,
      salt: newSalt(),
    };
    tx.set(inviteKeys.offer(realm.id, offer.id), offer, keptUntil(app, offer));
    tx.set(inviteKeys.link(realm.id, record.id), record, keptUntil(app, offer));
    const at = { realmId: realm.id, now: permissions.now };
    const details = { role: String(offer.role) };
    noteLink(tx, at, { actor: user, link: record, action: "invite_link_created", details });
    tellOfInvites(tx, at, user);
    return record;
  }, INVITES_QUEUE);
  return linkUrl(app, realm, link);
}
