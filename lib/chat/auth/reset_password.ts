import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import { composeMail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import {
  consumeConfirmation,
  createConfirmation,
  generateLinkToken,
  peekConfirmation,
} from "./confirmations.ts";
import { rotateApiKey } from "./regenerate_api_key.ts";
import { type RealmRecord, realmUrl } from "../organizations/model.ts";
import { requireStrongPassword } from "./password_policy.ts";
import { findUserByEmail, getUser } from "../users/store.ts";
import { foldEmail, isBot, type UserRecord } from "../users/model.ts";

/** Lifetime of a password reset link in milliseconds. */
export const RESET_LIFETIME_MS = 60 * 60 * 1000;

/**
 * Mails a password reset link to the active human with this real address. Writes a confirmation in any case,
 * so neither the answer nor its timing reveals whether an account exists.
 */
export async function startPasswordReset(app: ChatApp, realm: RealmRecord, address: string): Promise<void> {
  const found = await findUserByEmail(app, realm, { address });
  const hasAccount = found !== null && !isBot(found) && found.is_active &&
    foldEmail(found.delivery_email) === foldEmail(address);
  const now = app.clock.now();
  const token = generateLinkToken();
  await transact(app.store, async (tx) => {
    await createConfirmation(tx, { realmId: realm.id, token, now }, {
      kind: "password_reset",
      user_id: hasAccount ? found.id : 0,
      email: hasAccount ? found.delivery_email : "",
      session_epoch: hasAccount ? found.session_epoch : 0,
      expires_at: now + RESET_LIFETIME_MS,
    });
    if (hasAccount) enqueueMail(tx, toResetMail(app, realm, { user: found, token }), now);
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
    subject: `Choose a new password for ${realm.name}`,
    greeting: `Hello ${toMailName(user.full_name)},`,
    paragraphs: [
      `Someone, possibly you, asked to reset the password of your account at ${realm.name}.`,
      "You can use the link once, within one hour. If you did not request this, you can ignore this email.",
    ],
    action: { label: "Choose a new password", url: `${realmUrl(app, realm)}/reset-password/${token}` },
    footer: `Sent by ${realm.name}, ${realmUrl(app, realm)}`,
  });
}

/** Returns whether a password reset link is still valid. */
export async function isValidResetToken(app: ChatApp, realm: RealmRecord, token: string): Promise<boolean> {
  const found = await peekConfirmation(app, { realmId: realm.id, token }, "password_reset");
  return found !== null && found.user_id !== 0;
}

/**
 * Sets the password of the account a reset link was sent to, which uses up the link, ends all sessions and
 * replaces the API key.
 * @throws AppError GONE for an invalid link, BAD_REQUEST for a weak password, which leaves the link valid.
 */
export async function resetPassword(
  app: ChatApp,
  realm: RealmRecord,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const pending = await peekConfirmation(app, { realmId: realm.id, token }, "password_reset");
  if (pending === null) throw goneError();
  await requireStrongPassword(password, [pending.email, realm.name]);
  const hash = await app.passwords.hash(password);
  await transact(app.store, async (tx) => {
    const now = app.clock.now();
    const confirmation = await consumeConfirmation(tx, { realmId: realm.id, token, now }, "password_reset");
    if (confirmation === null || confirmation.user_id === 0) throw goneError();
    const user = await getUser(tx, realm.id, confirmation.user_id);
    // A link ends when the password or the email address changes, or the account is deactivated.
    if (!user.is_active || user.session_epoch !== confirmation.session_epoch) throw goneError();
    const changed = { ...user, password_hash: hash, session_epoch: user.session_epoch + 1 };
    // A stranger who knew the old password could read the key as well.
    await rotateApiKey({ app, tx, realmId: realm.id }, changed);
  });
}

function goneError(): AppError {
  return new AppError("GONE", "The link is no longer valid.");
}
