import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { requireStrongPassword } from "../users/password_policy.ts";
import { putUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { type AccountHolder, getActingUser } from "./caller.ts";

/** The password that somebody has, and the one that he wants. */
export interface WantedPassword {
  /** Undefined where none was given, which is as good as a wrong one. */
  readonly oldPassword: string | undefined;
  readonly newPassword: string;
}

/** A password that may take the place of another. */
export interface NewPassword {
  /** The hash that the old password was checked against. */
  readonly replaces: string | null;
  readonly hash: string;
}

/**
 * Gives an account another password, which ends all its sessions; its API key stays.
 * @throws AppError BAD_REQUEST for a wrong old password, too many of them, or a weak new one.
 */
export async function changePassword(
  app: ChatApp,
  holder: AccountHolder,
  wanted: WantedPassword,
): Promise<void> {
  await requireMayChangePassword(app, holder, wanted);
  const password = await hashNewPassword(app, holder, wanted);
  const { realm } = holder;
  await transact(app.store, async (tx) => {
    const user = await getActingUser(tx, realm.id, holder.user);
    await putUser(tx, realm.id, withPassword(user, password));
  });
}

/**
 * Lets a change of the password through. Wrong old passwords are counted, and one account's are checked one after the
 * other, so that many at once are no more than many in a row.
 * @throws AppError BAD_REQUEST for a wrong old password, too many of them, or a weak new one.
 */
export async function requireMayChangePassword(
  app: ChatApp,
  { realm, user, limits }: AccountHolder,
  { oldPassword, newPassword }: WantedPassword,
): Promise<void> {
  const client = `password ${realm.id} ${user.id}`;
  await app.store.queues.run(client, async () => {
    await requireAttemptLeft(limits, client);
    const isRight = await app.passwords.verify(oldPassword ?? "", user.password_hash);
    if (isRight) return;
    await limits?.consume("sign_in", client);
    throw wrongPassword();
  });
  await requireStrongPassword(newPassword, [user.full_name, user.delivery_email, realm.name]);
}

/** The new password, ready to be set where the old one is still what it was. */
export async function hashNewPassword(
  app: ChatApp,
  { user }: AccountHolder,
  { newPassword }: WantedPassword,
): Promise<NewPassword> {
  return { replaces: user.password_hash, hash: await app.passwords.hash(newPassword) };
}

/**
 * An account with another password and without sessions.
 * @throws AppError BAD_REQUEST when the old password was changed meanwhile.
 */
export function withPassword(user: UserRecord, { replaces, hash }: NewPassword): UserRecord {
  if (user.password_hash !== replaces) throw wrongPassword();
  return { ...user, password_hash: hash, session_epoch: user.session_epoch + 1 };
}

async function requireAttemptLeft(limits: AccountHolder["limits"], client: string): Promise<void> {
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
