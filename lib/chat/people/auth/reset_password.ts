import { chunk } from "es-toolkit/array/chunk";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { auditUser } from "@/lib/chat/organization/users/events.ts";
import {
  type Caller,
  foldEmail,
  isAdmin,
  isBot,
  isOwner,
  noSuchUser,
  requireCanManageUser,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin, findUserByEmail, getUser } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { composeMail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { rotateApiKey } from "./api_keys.ts";
import {
  type Confirmation,
  consumeConfirmation,
  createConfirmation,
  generateLinkToken,
  peekConfirmation,
  replaceSignInLink,
} from "./confirmations.ts";
import { requireStrongPassword } from "./passwords.ts";
import { withoutSessions } from "./sessions.ts";

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function resetUserApiKey(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changeManagedUser(app, caller, {
    id,
    work: async (context, target) => {
      const user = await rotateApiKey(context, target);
      auditUser(context, { user, action: "key_reset" });
    },
  });
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function endUserSessions(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changeManagedUser(app, caller, {
    id,
    work: async (context, target) => {
      const user = withoutSessions(context, target);
      await putUser(context.tx, context.realm.id, user);
      auditUser(context, { user, action: "sessions_ended" });
    },
  });
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
async function changeManagedUser<T>(
  app: ChatApp,
  caller: Caller,
  { id, work }: { id: number; work: (context: ActionContext, target: UserRecord) => Promise<T> },
): Promise<T> {
  return await actAsAdmin(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const target = await getUser(tx, realm.id, id);
    if (isBot(target) || target.is_system_bot === true) throw noSuchUser();
    requireCanManageUser(actingUser, target);
    if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    return await work(context, target);
  });
}

export const RESET_LIFETIME_MS = 60 * 60 * 1000;

/**
 * Mails a password reset link to the active human with this real address. Writes a confirmation in any case,
 * so neither the response nor its timing reveals whether an account exists.
 */
export async function startPasswordReset(app: ChatApp, realm: RealmRecord, address: string): Promise<void> {
  const found = await findUserByEmail(app, realm, address);
  const hasAccount = found !== null && !isBot(found) && found.is_active &&
    foldEmail(found.delivery_email) === foldEmail(address);
  const now = app.clock.now();
  const token = generateLinkToken();
  await transact(app.store, async (tx) => {
    await createConfirmation({ app, tx, realm }, token, {
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

function toResetMail(app: ChatApp, realm: RealmRecord, { user, token }: { user: UserRecord; token: string }) {
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

const KINDS = ["password_reset", "sign_in"] as const;

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
  const found = await peekConfirmation(app, { realm, token }, KINDS);
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
  const pending = await peekConfirmation(app, { realm, token }, KINDS);
  if (pending === null) throw goneError();
  await requireStrongPassword(password, [pending.email, realm.name]);
  const hash = await app.passwords.hash(password);
  return await transact(app.store, async (tx) => {
    const context = { app, tx, realm };
    const confirmation = await consumeConfirmation(context, token, KINDS);
    const link = confirmation === null
      ? null
      : await resolveLink((key) => tx.get(key), realm.id, confirmation);
    if (link === null) throw goneError();
    const changed = { ...link.user, password_hash: hash, session_epoch: link.user.session_epoch + 1 };
    // A stranger who knew the old password could read the key as well.
    const user = await rotateApiKey(context, changed);
    if (link.isSignIn) auditUser({ ...context, actingUser: user }, { user, action: "sign_in_link_used" });
    return { link, user };
  });
}

/** Returns the account of a link; null if it changed since, or the link's maker could not make it now. */
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

/** A link that signs a user in once, after they chose a password. */
interface SignInLink {
  readonly user: UserRecord;
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
}

/** Number of users in one commit, which checks two records of each. */
const USERS_PER_COMMIT = 20;

/**
 * Makes a sign-in link for a human, which replaces their older one.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function createSignInLink(app: ChatApp, caller: Caller, id: number): Promise<SignInLink> {
  return await changeManagedUser(app, caller, {
    id,
    work: async (context, user) => {
      // With a link of their own, a user could change their password without knowing it.
      if (user.id === context.actingUser.id) {
        throw new AppError("BAD_REQUEST", "Change your own password on your account page.");
      }
      auditUser(context, { user, action: "sign_in_link_created" });
      return await writeLink(context, user);
    },
  });
}

/**
 * Makes links for those of some users who have no password and whom the caller may manage.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export async function createFirstSignInLinks(
  app: ChatApp,
  caller: Caller,
  ids: readonly number[],
): Promise<readonly SignInLink[]> {
  const links: SignInLink[] = [];
  for (const [at, batch] of chunk([...ids], USERS_PER_COMMIT).entries()) {
    const made = await actAsAdmin(app, caller, async (context) => {
      const { tx, realm, actingUser: actor } = context;
      // Before the first link exists, so that none goes unrecorded.
      if (at === 0) {
        auditAction(context, {
          action: "user_sign_in_links_created",
          target: { kind: "user", id: 0, name: "" },
          details: { count: String(ids.length) },
        });
      }
      const users = await Promise.all(batch.map((id) => getUser(tx, realm.id, id)));
      const chosen = users.filter((user) => needsLink(user) && (isOwner(actor) || !isOwner(user)));
      return await Promise.all(chosen.map((user) => writeLink(context, user)));
    });
    links.push(...made);
  }
  return links;
}

/** Returns whether a user can sign in only after they got a link: an active human without a password. */
export function needsLink(user: UserRecord): boolean {
  return user.is_active && user.password_hash === null && !isBot(user) && user.is_system_bot !== true;
}

async function writeLink(context: ActionContext, user: UserRecord): Promise<SignInLink> {
  const { app, realm, actingUser } = context;
  const token = generateLinkToken();
  const expiresAt = app.clock.now() + RESET_LIFETIME_MS;
  await replaceSignInLink(context, token, {
    kind: "sign_in",
    user_id: user.id,
    email: user.delivery_email,
    session_epoch: user.session_epoch,
    made_by: actingUser.id,
    expires_at: expiresAt,
  });
  return { user, url: `${realmUrl(app, realm)}/reset-password/${token}`, expiresAt };
}
