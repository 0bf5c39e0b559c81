import type { GroupRecord } from "@/lib/chat/permissions/group.ts";
import type { GroupWorld } from "@/lib/chat/permissions/group_world.ts";
import { groupsBelow, membersAmong } from "@/lib/chat/permissions/membership.ts";
import { systemGroupName } from "@/lib/chat/permissions/system_groups.ts";
import { listUsers, readUser } from "@/lib/chat/users/store.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Accounts that are read one by one rather than by way of all of the organization's. */
const MAX_READ_SINGLY = 300;

/** How many active accounts are in a group: itself, and with those of the groups in it. */
export interface MemberCount {
  readonly direct: number;
  readonly all: number;
}

/** How many active accounts are in each of some groups that somebody made, by id. */
export async function countMembers(
  request: AdminRequest,
  world: GroupWorld,
  groups: readonly GroupRecord[],
): Promise<ReadonlyMap<number, MemberCount>> {
  const users = await readPossibleMembers(request, world, groups);
  const active = new Set(users.map(({ id }) => id));
  const countActive = (ids: Iterable<number>) => {
    let count = 0;
    for (const id of ids) if (active.has(id)) count++;
    return count;
  };
  return new Map(groups.map((group) => {
    const direct = countActive(group.members);
    if (group.subgroups.length === 0) return [group.id, { direct, all: direct }];
    const below = [...groupsBelow(world, [group.id])];
    const all = hasRole(world, below)
      ? membersAmong(world, group.id, users).length
      : countActive(membersOf(world, below));
    return [group.id, { direct, all }];
  }));
}

function hasRole({ realm }: GroupWorld, groupIds: readonly number[]): boolean {
  return groupIds.some((id) => systemGroupName(realm, id) !== null);
}

function membersOf(world: GroupWorld, groupIds: readonly number[]): ReadonlySet<number> {
  return new Set(groupIds.flatMap((id) => world.groups.get(id)?.members ?? []));
}

/** The active accounts that may be in any of the groups: all of the organization's where a role is in one. */
async function readPossibleMembers(
  { chat, realm }: AdminRequest,
  world: GroupWorld,
  groups: readonly GroupRecord[],
): Promise<readonly UserRecord[]> {
  const below = [...groupsBelow(world, groups.map(({ id }) => id))];
  const ids = membersOf(world, below);
  const users = hasRole(world, below) || ids.size > MAX_READ_SINGLY
    ? await listUsers(chat, realm.id)
    : await Promise.all(Array.from(ids, (id) => readUser(chat, realm.id, id)));
  return users.filter((user) => user !== null).filter(({ is_active }) => is_active);
}
