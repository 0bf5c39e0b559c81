import { transact, type Tx } from "@/lib/kv/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import { type Confirmation, peekConfirmation, takeConfirmation } from "../confirmations/confirmation.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { addressProblem } from "../users/address_policy.ts";
import { putUser } from "../users/store.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { mayChangeEmail, type PendingEmail } from "./email_change.ts";
import { toNoticeMail } from "./email_mails.ts";
import { tellOfEmail } from "./events.ts";
import { settingsKeys } from "./store.ts";

/**
 * Gives an account the address that a link confirms, and tells the old address by mail; null where the link no longer
 * works. Sessions end, and links that were sent to the old address with them.
 */
export async function confirmEmailChange(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<string | null> {
  const now = app.clock.now();
  const address = await transact(app.store, async (tx) => {
    const link = await takeConfirmation(tx, { realmId: realm.id, token, now }, "email_change");
    const before = link === null ? null : await readHolder(tx, realm, link);
    if (link === null || before === null) return null;
    const user = { ...before, delivery_email: link.email, session_epoch: before.session_epoch + 1 };
    await putUser(tx, realm.id, user);
    tx.delete(settingsKeys.pendingEmail(realm.id, user.id));
    tellOfEmail(tx, app, { realm, user, now, isVisibilityChange: false });
    enqueueMail(tx, toNoticeMail({ app, realm }, { before, address: link.email }), now);
    return link.email;
  });
  if (address !== null) app.wakeMailer();
  return address;
}

/** The address that a link would confirm, without following it; null where it is used up, unknown or too old. */
export async function peekEmailChange(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<string | null> {
  return (await peekConfirmation(app, { realmId: realm.id, token }, "email_change"))?.email ?? null;
}

/** Whose address a link changes; null where it does so no more. */
async function readHolder(tx: Tx, realm: RealmRecord, link: Confirmation): Promise<UserRecord | null> {
  const user = await tx.get<UserRecord>(userKeys.user(realm.id, link.user_id));
  const pending = await tx.get<PendingEmail>(settingsKeys.pendingEmail(realm.id, link.user_id));
  const owner = await tx.get<number>(userKeys.byEmail(realm.id, link.email));
  const isSound = user !== null && user.is_active && !realm.is_deactivated &&
    user.session_epoch === link.session_epoch && pending?.address === link.email &&
    (owner === null || owner === user.id) && mayChangeEmail(realm, user) &&
    await addressProblem(realm, link.email) === null;
  return isSound ? user : null;
}
