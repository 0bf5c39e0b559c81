import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import { composeMail } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import {
  keepConfirmation,
  newLinkToken,
  peekConfirmation,
  takeConfirmation,
} from "../confirmations/confirmation.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import { requireStrongPassword } from "../users/password_policy.ts";
import { findUserByEmail, getUser, putUser } from "../users/store.ts";
import { foldEmail, isBot, type UserRecord } from "../users/user.ts";

/** How long a link to set a password works, in milliseconds. */
export const RESET_LIFETIME_MS = 60 * 60 * 1000;

/**
 * Mails a link to whoever has an account with this real address. Nothing tells whether there is one, nor does the time
 * that it takes: something is written in any case.
 */
export async function startPasswordReset(app: ChatApp, realm: RealmRecord, address: string): Promise<void> {
  const found = await findUserByEmail(app, realm, address);
  const isHolder = found !== null && !isBot(found) && found.is_active &&
    foldEmail(found.delivery_email) === foldEmail(address);
  const now = app.clock.now();
  const token = newLinkToken();
  await transact(app.store, async (tx) => {
    await keepConfirmation(tx, { realmId: realm.id, token, now }, {
      kind: "password_reset",
      user_id: isHolder ? found.id : 0,
      email: isHolder ? found.delivery_email : "",
      session_epoch: isHolder ? found.session_epoch : 0,
      expires_at: now + RESET_LIFETIME_MS,
    });
    if (isHolder) enqueueMail(tx, toResetMail(app, realm, { user: found, token }), now);
  });
  app.wakeMailer();
}

function toResetMail(
  app: ChatApp,
  realm: RealmRecord,
  { user, token }: { user: UserRecord; token: string },
) {
  return composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: `Set a new password for ${realm.name}`,
    greeting: `Hello ${user.full_name},`,
    paragraphs: [
      `Somebody, probably you, asked to set a new password for your account at ${realm.name}.`,
      "The link works once, within an hour. If it was not you, there is nothing to do.",
    ],
    action: { label: "Set a new password", url: `${realmUrl(app, realm)}/reset-password/${token}` },
    footer: `Sent by ${realm.name}, ${realmUrl(app, realm)}`,
  });
}

/** Whether a link to set a password still works. */
export async function isResetToken(app: ChatApp, realm: RealmRecord, token: string): Promise<boolean> {
  const found = await peekConfirmation(app, { realmId: realm.id, token }, "password_reset");
  return found !== null && found.user_id !== 0;
}

/**
 * Sets the password of whoever holds the link, which is then used up; all sessions of the account end.
 * @throws AppError GONE for a link that no longer works, BAD_REQUEST for a weak password, which leaves the link as it is.
 */
export async function resetPassword(
  app: ChatApp,
  realm: RealmRecord,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const held = await peekConfirmation(app, { realmId: realm.id, token }, "password_reset");
  if (held === null) throw gone();
  await requireStrongPassword(password, [held.email, realm.name]);
  const hash = await app.passwords.hash(password);
  await transact(app.store, async (tx) => {
    const now = app.clock.now();
    const taken = await takeConfirmation(tx, { realmId: realm.id, token, now }, "password_reset");
    if (taken === null || taken.user_id === 0) throw gone();
    const user = await getUser(tx, realm.id, taken.user_id);
    // A link does not outlive the password that it was asked for under, nor the account.
    if (!user.is_active || user.session_epoch !== taken.session_epoch) throw gone();
    await putUser(tx, realm.id, { ...user, password_hash: hash, session_epoch: user.session_epoch + 1 });
  });
}

function gone(): AppError {
  return new AppError("GONE", "That link is no longer valid.");
}
