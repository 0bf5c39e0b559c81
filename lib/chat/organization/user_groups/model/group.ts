import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import type { PermissionOwner } from "@/lib/chat/organization/permissions/model/registry.ts";
import type { Key } from "@/lib/store/key.ts";

/** Stored record of a custom group; system groups have none. */
export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly deactivated: boolean;
  /** Ids of users, ascending. */
  readonly members: readonly number[];
  /** Ids of groups, ascending. */
  readonly subgroups: readonly number[];
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** Maximum length of a group's name, in code points. */
export const MAX_GROUP_NAME = 100;

/** Maximum length of a group's description, in code points, so that the record fits into the store. */
export const MAX_GROUP_DESCRIPTION = 1024;

export const MAX_GROUP_MEMBERS = 10_000;

export const groupKeys = {
  groups: (realmId: number): Key => [realmId, "group"],
  group: (realmId: number, id: number): Key => [realmId, "group", id],
  uses: (realmId: number, groupId: number): Key => [realmId, "group_use", groupId],
  /** Exists while a permission of an active owner names the group. */
  use: (
    realmId: number,
    { group, kind, owner, setting }: { group: number; kind: PermissionOwner; owner: number; setting: string },
  ): Key => [
    realmId,
    "group_use",
    group,
    kind,
    owner,
    setting,
  ],
};
