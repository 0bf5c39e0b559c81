import type { ChatApp } from "@/lib/chat/app.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { transact } from "@/lib/store/transact.ts";
import { getUsableManagedInvite } from "../access.ts";
import { auditInvite } from "../events.ts";
import { countInvitations, countResentInvite, requireBelowDailyLimit } from "../store.ts";
import { enqueueInviteMail } from "./send_mailing.ts";

/**
 * Sends the mail of an invitation again, which counts against the daily limit and that of the mailbox.
 * @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, INVITATION_FAILED or RATE_LIMIT_HIT.
 */
export async function resendInvite(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const { invite, offer, permissions, inviter } = await getUsableManagedInvite(app, tx, { caller, id });
    const count = { realmId, count: 1 };
    await requireBelowDailyLimit(app, tx, count);
    await countInvitations(app, tx, count);
    await countResentInvite(app, tx, { realmId, email: invite.email });
    auditInvite(tx, { realmId, now: permissions.now }, {
      actor: caller.actingUser,
      invite,
      action: "invite_resent",
    });
    enqueueInviteMail(app, tx, { kind: "invitation", realm: permissions.realm, inviter, offer, invite });
  });
  app.wakeMailer();
}
