import type { ChatApp } from "../app.ts";
import { toSightEvents } from "../channels/tell_of_sight.ts";
import type { StoredEvent } from "../events/emit.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { groupsAbove, membersAmong } from "../permissions/membership.ts";
import { readDirectory } from "../users/directory.ts";
import type { UserRecord } from "../users/user.ts";

/** A group before and after who is in it changed. */
export interface MembershipChange {
  readonly before: PermissionContext;
  readonly after: PermissionContext;
  readonly groupId: number;
}

/** That accounts know of private channels by a group that they came into, or no longer do as they left it. */
export async function toGroupSightEvents(
  app: ChatApp,
  { before, after, groupId }: MembershipChange,
): Promise<readonly StoredEvent[]> {
  const { byId } = await readDirectory(app, after.realm.id);
  const users = [...byId.values()].filter((user) => user.is_active);
  const was = new Set(membersAmong(before, groupId, users));
  const is = new Set(membersAmong(after, groupId, users));
  const viewers = [...was.symmetricDifference(is)].map((user: UserRecord) => ({ before: user, after: user }));
  return await toSightEvents(app, { before, after, viewers, groupIds: groupsAbove(after, groupId) });
}
