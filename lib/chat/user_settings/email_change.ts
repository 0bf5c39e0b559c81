import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { Mail } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import { keepConfirmation, newLinkToken } from "../confirmations/confirmation.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { requireAllowedAddress } from "../users/address_policy.ts";
import { placeholderId, requireEmail } from "../users/email.ts";
import { foldEmail, isAdmin, userKeys, type UserRecord } from "../users/user.ts";
import { type AccountHolder, getActingUser } from "./caller.ts";
import { toConfirmationMail } from "./email_mails.ts";
import { settingsKeys } from "./store.ts";

/** How long a link to confirm an address works, in milliseconds. */
export const EMAIL_LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** An address that somebody asked for, and the mail with the link that confirms it. */
export interface WantedEmail {
  readonly address: string;
  readonly token: string;
  readonly mail: Mail;
}

/** Whether somebody may change his own address. */
export function mayChangeEmail({ settings }: RealmRecord, user: UserRecord): boolean {
  return !settings.email_changes_disabled || isAdmin(user);
}

/**
 * Mails a link to the address that a user wants, which becomes his when it is followed; says whether a mail is under way,
 * which it is not for the address that he has.
 * @throws AppError BAD_REQUEST for an address that cannot be his, RATE_LIMIT_HIT for too many of them.
 */
export async function startEmailChange(app: ChatApp, holder: AccountHolder, text: string): Promise<boolean> {
  const wanted = await requireWantedEmail(app, holder, text);
  if (wanted === null) return false;
  await countEmailChange(holder);
  const { realm } = holder;
  await transact(app.store, async (tx) => {
    const user = await getActingUser(tx, realm.id, holder.user);
    await keepEmailChange(app, tx, { realm, user, wanted });
  });
  app.wakeMailer();
  return true;
}

/**
 * The address that a user wants, with its mail; null where it is the one that he has.
 * @throws AppError BAD_REQUEST for one that cannot be his.
 */
export async function requireWantedEmail(
  app: ChatApp,
  { realm, user }: AccountHolder,
  text: string,
): Promise<WantedEmail | null> {
  if (text.trim() === user.delivery_email) return null;
  if (!mayChangeEmail(realm, user)) {
    throw new AppError("BAD_REQUEST", "Email address changes are disabled in this organization.");
  }
  const address = requireEmail(text);
  // Such an address stands for another account in the API, and receives no mail.
  if (placeholderId(app, realm, foldEmail(address)) !== undefined) {
    throw new AppError("BAD_REQUEST", "Please use your real email address.");
  }
  await requireAllowedAddress(realm, address);
  await requireFree((key) => app.reads.read<number>(key), { realm, user, address });
  const token = newLinkToken();
  return { address, token, mail: toConfirmationMail({ app, realm }, { address, token }) };
}

/**
 * Counts one mail that somebody has sent to an address of his choice.
 * @throws AppError RATE_LIMIT_HIT when it is one too many.
 */
export async function countEmailChange({ realm, user, limits }: AccountHolder): Promise<void> {
  await limits?.consume("email_change", `${realm.id} ${user.id}`);
}

/**
 * Keeps what the link allows, and puts its mail into the queue; links to other addresses stop working.
 * @throws AppError BAD_REQUEST when the address was taken meanwhile.
 */
export async function keepEmailChange(
  app: Pick<ChatApp, "clock">,
  tx: Tx,
  { realm, user, wanted }: { realm: RealmRecord; user: UserRecord; wanted: WantedEmail },
): Promise<void> {
  const { address, token, mail } = wanted;
  await requireFree((key) => tx.get<number>(key), { realm, user, address });
  const now = app.clock.now();
  const expires_at = now + EMAIL_LINK_LIFETIME_MS;
  const { session_epoch } = user;
  await keepConfirmation(tx, { realmId: realm.id, token, now }, {
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

/** The address that a user asked for last. */
export interface PendingEmail {
  readonly address: string;
  /** The account's session epoch at that time: links die with it. */
  readonly session_epoch: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

/** The address that becomes a user's when he follows the link sent there, or null. */
export async function readPendingEmail(
  app: ChatApp,
  realmId: number,
  user: UserRecord,
): Promise<string | null> {
  const pending = await app.reads.read<PendingEmail>(settingsKeys.pendingEmail(realmId, user.id));
  const isAlive = pending !== null && pending.session_epoch === user.session_epoch &&
    pending.expires_at > app.clock.now();
  return isAlive ? pending.address : null;
}

/**
 * Refuses an address that another account has.
 * @throws AppError BAD_REQUEST.
 */
async function requireFree(
  read: (key: Key) => Promise<number | null>,
  { realm, user, address }: { realm: RealmRecord; user: UserRecord; address: string },
): Promise<void> {
  const holder = await read(userKeys.byEmail(realm.id, address));
  if (holder !== null && holder !== user.id) throw new AppError("BAD_REQUEST", "Email is already in use.");
}
