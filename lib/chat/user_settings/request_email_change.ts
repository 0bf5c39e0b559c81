import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { Mail } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import { createConfirmation, generateLinkToken } from "../auth/confirmations.ts";
import type { RealmRecord } from "../organizations/model.ts";
import {
  foldEmail,
  mailboxOf,
  parsePlaceholderEmail,
  requireAllowedEmail,
  requireEmail,
  userKeys,
  type UserRecord,
} from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { toConfirmationMail } from "./email_change_mails.ts";
import {
  type AccountCaller,
  canChangeEmail,
  EMAIL_LINK_LIFETIME_MS,
  type PendingEmail,
} from "./model/account.ts";
import { settingsKeys } from "./model/settings.ts";

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
  const { realm } = caller;
  await transact(app.store, async (tx) => {
    const user = await getActingUser(tx, realm.id, caller.user);
    await putEmailChange(app, tx, { realm, user, requested });
  });
  app.wakeMailer();
  return true;
}

/**
 * Validates a new email address and returns it with its mail, or null when it is the current address.
 * @throws AppError BAD_REQUEST for an address that the user cannot have.
 */
export async function validateNewEmail(
  app: ChatApp,
  { realm, user }: AccountCaller,
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
  return { address, token, mail: toConfirmationMail({ app, realm }, { address, token }) };
}

/**
 * Counts one confirmation mail against the limits of the user and of the mailbox that receives it.
 * @throws AppError RATE_LIMIT_HIT when a limit is exceeded.
 */
export async function consumeEmailChange(
  { realm, user, limits }: AccountCaller,
  { address }: RequestedEmail,
): Promise<void> {
  await limits?.consume("email_change", `${realm.id} ${user.id}`);
  await limits?.consume("mail_recipient", mailboxOf(address));
}

/**
 * Stores the pending change and enqueues its mail; earlier links of the user stop working.
 * @throws AppError BAD_REQUEST when another account has taken the address.
 */
export async function putEmailChange(
  app: Pick<ChatApp, "clock">,
  tx: Tx,
  { realm, user, requested }: { realm: RealmRecord; user: UserRecord; requested: RequestedEmail },
): Promise<void> {
  const { address, token, mail } = requested;
  await requireUnusedAddress((key) => tx.get<number>(key), { realm, user, address });
  const now = app.clock.now();
  const expires_at = now + EMAIL_LINK_LIFETIME_MS;
  const { session_epoch } = user;
  await createConfirmation(tx, { realmId: realm.id, token, now }, {
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

/**
 * Refuses an address that another account has.
 * @throws AppError BAD_REQUEST.
 */
async function requireUnusedAddress(
  read: (key: Key) => Promise<number | null>,
  { realm, user, address }: { realm: RealmRecord; user: UserRecord; address: string },
): Promise<void> {
  const ownerId = await read(userKeys.byEmail(realm.id, address));
  if (ownerId !== null && ownerId !== user.id) throw new AppError("BAD_REQUEST", "Email is already in use.");
}
