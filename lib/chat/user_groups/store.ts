import { serialize } from "node:v8";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { sendEvent } from "../events/emit.ts";
import { groupKeys, type GroupRecord } from "../permissions/group.ts";
import { bumpGroupsVersion, type PermissionContext } from "../permissions/group_world.ts";
import { userKeys, type UserRecord } from "../users/user.ts";

/** The largest record of a group, in bytes as stored: its event, a little larger, must fit into the store's 64 KiB. */
const MAX_RECORD_BYTES = 60 * 1024;

/**
 * Writes a group's record and lets everybody read the groups anew.
 * @throws AppError BAD_REQUEST when it does not fit into one record of the store.
 */
export async function putGroup(tx: Tx, { realm }: PermissionContext, group: GroupRecord): Promise<void> {
  if (serialize(group).length > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The user group would name too many users and groups.");
  }
  tx.set(groupKeys.group(realm.id, group.id), group);
  await bumpGroupsVersion(tx, realm.id);
}

/**
 * Takes a name for a group, and gives up the one that it had.
 * @throws AppError BAD_REQUEST when another group of the organization has it, deactivated ones included.
 */
export async function takeName(
  tx: Tx,
  { realm }: PermissionContext,
  { id, name, before }: { id: number; name: string; before: string | null },
): Promise<void> {
  const key = groupKeys.byName(realm.id, name);
  if (await tx.get(key) !== null) {
    throw new AppError("BAD_REQUEST", `User group '${name}' already exists.`);
  }
  tx.set(key, id);
  if (before !== null) tx.delete(groupKeys.byName(realm.id, before));
}

/**
 * Refuses ids that no active account has, the first in their order.
 * @throws AppError BAD_REQUEST.
 */
export async function requireActiveUsers(
  tx: Tx,
  { realm }: PermissionContext,
  ids: readonly number[],
): Promise<void> {
  const users = await Promise.all(ids.map((id) => tx.peek<UserRecord>(userKeys.user(realm.id, id))));
  const at = users.findIndex((user) => user?.is_active !== true);
  if (at >= 0) throw new AppError("BAD_REQUEST", `Invalid user ID: ${ids[at]}`);
}

/** Tells everybody of a change of a group. */
export function tellOfGroup(
  tx: Tx,
  { realm, now }: PermissionContext,
  told: { readonly op: string; readonly [member: string]: unknown },
): void {
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "user_group", ...told },
    audience: "everyone",
  });
}

/** The same moment with one group as a transaction is about to leave it. */
export function withGroup(permissions: PermissionContext, group: GroupRecord): PermissionContext {
  return { ...permissions, groups: new Map(permissions.groups).set(group.id, group) };
}
