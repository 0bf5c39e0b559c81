import type { EventContext } from "@/lib/chat/organization/events/send_events.ts";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type Confirmation,
  consumeConfirmation,
  createConfirmation,
  generateLinkToken,
  peekConfirmation,
} from "@/lib/chat/people/auth/confirmations.ts";
import {
  passwordClientOf,
  requireStrongPassword,
  withPasswordTurn,
} from "@/lib/chat/people/auth/passwords.ts";
import { withoutSessions } from "@/lib/chat/people/auth/sessions.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import {
  type AccountCaller,
  canChangeEmail,
  EMAIL_LINK_LIFETIME_MS,
  type PendingEmail,
  settingsKeys,
  withFullName,
} from "@/lib/chat/people/user_settings/model/settings.ts";
import { sendEmailEvents, sendProfileEvent } from "@/lib/chat/organization/users/events.ts";
import {
  type Caller,
  findEmailProblem,
  foldEmail,
  mailboxOf,
  parsePlaceholderEmail,
  requireAllowedEmail,
  requireEmail,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { act } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";

/** @throws AppError BAD_REQUEST for an invalid name. */
export async function changeFullName(app: ChatApp, caller: Caller, newName: string): Promise<boolean> {
  return await act(app, caller, async (context) => {
    const user = withFullName(context.realm, context.actingUser, newName);
    if (user !== context.actingUser) {
      await putUser(context.tx, context.realm.id, user);
      sendProfileEvent(context, user, { full_name: user.full_name });
    }
    return user.full_name === newName.trim();
  });
}

interface PasswordChange {
  /** Undefined when not sent, which counts as wrong. */
  readonly oldPassword: string | undefined;
  readonly newPassword: string;
}

/** The hash of a new password that is ready to be stored. */
export interface NewPassword {
  /** The hash that the old password was checked against. */
  readonly replacedHash: string | null;
  readonly hash: string;
}

/**
 * Changes a user's password and ends all their sessions; the API key stays valid.
 * @throws AppError BAD_REQUEST for a wrong old password, too many wrong ones, or a weak new one.
 */
export async function changePassword(
  app: ChatApp,
  caller: AccountCaller,
  change: PasswordChange,
): Promise<void> {
  await requireValidPasswordChange(app, caller, change);
  const password = await hashNewPassword(app, caller, change);
  await act(app, caller, async (context) => {
    await putUser(context.tx, caller.realm.id, withPassword(context, context.actingUser, password));
  });
}

/** @throws AppError BAD_REQUEST for a wrong old password, too many wrong ones, or a weak new one. */
export async function requireValidPasswordChange(
  app: ChatApp,
  caller: AccountCaller,
  { oldPassword, newPassword }: PasswordChange,
): Promise<void> {
  await requireCurrentPassword(app, caller, oldPassword);
  const { realm, actingUser: { full_name, delivery_email } } = caller;
  await requireStrongPassword(newPassword, [full_name, delivery_email, realm.name]);
}

/**
 * Requires the password; wrong ones are counted, and parallel attempts of an account take turns.
 * @throws AppError BAD_REQUEST for a missing or wrong password, and after too many wrong ones.
 */
export async function requireCurrentPassword(
  app: ChatApp,
  { realm, actingUser: user, limits }: AccountCaller,
  password: string | undefined,
): Promise<void> {
  const client = `password ${realm.id} ${user.id}`;
  await withPasswordTurn(app, passwordClientOf(realm.id, user), async () => {
    await requireAttemptLeft(limits, client);
    const isCorrect = await app.passwords.verify(password ?? "", user.password_hash);
    if (isCorrect) return;
    await limits?.consume("sign_in", client);
    throw wrongPassword();
  });
}

/** Hashes a new password, to be stored if the old one has not changed meanwhile. */
export async function hashNewPassword(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  { newPassword }: PasswordChange,
): Promise<NewPassword> {
  const work = () => app.passwords.hash(newPassword);
  const hash = await withPasswordTurn(app, passwordClientOf(realm.id, user), work);
  return { replacedHash: user.password_hash, hash };
}

/** @throws AppError BAD_REQUEST when the old password has changed meanwhile. */
export function withPassword(
  context: EventContext,
  user: UserRecord,
  { replacedHash, hash }: NewPassword,
): UserRecord {
  if (user.password_hash !== replacedHash) throw wrongPassword();
  return { ...withoutSessions(context, user), password_hash: hash };
}

async function requireAttemptLeft(limits: AccountCaller["limits"], client: string): Promise<void> {
  try {
    await limits?.requireLeft("sign_in", client);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { retryAfter = 1 } = error.details;
    throw new AppError(
      "BAD_REQUEST",
      `You're making too many attempts! Try again in ${retryAfter} seconds.`,
      { retryAfter },
    );
  }
}

function wrongPassword(): AppError {
  return new AppError("BAD_REQUEST", "Wrong password!");
}

/**
 * Returns the mail that confirms a new address. It contains no text that the requesting user chose, because
 * the address may belong to another person.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
function toConfirmationMail(
  app: ChatApp,
  realm: RealmRecord,
  { address, token }: { address: string; token: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: "", address },
    subject: `Confirm your new email address for ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `Someone, possibly you, asked to use this email address for an account at ${realm.name}.`,
      "You can use the link once, within one day. If you did not request this, you can ignore this email.",
    ],
    action: { label: "Confirm email address", url: `${url}/account/confirm-email/${token}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/** Returns the mail to the old address, so that the user learns of unauthorized changes. */
function toEmailChangedMail(
  app: ChatApp,
  realm: RealmRecord,
  { before, address }: { before: UserRecord; address: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: before.full_name, address: before.delivery_email },
    subject: `Your email address at ${realm.name} was changed`,
    greeting: `Hello ${toMailName(before.full_name)},`,
    paragraphs: [
      `The email address of your account at ${realm.name} is now ${address}. Use it to sign in.`,
      "If you did not request this, contact an administrator of the organization immediately.",
    ],
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/** A requested email address with its confirmation token and mail. */
export interface RequestedEmail {
  readonly address: string;
  readonly token: string;
  readonly mail: Mail;
}

/**
 * Sends a confirmation link to a new email address, which becomes the user's when it is confirmed. Returns
 * whether a mail was sent: none is sent to the current address.
 * @throws AppError BAD_REQUEST for an address that the user cannot have, RATE_LIMIT_HIT for too many
 * requests.
 */
export async function requestEmailChange(
  app: ChatApp,
  caller: AccountCaller,
  newEmail: string,
): Promise<boolean> {
  const requested = await validateNewEmail(app, caller, newEmail);
  if (requested === null) return false;
  await consumeEmailChange(caller, requested);
  await act(app, caller, (context) => putEmailChange(context, context.actingUser, requested));
  app.wakeMailer();
  return true;
}

/** @throws AppError BAD_REQUEST for an address that the user cannot have. */
export async function validateNewEmail(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  newEmail: string,
): Promise<RequestedEmail | null> {
  if (newEmail.trim() === user.delivery_email) return null;
  if (!canChangeEmail(realm, user)) {
    throw new AppError("BAD_REQUEST", "Email address changes are disabled in this organization.");
  }
  const address = requireEmail(newEmail);
  // The API uses placeholder addresses for other accounts, and they receive no mail.
  if (parsePlaceholderEmail(app, realm, foldEmail(address)) !== undefined) {
    throw new AppError("BAD_REQUEST", "Please use your real email address.");
  }
  await requireAllowedEmail(realm, address);
  await requireUnusedAddress((key) => app.reads.read<number>(key), { realm, user, address });
  const token = generateLinkToken();
  return { address, token, mail: toConfirmationMail(app, realm, { address, token }) };
}

/** @throws AppError RATE_LIMIT_HIT when a limit is exceeded. */
export async function consumeEmailChange(
  { realm, actingUser: user, limits }: AccountCaller,
  { address }: RequestedEmail,
): Promise<void> {
  await limits?.consume("email_change", `${realm.id} ${user.id}`);
  await limits?.consume("mail_recipient", mailboxOf(address));
}

/** @throws AppError BAD_REQUEST when another account has taken the address. */
export async function putEmailChange(
  context: ChangeContext,
  user: UserRecord,
  { address, token, mail }: RequestedEmail,
): Promise<void> {
  const { app, tx, realm } = context;
  await requireUnusedAddress((key) => tx.get<number>(key), { realm, user, address });
  const now = app.clock.now();
  const expires_at = now + EMAIL_LINK_LIFETIME_MS;
  const { session_epoch } = user;
  await createConfirmation(context, token, {
    kind: "email_change",
    user_id: user.id,
    email: address,
    session_epoch,
    expires_at,
  });
  const pending: PendingEmail = { address, session_epoch, expires_at };
  tx.set(settingsKeys.pendingEmail(realm.id, user.id), pending, { expireIn: EMAIL_LINK_LIFETIME_MS });
  enqueueMail(tx, mail, now);
}

/** @throws AppError BAD_REQUEST. */
async function requireUnusedAddress(
  read: (key: Key) => Promise<number | null>,
  { realm, user, address }: { realm: RealmRecord; user: UserRecord; address: string },
): Promise<void> {
  const ownerId = await read(userKeys.byEmail(realm.id, address));
  if (ownerId !== null && ownerId !== user.id) throw new AppError("BAD_REQUEST", "Email is already in use.");
}

/** Applies the change of a link and mails the old address; returns the new one, null for an invalid link. */
export async function confirmEmailChange(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<string | null> {
  const address = await transact(app.store, async (tx) => {
    const context = { app, tx, realm };
    const link = await consumeConfirmation(context, token, ["email_change"]);
    const before = link === null ? null : await readLinkUser(tx, realm, link);
    if (link === null || before === null) return null;
    const user = { ...before, delivery_email: link.email, session_epoch: before.session_epoch + 1 };
    await putUser(tx, realm.id, user);
    tx.delete(settingsKeys.pendingEmail(realm.id, user.id));
    sendEmailEvents(context, user, { isVisibilityChange: false });
    enqueueMail(tx, toEmailChangedMail(app, realm, { before, address: link.email }), app.clock.now());
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
  const link = await peekConfirmation(app, { realm, token }, ["email_change"]);
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
