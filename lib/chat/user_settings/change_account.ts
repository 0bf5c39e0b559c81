import type { ChatApp } from "@/lib/chat/app.ts";
import { passwordClientOf, requireStrongPassword, withPasswordTurn } from "@/lib/chat/auth/passwords.ts";
import { type AccessContext, withoutSessions } from "@/lib/chat/auth/sessions.ts";
import { type AccountCaller, withFullName } from "@/lib/chat/user_settings/model/settings.ts";
import { sendProfileEvent } from "@/lib/chat/users/events.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { getActingUser, putUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";

/**
 * Changes the user's own name. Returns whether the account now has the new name.
 * @throws AppError BAD_REQUEST for an invalid name.
 */
export async function changeFullName(
  app: ChatApp,
  { realm, user: actingUser }: Pick<AccountCaller, "realm" | "user">,
  newName: string,
): Promise<boolean> {
  return await transact(app.store, async (tx) => {
    const before = await getActingUser(tx, realm.id, actingUser);
    const user = withFullName(realm, before, newName);
    if (user !== before) {
      await putUser(tx, realm.id, user);
      sendProfileEvent(tx, { realm, user, now: app.clock.now() }, { full_name: user.full_name });
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
  const { realm } = caller;
  await transact(app.store, async (tx) => {
    const user = await getActingUser(tx, realm.id, caller.user);
    await putUser(tx, realm.id, withPassword({ app, tx, realmId: realm.id }, user, password));
  });
}

/** @throws AppError BAD_REQUEST for a wrong old password, too many wrong ones, or a weak new one. */
export async function requireValidPasswordChange(
  app: ChatApp,
  caller: AccountCaller,
  { oldPassword, newPassword }: PasswordChange,
): Promise<void> {
  await requireCurrentPassword(app, caller, oldPassword);
  const { realm, user } = caller;
  await requireStrongPassword(newPassword, [user.full_name, user.delivery_email, realm.name]);
}

/**
 * Requires the password; wrong ones are counted, and parallel attempts of an account take turns.
 * @throws AppError BAD_REQUEST for a missing or wrong password, and after too many wrong ones.
 */
export async function requireCurrentPassword(
  app: ChatApp,
  { realm, user, limits }: AccountCaller,
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
  { realm, user }: AccountCaller,
  { newPassword }: PasswordChange,
): Promise<NewPassword> {
  const work = () => app.passwords.hash(newPassword);
  const hash = await withPasswordTurn(app, passwordClientOf(realm.id, user), work);
  return { replacedHash: user.password_hash, hash };
}

/** @throws AppError BAD_REQUEST when the old password has changed meanwhile. */
export function withPassword(
  context: AccessContext,
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
