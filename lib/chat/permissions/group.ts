import type { Key } from "@/lib/kv/key.ts";
import type { GroupSetting } from "../group_setting.ts";
import type { PermissionOwner } from "./registry.ts";

/** A group that somebody made; system groups are no records. */
export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly deactivated: boolean;
  /** Ids of accounts, ascending. */
  readonly members: readonly number[];
  /** Ids of groups, ascending. */
  readonly subgroups: readonly number[];
  /** Who may do what with the group, by the permission's name. */
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** Members that fit into a group's record. */
export const MAX_GROUP_MEMBERS = 10_000;

/** Where groups lie in the store. */
export const groupKeys = {
  groups: (realmId: number): Key => [realmId, "group"],
  group: (realmId: number, id: number): Key => [realmId, "group", id],
  byName: (realmId: number, name: string): Key => [realmId, "group_by_name", name],
  /** A number that grows with every change of a group, and of what uses one. */
  version: (realmId: number): Key => [realmId, "groups_version"],
  uses: (realmId: number, groupId: number): Key => [realmId, "group_use", groupId],
  /** There while an active owner's permission names the group. */
  use: (realmId: number, { group, kind, owner, setting }: GroupUse): Key => [
    realmId,
    "group_use",
    group,
    kind,
    owner,
    setting,
  ],
};

/** A permission that names a group. */
export interface GroupUse {
  readonly group: number;
  readonly kind: PermissionOwner;
  readonly owner: number;
  readonly setting: string;
}
