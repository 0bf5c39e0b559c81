import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { readUserByRealEmail } from "./real_email.ts";

/**
 * The account of an address and its password; an address without an account takes as long and is refused alike.
 * @throws AppError AUTHENTICATION_FAILED, or after the right password USER_DEACTIVATED or REALM_DEACTIVATED.
 */
export async function authenticate(
  app: ChatApp,
  realm: RealmRecord,
  { username, password }: { username: string; password: string },
): Promise<UserRecord> {
  const user = await readUserByRealEmail(app, realm.id, username.trim());
  const isRight = await app.passwords.verify(password, user?.password_hash ?? null);
  return requireActivePerson(realm, isRight ? user : null);
}

/**
 * Lets people through who have an account that is in use; to be asked when they have proved who they are.
 * @throws AppError AUTHENTICATION_FAILED for nobody and for bots, USER_DEACTIVATED or REALM_DEACTIVATED.
 */
export function requireActivePerson(realm: RealmRecord, user: UserRecord | null): UserRecord {
  if (user === null || isBot(user)) {
    throw new AppError("AUTHENTICATION_FAILED", "Your username or password is incorrect");
  }
  if (!user.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  if (realm.is_deactivated) {
    throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  }
  return user;
}
