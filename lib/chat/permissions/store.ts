import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { getRealm } from "../organizations/store.ts";
import { groupKeys, type GroupRecord } from "../user_groups/model/group.ts";
import { userKeys, type UserRecord } from "../users/model.ts";
import { type GroupSetting, isSameGroupSetting } from "./model/group_setting.ts";
import { type HasPermissions, type PermissionContext, toWirePermissions } from "./model/membership.ts";
import type { PermissionOwner } from "./model/registry.ts";

/** Accounts that are deactivated or reactivated together. */
export interface ActivationChange {
  readonly userIds: ReadonlySet<number>;
  readonly isActive: boolean;
}

/** A permission's value before and after a change, as clients see it. */
interface VisibleChange {
  readonly before: GroupSetting;
  readonly after: GroupSetting;
}

/** Reads the permission context in a transaction: groups as before its first change of a group. */
export async function readPermissionContext(
  app: ChatApp,
  tx: Tx,
  realmId: number,
): Promise<PermissionContext> {
  const [realm, organization] = await Promise.all([getRealm(tx, realmId), tx.organization(realmId)]);
  return { realm, groups: groupsOf(organization), now: app.clock.now() };
}

/** Reads the current permission context outside a transaction. */
export async function peekPermissionContext(app: ChatApp, realm: RealmRecord): Promise<PermissionContext> {
  const organization = await app.readOrganization(realm.id);
  return { realm, groups: groupsOf(organization), now: app.clock.now() };
}

function groupsOf(organization: Snapshot): ReadonlyMap<number, GroupRecord> {
  return toGroupMap(organization.rows<GroupRecord>(groupKeys.groups(organization.realmId)));
}

const toGroupMap = derived((groups: Table<GroupRecord>): ReadonlyMap<number, GroupRecord> =>
  new Map(groups.values().map((group) => [group.id, group]))
);

/** Returns a function that reports whether a user named by these owners' permissions is active. */
export async function readActiveNamedUsers(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  owners: readonly HasPermissions[],
): Promise<(userId: number) => boolean> {
  const named = new Set(owners.flatMap(listNamedUsers));
  const users = await Promise.all(
    Array.from(named, (id) => app.reads.read<UserRecord>(userKeys.user(realmId, id))),
  );
  const active = new Set(users.filter((user) => user?.is_active === true).map((user) => user?.id));
  return (id) => active.has(id);
}

function listNamedUsers({ permissions }: HasPermissions): readonly number[] {
  return Object.values(permissions).flatMap((value) => typeof value === "number" ? [] : value.direct_members);
}

/** Whether an owner's permissions name any of these users directly. */
export function namesAny(owner: HasPermissions, { userIds }: ActivationChange): boolean {
  return listNamedUsers(owner).some((id) => userIds.has(id));
}

/** Returns the permissions whose visible value changes with the activation of users, by name. */
export async function listChangedPermissions(
  app: Pick<ChatApp, "reads">,
  permissions: PermissionContext,
  { kind, owner, change }: { kind: PermissionOwner; owner: HasPermissions; change: ActivationChange },
): Promise<ReadonlyMap<string, VisibleChange>> {
  if (!namesAny(owner, change)) return new Map();
  const others = await readActiveNamedUsers(app, permissions.realm.id, [owner]);
  const toVisible = (isActive: boolean) =>
    toWirePermissions(permissions, { kind, owner }, (id) => change.userIds.has(id) ? isActive : others(id));
  const previous = toVisible(!change.isActive);
  return new Map(
    Object.entries(toVisible(change.isActive)).flatMap(([name, after]) => {
      const before = previous[name] ?? after;
      return isSameGroupSetting(before, after) ? [] : [[name, { before, after }] as const];
    }),
  );
}
