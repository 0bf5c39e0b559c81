import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { apiEmail, canSeeEmail } from "../users/email.ts";
import { findUserByEmail, readUser } from "../users/store.ts";
import { foldEmail, type UserRecord } from "../users/user.ts";
import { canAccessUser } from "../permissions/can_access_user.ts";

/**
 * The account that a path names, by its id or an address of it, if the caller may know of it.
 * @throws AppError BAD_REQUEST.
 */
export async function getAccount(app: ChatApp, caller: Caller, name: string): Promise<UserRecord> {
  const user = await findAccount(app, caller, name);
  const permissions = await peekPermissionContext(app, caller.realm);
  if (canAccessUser(permissions, caller.actingUser, user)) return user;
  // Whoever guesses addresses must not learn which of them are somebody's.
  throw isId(name) ? new AppError("BAD_REQUEST", "Insufficient permission") : noSuchUser();
}

/**
 * The account that a path names, whoever asks; by its real address only for those who may see that.
 * @throws AppError BAD_REQUEST when there is none.
 */
export async function findAccount(
  app: ChatApp,
  { realm, actingUser }: Caller,
  name: string,
): Promise<UserRecord> {
  const user = isId(name)
    ? await readUser(app, realm.id, Number(name))
    : await findUserByEmail(app, realm, toAddress(name));
  if (user === null) throw noSuchUser();
  const isShown = isId(name) || canSeeEmail(actingUser, user) ||
    foldEmail(toAddress(name)) === foldEmail(apiEmail(app, realm, user));
  if (!isShown) throw noSuchUser();
  return user;
}

/** Characters with a meaning in paths, such as @ and +, come escaped where a client escapes all that it can. */
function toAddress(name: string): string {
  return name.replace(/%(?:2[346bcf]|3[abdf]|40)/gi, decodeURIComponent);
}

function isId(name: string): boolean {
  return /^\d+$/.test(name);
}

/** The refusal of what names no account. */
export function noSuchUser(): AppError {
  return new AppError("BAD_REQUEST", "No such user");
}
