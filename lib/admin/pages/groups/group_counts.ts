import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import {
  filterMembers,
  type PermissionContext,
  transitiveSubgroups,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";

/** Active accounts in a group: direct members, and all including subgroups. */
interface MemberCount {
  readonly direct: number;
  readonly all: number;
}

/** Counts the active accounts of custom groups, by id. */
export async function countMembers(
  { chat, realm }: AdminRequest,
  permissions: PermissionContext,
  groups: readonly GroupRecord[],
): Promise<ReadonlyMap<number, MemberCount>> {
  const directory = await readDirectory(chat, realm.id);
  const users = directory.byName.filter(({ is_active }) => is_active);
  const active = new Set(users.map(({ id }) => id));
  const countActive = (ids: Iterable<number>) => {
    let count = 0;
    for (const id of ids) if (active.has(id)) count++;
    return count;
  };
  return new Map(groups.map((group) => {
    const direct = countActive(group.members);
    if (group.subgroups.length === 0) return [group.id, { direct, all: direct }];
    const below = [...transitiveSubgroups(permissions, [group.id])];
    const all = hasRole(permissions, below)
      ? filterMembers(permissions, group.id, users).length
      : countActive(membersOf(permissions, below));
    return [group.id, { direct, all }];
  }));
}

function hasRole({ realm }: PermissionContext, groupIds: readonly number[]): boolean {
  return groupIds.some((id) => systemGroupName(realm, id) !== null);
}

function membersOf(permissions: PermissionContext, groupIds: readonly number[]): ReadonlySet<number> {
  return new Set(groupIds.flatMap((id) => permissions.groups.get(id)?.members ?? []));
}
