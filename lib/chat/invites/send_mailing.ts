import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { inviteKeys, type InviteOffer, type InviteRecord, isExpired } from "./invite.ts";
import { type InviteMailContent, toInviteMail } from "./invite_mail.ts";
import type { MailingRecord } from "./mailing.ts";
import { isBacked } from "./rights.ts";

/** Mails of one commit: what it reads and writes stays within what the store takes. */
const AT_ONCE = 50;

/**
 * Composes and queues all mails of a mailing, some in each commit, which takes them off the mailing too: however often
 * it is cut off and begun again, each mail is queued once.
 */
export async function sendMailing(app: ChatApp, key: Key): Promise<void> {
  // The mailer is told at the end: while it sends, it would keep this from the store.
  try {
    while (await sendSome(app, key));
  } finally {
    app.wakeMailer();
  }
}

/** Whether mails are left. */
function sendSome(app: ChatApp, key: Key): Promise<boolean> {
  return transact(app.store, async (tx) => {
    const mailing = await tx.get<MailingRecord>(key);
    if (mailing === null) return false;
    const content = await readContent(app, tx, mailing);
    if (content === null) {
      tx.delete(key);
      return false;
    }
    const ids = mailing.invite_ids.slice(0, AT_ONCE);
    const invites = await Promise.all(
      ids.map((id) => tx.get<InviteRecord>(inviteKeys.invite(mailing.realm_id, id))),
    );
    for (const invite of invites) {
      if (invite?.state === "pending") queueInviteMail(app, tx, { ...content, invite });
    }
    const rest = mailing.invite_ids.slice(AT_ONCE);
    if (rest.length === 0) tx.delete(key);
    else tx.set(key, { ...mailing, invite_ids: rest } satisfies MailingRecord);
    return rest.length > 0;
  });
}

/** What all mails of a mailing share; null where the invitations lead nowhere any more. */
async function readContent(
  app: ChatApp,
  tx: Tx,
  { kind, realm_id, offer_id }: MailingRecord,
): Promise<Omit<InviteMailContent, "invite"> | null> {
  const offer = await tx.get<InviteOffer>(inviteKeys.offer(realm_id, offer_id));
  if (offer === null || isExpired(offer, app.clock.now())) return null;
  const permissions = await readPermissionContext(app, tx, realm_id);
  const inviter = await tx.get<UserRecord>(userKeys.user(realm_id, offer.inviter_id));
  if (permissions.realm.is_deactivated || inviter === null) return null;
  const asked = { ...offer, permission: "can_invite_users_group" } as const;
  return isBacked(permissions, inviter, asked) ? { kind, realm: permissions.realm, inviter, offer } : null;
}

/** Queues the mail of one invitation with the caller's own change. */
export function queueInviteMail(app: ChatApp, tx: Tx, content: InviteMailContent): void {
  try {
    enqueueMail(tx, toInviteMail(app, content), app.clock.now());
  } catch (error) {
    // One that cannot be sent must not keep the others from it.
    if (!(error instanceof AppError)) throw error;
  }
}
