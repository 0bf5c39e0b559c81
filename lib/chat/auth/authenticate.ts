import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { isBot, userKeys, type UserRecord } from "../users/model.ts";
import { readUser } from "../users/store.ts";

/**
 * Requires that the request's host belongs to an organization.
 * @throws AppError NONEXISTENT_SUBDOMAIN.
 */
export function requireRealm(realm: RealmRecord | null): RealmRecord {
  if (realm === null) throw new AppError("NONEXISTENT_SUBDOMAIN", "Invalid subdomain");
  return realm;
}

/**
 * Returns the user with a real address and password, and records that they are active. Addresses without an account
 * take the same time and fail alike.
 * @throws AppError AUTHENTICATION_FAILED, or after the right password USER_DEACTIVATED or REALM_DEACTIVATED.
 */
export async function authenticate(
  app: ChatApp,
  realm: RealmRecord,
  { username, password }: { username: string; password: string },
): Promise<UserRecord> {
  const user = await readUserByRealEmail(app, realm.id, username.trim());
  const isRight = await app.passwords.verify(password, user?.password_hash ?? null);
  const person = requireActivePerson(realm, isRight ? user : null);
  app.activity.record(realm, person);
  return person;
}

/**
 * Requires an active human in an active organization. Must be called only after the user has proved their
 * identity.
 * @throws AppError AUTHENTICATION_FAILED for null and for bots, USER_DEACTIVATED or REALM_DEACTIVATED.
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

/**
 * Requires an active account in an active organization.
 * @throws AppError REALM_DEACTIVATED or USER_DEACTIVATED.
 */
export function requireActive(realm: RealmRecord, user: UserRecord): void {
  if (realm.is_deactivated) {
    throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  }
  if (!user.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
}

/** Length in characters above which no address is looked up; no account has a longer one. */
const MAX_EMAIL_LENGTH = 254;

/** Reads the user with a real address, or null. Ignores the case of ASCII letters only. */
export async function readUserByRealEmail(
  app: ChatApp,
  realmId: number,
  address: string,
): Promise<UserRecord | null> {
  if (address.length > MAX_EMAIL_LENGTH) return null;
  const id = await app.reads.read<number>(userKeys.byEmail(realmId, address));
  const user = id === null ? null : await readUser(app, realmId, id);
  // Lowercasing maps some other characters to ASCII, such as the Kelvin sign; they belong to different
  // addresses.
  return user !== null && toAsciiLower(user.delivery_email) === toAsciiLower(address) ? user : null;
}

function toAsciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
