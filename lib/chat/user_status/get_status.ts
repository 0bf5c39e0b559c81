import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { canAccessUser } from "../permissions/model/membership.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import { requireActiveUser, requireHumanUser, type UserStatus } from "./model.ts";
import { readStatus } from "./store.ts";

/**
 * Returns a user's status if the caller can access the user.
 * @throws AppError BAD_REQUEST for an unknown, deactivated or inaccessible user, and for a bot.
 */
export async function getStatus(
  app: ChatApp,
  { realm, actingUser }: Caller,
  userId: number,
): Promise<UserStatus> {
  const user = requireHumanUser(await readUser(app, realm.id, userId));
  if (!canAccessUser(await peekPermissionContext(app, realm), actingUser, user)) {
    throw new AppError("BAD_REQUEST", "Insufficient permission");
  }
  requireActiveUser(user);
  return await readStatus(app, realm.id, userId);
}
