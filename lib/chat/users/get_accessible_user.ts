import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { type Caller, canSeeEmail, foldEmail, toApiEmail, type UserRecord } from "./model.ts";
import { findUserByEmail, readUser } from "./store.ts";
import { canAccessUser } from "../permissions/model/membership.ts";

/**
 * Returns the user with an id or email address from a path, if the caller can access them.
 * @throws AppError BAD_REQUEST.
 */
export async function getAccessibleUser(app: ChatApp, caller: Caller, name: string): Promise<UserRecord> {
  const user = await getUserByIdOrEmail(app, caller, name);
  const permissions = await peekPermissionContext(app, caller.realm);
  if (canAccessUser(permissions, caller.actingUser, user)) return user;
  // Prevents callers from learning which email addresses have an account.
  throw isId(name) ? new AppError("BAD_REQUEST", "Insufficient permission") : noSuchUser();
}

/**
 * Returns the user with an id or email address from a path. A real address finds users only when the caller
 * can see it.
 * @throws AppError BAD_REQUEST when no user matches.
 */
export async function getUserByIdOrEmail(
  app: ChatApp,
  { realm, actingUser }: Caller,
  name: string,
): Promise<UserRecord> {
  const user = isId(name)
    ? await readUser(app, realm.id, Number(name))
    : await findUserByEmail(app, realm, toAddress(name));
  if (user === null) throw noSuchUser();
  const isShown = isId(name) || canSeeEmail(actingUser, user) ||
    foldEmail(toAddress(name)) === foldEmail(toApiEmail(app, realm, user));
  if (!isShown) throw noSuchUser();
  return user;
}

/** Decodes reserved characters such as @ and +, which some clients escape in paths. */
function toAddress(name: string): string {
  return name.replace(/%(?:2[346bcf]|3[abdf]|40)/gi, decodeURIComponent);
}

function isId(name: string): boolean {
  return /^\d+$/.test(name);
}

/** Returns the error for an id or address without an account. */
export function noSuchUser(): AppError {
  return new AppError("BAD_REQUEST", "No such user");
}
