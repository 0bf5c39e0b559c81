import type { ChatApp } from "../app.ts";
import { canAccessUser } from "../permissions/model/membership.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { type Caller, canSeeEmail, foldEmail, noSuchUser, toApiEmail, type UserRecord } from "./model.ts";
import { findUserByEmail, readUser } from "./store.ts";

/**
 * Finds a user by id or by an email address that the caller can see. Returns null for a user whom the caller
 * cannot access, so that nobody learns from a request who has an account.
 */
export async function findAccessibleUser(
  app: ChatApp,
  caller: Caller,
  name: number | string,
): Promise<UserRecord | null> {
  const user = await findKnownUser(app, caller, name);
  if (user === null) return null;
  return canAccessUser(await peekPermissionContext(app, caller.realm), caller.actingUser, user) ? user : null;
}

/**
 * Finds a user by id or by an email address that the caller can see, whether or not the caller can access them.
 * For requests with an access rule of their own; all others use `findAccessibleUser`.
 */
export async function findKnownUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
  name: number | string,
): Promise<UserRecord | null> {
  if (typeof name === "number") return await readUser(app, realm.id, name);
  const user = await findUserByEmail(app, realm, name);
  if (user === null || canSeeEmail(actingUser, user)) return user;
  return foldEmail(name) === foldEmail(toApiEmail(app, realm, user)) ? user : null;
}

/**
 * Returns the user with an id or email address from a path, if the caller can access them.
 * @throws AppError BAD_REQUEST, the same for a user whom the caller cannot access as for none.
 */
export async function getAccessibleUser(app: ChatApp, caller: Caller, name: string): Promise<UserRecord> {
  const user = await findAccessibleUser(app, caller, parsePathName(name));
  if (user === null) throw noSuchUser();
  return user;
}

/** Parses an id, or decodes an address whose reserved characters, such as @ and +, some clients escape. */
function parsePathName(name: string): number | string {
  if (/^\d+$/.test(name)) return Number(name);
  return name.replace(/%(?:2[346bcf]|3[abdf]|40)/gi, decodeURIComponent);
}
