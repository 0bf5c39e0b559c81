import type { PermissionContext } from "./group_world.ts";
import { mayInRealm } from "./membership.ts";
import { isBot, type UserRecord } from "../users/user.ts";

/** Whether a viewer may know of an account: guests may be kept from knowing anybody but themselves and bots. */
export function canAccessUser(permissions: PermissionContext, viewer: UserRecord, user: UserRecord): boolean {
  return viewer.id === user.id || isBot(user) || canAccessEveryone(permissions, viewer);
}

/** Whether a viewer may know of every account. */
export function canAccessEveryone(permissions: PermissionContext, viewer: UserRecord): boolean {
  return mayInRealm(permissions, "can_access_all_users_group", viewer);
}
