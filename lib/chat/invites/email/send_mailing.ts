import type { ChatApp } from "@/lib/chat/app.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import { userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import { isInviterAuthorized } from "../access.ts";
import { inviteKeys, type InviteOffer, type InviteRecord, isExpired, type MailingRecord } from "../model.ts";
import { composeInviteMail, type InviteMailContent } from "./compose_invite_mail.ts";

/** Number of mails composed in one commit, within the limits of the store. */
const MAX_MAILS_PER_COMMIT = 50;

/**
 * Composes and enqueues all mails of a mailing in several commits, each of which also removes its invitations
 * from the mailing: every mail is enqueued once, even if this is interrupted and started again.
 */
export async function sendMailing(app: ChatApp, key: Key): Promise<void> {
  // The mailer is woken at the end: its own commits would delay these.
  try {
    while (await sendNext(app, key));
  } finally {
    app.wakeMailer();
  }
}

/** Enqueues the next mails and returns whether there are more. */
function sendNext(app: ChatApp, key: Key): Promise<boolean> {
  return transact(app.store, async (tx) => {
    const mailing = await tx.get<MailingRecord>(key);
    if (mailing === null) return false;
    const content = await readContent(app, tx, mailing);
    if (content === null) {
      tx.delete(key);
      return false;
    }
    const ids = mailing.invite_ids.slice(0, MAX_MAILS_PER_COMMIT);
    const invites = await Promise.all(
      ids.map((id) => tx.get<InviteRecord>(inviteKeys.invite(mailing.realm_id, id))),
    );
    for (const invite of invites) {
      if (invite?.state === "pending") enqueueInviteMail(app, tx, { ...content, invite });
    }
    const rest = mailing.invite_ids.slice(MAX_MAILS_PER_COMMIT);
    if (rest.length === 0) tx.delete(key);
    else tx.set(key, { ...mailing, invite_ids: rest } satisfies MailingRecord);
    return rest.length > 0;
  });
}

/** Reads the content common to all mails of a mailing; null if the invitations can no longer be accepted. */
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
  const terms = { ...offer, permission: "can_invite_users_group" } as const;
  return isInviterAuthorized(permissions, inviter, terms)
    ? { kind, realm: permissions.realm, inviter, offer }
    : null;
}

/** Enqueues the mail of one invitation. */
export function enqueueInviteMail(app: ChatApp, tx: Tx, content: InviteMailContent): void {
  try {
    enqueueMail(tx, composeInviteMail(app, content), app.clock.now());
  } catch (error) {
    // A mail that cannot be sent does not prevent the others.
    if (!(error instanceof AppError)) throw error;
  }
}
