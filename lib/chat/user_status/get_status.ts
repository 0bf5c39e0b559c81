import type { ChatApp } from "../app.ts";
import { findAccessibleUser } from "../users/list_users.ts";
import type { Caller } from "../users/model.ts";
import { requireActiveUser, requireHumanUser, type UserStatus } from "./model.ts";
import { readStatus } from "./store.ts";

/**
 * Returns a user's status if the caller can access the user.
 * @throws AppError BAD_REQUEST for an unknown, deactivated or inaccessible user, and for a bot.
 */
export async function getStatus(
  app: ChatApp,
  caller: Caller,
  userId: number,
): Promise<UserStatus> {
  requireActiveUser(requireHumanUser(await findAccessibleUser(app, caller, userId)));
  return await readStatus(app, caller.realm.id, userId);
}
