import { transact, type Tx } from "@/lib/store/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import { type Confirmation, consumeConfirmation, peekConfirmation } from "../auth/confirmations.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { findEmailProblem, userKeys, type UserRecord } from "../users/model.ts";
import { putUser } from "../users/store.ts";
import { toEmailChangedMail } from "./email_change_mails.ts";
import { sendEmailEvents } from "./events.ts";
import { canChangeEmail, type PendingEmail } from "./model/account.ts";
import { settingsKeys } from "./model/settings.ts";

/**
 * Applies the email change of a confirmation link, ends the user's sessions and notifies the old address by
 * mail. Returns the new address, or null when the link is no longer valid.
 */
export async function confirmEmailChange(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<string | null> {
  const now = app.clock.now();
  const address = await transact(app.store, async (tx) => {
    const link = await consumeConfirmation(tx, { realmId: realm.id, token, now }, ["email_change"]);
    const before = link === null ? null : await readLinkUser(tx, realm, link);
    if (link === null || before === null) return null;
    const user = { ...before, delivery_email: link.email, session_epoch: before.session_epoch + 1 };
    await putUser(tx, realm.id, user);
    tx.delete(settingsKeys.pendingEmail(realm.id, user.id));
    sendEmailEvents(tx, app, { realm, user, now, isVisibilityChange: false });
    enqueueMail(tx, toEmailChangedMail({ app, realm }, { before, address: link.email }), now);
    return link.email;
  });
  if (address !== null) app.wakeMailer();
  return address;
}

/** Returns the address that a link would confirm, or null when the link is no longer valid. */
export async function peekEmailChange(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<string | null> {
  const link = await peekConfirmation(app, { realmId: realm.id, token }, ["email_change"]);
  if (link === null) return null;
  return await transact(app.store, async (tx) => {
    return await readLinkUser(tx, realm, link) === null ? null : link.email;
  });
}

/** Reads the user whose address a link changes, or null when the link is no longer valid. */
async function readLinkUser(tx: Tx, realm: RealmRecord, link: Confirmation): Promise<UserRecord | null> {
  const user = await tx.get<UserRecord>(userKeys.user(realm.id, link.user_id));
  const pending = await tx.get<PendingEmail>(settingsKeys.pendingEmail(realm.id, link.user_id));
  const ownerId = await tx.get<number>(userKeys.byEmail(realm.id, link.email));
  const isValid = user !== null && user.is_active && !realm.is_deactivated &&
    user.session_epoch === link.session_epoch && pending?.address === link.email &&
    (ownerId === null || ownerId === user.id) && canChangeEmail(realm, user) &&
    await findEmailProblem(realm, link.email) === null;
  return isValid ? user : null;
}
