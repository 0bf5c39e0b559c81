import type { ChatApp } from "../app.ts";
import { type GroupSetting, isSameGroupSetting } from "../group_setting.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import type { PermissionContext } from "./group_world.ts";
import type { HasPermissions } from "./membership.ts";
import type { PermissionOwner } from "./registry.ts";
import { toWirePermissions } from "./wire_setting.ts";

/** Which of the accounts that permissions name one by one are active. */
export async function readNamedUsers(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  owners: readonly HasPermissions[],
): Promise<(userId: number) => boolean> {
  const named = new Set(owners.flatMap(namedUsers));
  const users = await Promise.all(
    Array.from(named, (id) => app.reads.read<UserRecord>(userKeys.user(realmId, id))),
  );
  const active = new Set(users.filter((user) => user?.is_active === true).map((user) => user?.id));
  return (id) => active.has(id);
}

function namedUsers({ permissions }: HasPermissions): readonly number[] {
  return Object.values(permissions).flatMap((value) => typeof value === "number" ? [] : value.direct_members);
}

/** Accounts that go out of use at one moment, or come back. */
export interface UseChange {
  readonly userIds: ReadonlySet<number>;
  readonly isActive: boolean;
}

/** Whether permissions name any of some accounts one by one. */
export function namesAny(owner: HasPermissions, { userIds }: UseChange): boolean {
  return namedUsers(owner).some((id) => userIds.has(id));
}

/** What clients see of a permission before and after. */
export interface ShownChange {
  readonly before: GroupSetting;
  readonly after: GroupSetting;
}

/** The permissions of an owner that clients see otherwise once accounts went out of use or came back, by their names. */
export async function changedByUse(
  app: Pick<ChatApp, "reads">,
  permissions: PermissionContext,
  { kind, owner, change }: { kind: PermissionOwner; owner: HasPermissions; change: UseChange },
): Promise<ReadonlyMap<string, ShownChange>> {
  if (!namesAny(owner, change)) return new Map();
  const others = await readNamedUsers(app, permissions.realm.id, [owner]);
  const shown = (isActive: boolean) =>
    toWirePermissions(permissions, { kind, owner }, (id) => change.userIds.has(id) ? isActive : others(id));
  const was = shown(!change.isActive);
  return new Map(
    Object.entries(shown(change.isActive)).flatMap(([name, after]) => {
      const before = was[name] ?? after;
      return isSameGroupSetting(before, after) ? [] : [[name, { before, after }] as const];
    }),
  );
}
