import type { ChatApp } from "../app.ts";
import type { StoredEvent } from "../events/emit.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { changedByUse, type UseChange } from "../permissions/named_users.ts";
import { toMemberEvents } from "../permissions/tell_of_system_groups.ts";

/** What becomes of groups that somebody made when accounts go out of use or come back: members and permissions. */
export async function toGroupUseEvents(
  app: ChatApp,
  permissions: PermissionContext,
  change: UseChange,
): Promise<readonly StoredEvent[]> {
  const told: StoredEvent[] = [];
  const op = change.isActive ? "add_members" : "remove_members";
  for (const group of permissions.groups.values()) {
    told.push(...toMemberEvents(op, group.id, group.members.filter((id) => change.userIds.has(id))));
    const changed = await changedByUse(app, permissions, { kind: "user_group", owner: group, change });
    if (changed.size === 0) continue;
    const data = Object.fromEntries(Array.from(changed, ([name, { after }]) => [name, after]));
    told.push({
      event: { type: "user_group", op: "update", group_id: group.id, data },
      audience: "everyone",
    });
  }
  return told;
}
