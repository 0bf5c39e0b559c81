import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import { announceGroupMembers } from "../announcements/announce_group_members.ts";
import type { ChatApp } from "../app.ts";
import { createPermissions, type RequestedPermissions } from "../permissions/change_permissions.ts";
import { type GroupSetting, sortedUnique } from "../permissions/model/group_setting.ts";
import { hasRealmPermission, insufficientPermission } from "../permissions/model/membership.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { toUserGroup } from "./api.ts";
import { auditGroup, sendGroupEvent } from "./events.ts";
import {
  requireGroupName,
  requireMemberCount,
  requireSubgroupCount,
  requireSubgroups,
} from "./model/rules.ts";
import type { GroupRecord } from "./model/group.ts";
import { putGroup, requireActiveUsers, reserveGroupName } from "./store.ts";

/** Values for a new group. */
export interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
  readonly permissions: RequestedPermissions<GroupSetting>;
}

/**
 * Creates a user group and sends a notice to its members. The creator becomes a member only when listed in `members`.
 * @throws AppError BAD_REQUEST.
 */
export async function createGroup(
  app: ChatApp,
  caller: Caller,
  input: NewGroup,
): Promise<GroupRecord> {
  const { realm, actingUser } = caller;
  const group = await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    if (!hasRealmPermission(permissions, "can_create_groups", actingUser)) throw insufficientPermission();
    const { name, description } = input;
    const members = sortedUnique(input.members);
    requireMemberCount(members.length);
    await requireActiveUsers(tx, permissions, [...new Set(input.members)]);
    requireGroupName(name);
    const id = await tx.nextId("group");
    const values = await createPermissions(tx, permissions, {
      kind: "user_group",
      id,
      sent: input.permissions,
      creatorId: actingUser.id,
    });
    await reserveGroupName(tx, permissions, { id, name, before: null });
    const subgroups = sortedUnique(input.subgroups);
    requireSubgroups(permissions, input.subgroups);
    requireSubgroupCount(subgroups.length);
    const group: GroupRecord = {
      ...{ id, name, description, members, subgroups, permissions: values },
      creator_id: actingUser.id,
      date_created: permissions.now,
      deactivated: false,
    };
    putGroup(tx, permissions, group);
    auditGroup(tx, permissions, { actor: actingUser, group, action: "group_created" });
    sendGroupEvent(tx, permissions, { op: "add", group: toUserGroup(permissions, group, () => true) });
    return group;
  });
  const notices = { groupId: group.id, added: input.members, removed: [] };
  await afterCommit(() => announceGroupMembers(app, caller, notices));
  return group;
}
