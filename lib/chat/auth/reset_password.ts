import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { composeMail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import {
  type Confirmation,
  consumeConfirmation,
  createConfirmation,
  generateLinkToken,
  peekConfirmation,
} from "./confirmations.ts";
import { rotateApiKey } from "./regenerate_api_key.ts";
import { type RealmRecord, realmUrl } from "../organizations/model.ts";
import { requireStrongPassword } from "./password_policy.ts";
import { auditUser } from "../users/events.ts";
import { findUserByEmail } from "../users/store.ts";
import { foldEmail, isAdmin, isBot, isOwner, userKeys, type UserRecord } from "../users/model.ts";

/** Lifetime of a password reset link in milliseconds. */
export const RESET_LIFETIME_MS = 60 * 60 * 1000;

/**
 * Mails a password reset link to the active human with this real address. Writes a confirmation in any case,
 * so neither the answer nor its timing reveals whether an account exists.
 */
export async function startPasswordReset(app: ChatApp, realm: RealmRecord, address: string): Promise<void> {
  const found = await findUserByEmail(app, realm, address);
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

/** Links that set a password. */
const KINDS = ["password_reset", "sign_in"] as const;

/** A link that sets the password of a user. */
export interface PasswordLink {
  readonly user: UserRecord;
  /** Whether an administrator made it to sign the user in; otherwise the user requested it. */
  readonly isSignIn: boolean;
}

/** Reads a link that sets a password; null if it is not valid any more. */
export async function readPasswordLink(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<PasswordLink | null> {
  const found = await peekConfirmation(app, { realmId: realm.id, token }, KINDS);
  return found === null ? null : await resolveLink(app.reads.read, realm.id, found);
}

/**
 * Sets the password of the account that a link is for, which uses up the link, ends all sessions and replaces the
 * API key. Returns the account as it was before and after.
 * @throws AppError GONE for an invalid link, BAD_REQUEST for a weak password, which leaves the link valid.
 */
export async function resetPassword(
  app: ChatApp,
  realm: RealmRecord,
  { token, password }: { token: string; password: string },
): Promise<{ link: PasswordLink; user: UserRecord }> {
  const pending = await peekConfirmation(app, { realmId: realm.id, token }, KINDS);
  if (pending === null) throw goneError();
  await requireStrongPassword(password, [pending.email, realm.name]);
  const hash = await app.passwords.hash(password);
  return await transact(app.store, async (tx) => {
    const now = app.clock.now();
    const confirmation = await consumeConfirmation(tx, { realmId: realm.id, token, now }, KINDS);
    const link = confirmation === null
      ? null
      : await resolveLink((key) => tx.get(key), realm.id, confirmation);
    if (link === null) throw goneError();
    const changed = { ...link.user, password_hash: hash, session_epoch: link.user.session_epoch + 1 };
    // A stranger who knew the old password could read the key as well.
    const user = await rotateApiKey({ app, tx, realmId: realm.id }, changed);
    if (link.isSignIn) auditUser({ app, tx, realm }, { actor: user, user, action: "sign_in_link_used" });
    return { link, user };
  });
}

/**
 * Returns the account of a link; null when the password or the address has changed since, the account is
 * deactivated, or the administrator who made the link could not make it now.
 */
async function resolveLink(
  get: Tx["get"],
  realmId: number,
  { kind, user_id, session_epoch, made_by = 0 }: Confirmation,
): Promise<PasswordLink | null> {
  const user = await get<UserRecord>(userKeys.user(realmId, user_id));
  if (user === null || !user.is_active || user.session_epoch !== session_epoch) return null;
  if (kind !== "sign_in") return { user, isSignIn: false };
  const maker = await get<UserRecord>(userKeys.user(realmId, made_by));
  const isBacked = maker !== null && maker.is_active && isAdmin(maker) && (isOwner(maker) || !isOwner(user));
  return isBacked ? { user, isSignIn: true } : null;
}

function goneError(): AppError {
  return new AppError("GONE", "The link is no longer valid.");
}
