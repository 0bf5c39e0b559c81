import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import { accessInvite } from "./access_invite.ts";
import { countInvitations, requireBelowLimit } from "./daily_limit.ts";
import { noSuchInvitation } from "./failure.ts";
import { isExpired } from "./invite.ts";
import { noteInvite } from "./note_invite.ts";
import { isBacked } from "./rights.ts";
import { queueInviteMail } from "./send_mailing.ts";

/**
 * Mails an invitation once more, which counts as one of the day.
 * @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL or INVITATION_FAILED.
 */
export async function resendInvite(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const { invite, offer } = await accessInvite(tx, caller, id);
    if (isExpired(offer, app.clock.now())) throw noSuchInvitation();
    const permissions = await readPermissionContext(app, tx, realmId);
    const inviter = await getUser(tx, realmId, offer.inviter_id);
    // Nobody joins on the word of somebody who left, or may not invite any more.
    const asked = { ...offer, permission: "can_invite_users_group" } as const;
    if (!isBacked(permissions, inviter, asked)) throw noSuchInvitation();
    const counted = { realmId, count: 1 };
    await requireBelowLimit(app, tx, counted);
    await countInvitations(app, tx, counted);
    noteInvite(tx, { realmId, now: permissions.now }, {
      actor: caller.actingUser,
      invite,
      action: "invite_resent",
    });
    queueInviteMail(app, tx, { kind: "invitation", realm: permissions.realm, inviter, offer, invite });
  });
  app.wakeMailer();
}
