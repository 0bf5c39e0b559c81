import { serialize } from "node:v8";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { StoredNames } from "../collection.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { copyPermissions, sortedUnique } from "../permissions/model/group_setting.ts";
import {
  directSubgroups,
  filterMembers,
  isDirectMember,
  isMember,
  type PermissionContext,
  transitiveSubgroups,
} from "../permissions/model/membership.ts";
import { isActiveUser, permissionsOf } from "../permissions/store.ts";
import { noSuchUser, type UserRecord } from "../users/model.ts";
import { listUsers, readUser } from "../users/store.ts";
import { groupKeys, type GroupRecord } from "./model/group.ts";
import { requireGroup } from "./model/rules.ts";

/** Maximum size of a stored group: its event is slightly larger and must fit into 64 KiB. */
const MAX_RECORD_BYTES = 60 * 1024;

/** A group, and whether subgroups are left out. */
interface MembersQuery {
  readonly groupId: number;
  readonly isDirectOnly: boolean;
}

/** Reason against deactivating a group: groups that contain it, or an owner whose permissions name it. */
export type DeactivationObjection =
  & { readonly settings: readonly string[] }
  & (
    | { readonly type: "subgroup"; readonly supergroup_ids: readonly number[] }
    | { readonly type: "channel"; readonly channel_id: number }
    | { readonly type: "user_group"; readonly group_id: number }
    | { readonly type: "realm" }
  );

/** Permissions that name the group, by the kind and the id of their owner. */
type Uses = Readonly<Record<"channel" | "user_group" | "realm", Map<number, readonly string[]>>>;

/** @throws AppError BAD_REQUEST when the record is too large. */
export function putGroup(tx: Tx, { realm }: PermissionContext, group: GroupRecord): void {
  const record = {
    ...group,
    // As `copyPermissions`.
    members: group.members.map((id) => id | 0),
    permissions: copyPermissions(group.permissions),
  };
  if (serialize(record).length > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The user group would name too many users and groups.");
  }
  tx.set(groupKeys.group(realm.id, group.id), record);
}

/** The names of all custom groups, active or not; letter case matters. */
export const groupNames = new StoredNames({
  name: "group",
  plural: "groups",
  fold: (name) => name,
  keepsCase: true,
  taken: (name) => new AppError("BAD_REQUEST", `User group '${name}' already exists.`, { field: "name" }),
});

/** @throws AppError BAD_REQUEST for the first of them. */
export function requireActiveUsers(permissions: PermissionContext, ids: readonly number[]): void {
  const invalid = ids.find((id) => !isActiveUser(permissions, id));
  if (invalid !== undefined) throw new AppError("BAD_REQUEST", `Invalid user ID: ${invalid}`);
}

/** @throws AppError BAD_REQUEST for an unknown group. */
export async function listGroupMembers(
  app: ChatApp,
  realm: RealmRecord,
  { groupId, isDirectOnly }: MembersQuery,
): Promise<readonly UserRecord[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  requireGroup(permissions, groupId);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active);
  if (!isDirectOnly) return filterMembers(permissions, groupId, users);
  return users.filter((user) => isDirectMember(permissions, groupId, user));
}

/** @throws AppError BAD_REQUEST for an unknown group or user, or a deactivated user. */
export async function isGroupMember(
  app: ChatApp,
  realm: RealmRecord,
  { groupId, userId, isDirectOnly }: MembersQuery & { userId: number },
): Promise<boolean> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  requireGroup(permissions, groupId);
  const user = await readUser(app, realm.id, userId);
  if (user === null) throw noSuchUser();
  if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return isDirectOnly ? isDirectMember(permissions, groupId, user) : isMember(permissions, groupId, user);
}

/** @throws AppError BAD_REQUEST for an unknown group. */
export async function listSubgroups(
  app: ChatApp,
  realm: RealmRecord,
  { groupId, isDirectOnly }: MembersQuery,
): Promise<readonly number[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  requireGroup(permissions, groupId);
  if (isDirectOnly) return directSubgroups(permissions, groupId);
  return sortedUnique([...transitiveSubgroups(permissions, [groupId])]).filter((id) => id !== groupId);
}

/**
 * Lists the uses of a group: active groups that contain it, then channels, groups and the organization whose
 * permissions name it. Reads outside the transaction: every change of a use also changes the groups' version,
 * which the transaction that read `permissions` checks when it commits.
 */
export async function listDeactivationObjections(
  { store }: Pick<ChatApp, "store">,
  permissions: PermissionContext,
  groupId: number,
): Promise<DeactivationObjection[]> {
  const uses: Uses = { channel: new Map(), user_group: new Map(), realm: new Map() };
  for await (const { key } of store.kv.list({ prefix: [...groupKeys.uses(permissions.realm.id, groupId)] })) {
    const [kind, owner, setting] = key.slice(-3);
    if (typeof owner !== "number" || typeof setting !== "string") continue;
    if (kind !== "channel" && kind !== "user_group" && kind !== "realm") continue;
    uses[kind].set(owner, [...uses[kind].get(owner) ?? [], setting]);
  }
  const supergroup_ids = [...permissions.groups.values()]
    .filter((group) => !group.deactivated && group.subgroups.includes(groupId)).map(({ id }) => id);
  return [
    ...(supergroup_ids.length === 0 ? [] : [{ type: "subgroup", supergroup_ids, settings: [] } as const]),
    ...Array.from(
      uses.channel,
      ([channel_id, settings]) => ({ type: "channel" as const, channel_id, settings }),
    ),
    ...Array.from(
      uses.user_group,
      ([group_id, settings]) => ({ type: "user_group" as const, group_id, settings }),
    ),
    ...Array.from(uses.realm, ([, settings]) => ({ type: "realm" as const, settings })),
  ];
}
