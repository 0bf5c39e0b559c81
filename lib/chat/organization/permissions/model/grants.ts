import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import {
  filterPermitted,
  hasPermission,
  type HasPermissions,
  hasRealmPermission,
  type Inclusion,
  listInclusions,
  type PermissionContext,
  permissionValue,
} from "./membership.ts";
import { type PermissionOwner, permissionRule } from "./registry.ts";
import { isSystemGroupMember, systemGroupId, type SystemGroupName } from "./system_groups.ts";

/**
 * One of the ways in which a permission of a channel or group is granted: by a permission of the channel or
 * group, by one of the organization, or by a rule that no setting changes.
 */
export type PermissionGrant =
  | {
    readonly by: "owner" | "realm";
    readonly setting: string;
    /** Age in seconds of the oldest messages that it applies to, except for moderators; all without it. */
    readonly limitSeconds?: number;
  }
  | {
    readonly by: "rule";
    readonly group: SystemGroupName;
    readonly reason: GrantReason;
    readonly limitSeconds?: undefined;
  };

/** Why a rule applies: to all channels, or because of the channel's type. */
type GrantReason = "always" | "public" | "web";

/** The object whose permission is decided, and the grants of the permission. */
interface GrantedBy {
  readonly kind: PermissionOwner;
  readonly owner: HasPermissions;
  readonly grants: readonly PermissionGrant[];
}

/** Returns the first grant that a user holds, or null. */
export function findGrant(
  permissions: PermissionContext,
  granted: GrantedBy,
  user: UserRecord,
): PermissionGrant | null {
  return granted.grants.find((grant) => isHeld(permissions, { ...granted, grant }, user)) ?? null;
}

function isHeld(
  permissions: PermissionContext,
  { kind, owner, grant }: Omit<GrantedBy, "grants"> & { readonly grant: PermissionGrant },
  user: UserRecord,
): boolean {
  if (grant.by === "rule") return isSystemGroupMember(grant.group, user, permissions);
  if (grant.by === "realm") return hasRealmPermission(permissions, grant.setting, user);
  return hasPermission(permissions, { kind, setting: grant.setting, owner }, user);
}

/** Lists the grants that a user holds; one of them is the one that `findGrant` returns. */
export function listHeldGrants(
  permissions: PermissionContext,
  granted: GrantedBy,
  user: UserRecord,
): readonly { grant: PermissionGrant; inclusions: readonly Inclusion[]; isDefault: boolean }[] {
  const { realm } = permissions;
  return granted.grants.filter((grant) => isHeld(permissions, { ...granted, grant }, user)).map((grant) => {
    if (grant.by === "rule") {
      const inclusions = listInclusions(permissions, systemGroupId(realm, grant.group), user);
      return { grant, inclusions, isDefault: false };
    }
    const [kind, owner] = grant.by === "realm" ? ["realm" as const, realm] : [granted.kind, granted.owner];
    const rule = permissionRule(kind, grant.setting);
    const value = permissionValue(permissions, owner, rule);
    const isDefault = value === permissionValue(permissions, { permissions: {} }, rule);
    return { grant, inclusions: listInclusions(permissions, value, user), isDefault };
  });
}

/** Returns the ids of those of the users who have a permission, as `findGrant` decides for each of them. */
export function listHolders(
  permissions: PermissionContext,
  { kind, owner, grants }: GrantedBy,
  users: readonly UserRecord[],
): ReadonlySet<number> {
  const held = grants.flatMap((grant) => {
    if (grant.by === "rule") {
      return users.filter((user) => isSystemGroupMember(grant.group, user, permissions));
    }
    const by = grant.by === "realm" ? { kind: "realm" as const, owner: permissions.realm } : { kind, owner };
    return filterPermitted(permissions, { ...by, setting: grant.setting }, users);
  });
  return new Set(held.map(({ id }) => id));
}

/** Returns the grant of a permission by the channel or group itself. */
export function byOwner(setting: string): PermissionGrant {
  return { by: "owner", setting };
}

/** Returns the grant of a permission by the organization, for messages up to an age in seconds where one is given. */
export function byRealm(setting: string, limitSeconds?: number): PermissionGrant {
  return limitSeconds === undefined ? { by: "realm", setting } : { by: "realm", setting, limitSeconds };
}

/** A permission of an organization that cannot be changed. */
interface FixedPermission {
  readonly setting: string;
  /** The users who have it. */
  readonly group: SystemGroupName;
}

/** Permissions that are the same in every organization. They describe rules that the code of each action applies. */
export const FIXED_PERMISSIONS: readonly FixedPermission[] = [
  { setting: "can_create_bots_group", group: "role:members" },
  { setting: "can_create_write_only_bots_group", group: "role:members" },
  { setting: "can_manage_billing_group", group: "role:nobody" },
  { setting: "can_summarize_topics_group", group: "role:nobody" },
];
