import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type GroupSetting, sortedSet } from "../group_setting.ts";
import { initialPermissions, type Sent } from "../permissions/change.ts";
import type { GroupRecord } from "../permissions/group.ts";
import { groupQueue, readPermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import type { Caller } from "../users/caller.ts";
import { noteGroup } from "./note_group.ts";
import { requireGroupName, requireMemberRoom, requireSubgroupRoom, requireSubgroups } from "./rules.ts";
import { putGroup, requireActiveUsers, takeName, tellOfGroup } from "./store.ts";
import { toUserGroup } from "./view.ts";

/** What makes a new group. */
export interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
  readonly permissions: Sent<GroupSetting>;
}

/**
 * Makes a group and tells everybody; its maker is in it only when named.
 * @throws AppError BAD_REQUEST.
 */
export async function createGroup(
  app: ChatApp,
  { realm, actingUser }: Caller,
  wanted: NewGroup,
): Promise<GroupRecord> {
  return await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    if (!mayInRealm(permissions, "can_create_groups", actingUser)) throw insufficientPermission();
    const { name, description } = wanted;
    const members = sortedSet(wanted.members);
    requireMemberRoom(members.length);
    await requireActiveUsers(tx, permissions, [...new Set(wanted.members)]);
    requireGroupName(name);
    const id = await tx.nextId("group");
    const values = await initialPermissions(tx, permissions, {
      kind: "user_group",
      id,
      sent: wanted.permissions,
      creatorId: actingUser.id,
    });
    await takeName(tx, permissions, { id, name, before: null });
    const subgroups = sortedSet(wanted.subgroups);
    requireSubgroups(permissions, wanted.subgroups);
    requireSubgroupRoom(subgroups.length);
    const group: GroupRecord = {
      ...{ id, name, description, members, subgroups, permissions: values },
      creator_id: actingUser.id,
      date_created: permissions.now,
      deactivated: false,
    };
    await putGroup(tx, permissions, group);
    noteGroup(tx, permissions, { actor: actingUser, group, action: "group_created" });
    tellOfGroup(tx, permissions, { op: "add", group: toUserGroup(permissions, group, () => true) });
    return group;
  }, groupQueue(realm.id));
}
