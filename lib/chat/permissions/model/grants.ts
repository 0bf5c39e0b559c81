import type { UserRecord } from "@/lib/chat/users/model.ts";
import { hasPermission, type HasPermissions, hasRealmPermission } from "./membership.ts";
import type { PermissionContext } from "./permission_context.ts";
import type { PermissionOwner } from "./registry.ts";
import { isSystemGroupMember, type SystemGroupName } from "./system_groups.ts";

/**
 * One of the ways in which a permission of a channel or group is granted: by a permission of the channel or
 * group, by one of the organization, or by a rule that no setting changes.
 */
export type PermissionGrant =
  | { readonly by: "owner" | "realm"; readonly setting: string; readonly limitSeconds?: undefined }
  | {
    readonly by: "rule";
    readonly group: SystemGroupName;
    readonly reason: GrantReason;
    /** Age in seconds of the oldest messages that it applies to; all without it. */
    readonly limitSeconds?: number;
  };

/** Why a rule applies: to all organizations, to all channels, or because of the channel's type. */
export type GrantReason = "realm" | "always" | "public" | "web";

/** The object whose permission is decided, and the grants of the permission. */
export interface GrantedBy {
  readonly kind: Exclude<PermissionOwner, "realm">;
  readonly owner: HasPermissions;
  readonly grants: readonly PermissionGrant[];
}

/** Returns the first grant that a user holds, or null. */
export function findGrant(
  permissions: PermissionContext,
  { kind, owner, grants }: GrantedBy,
  user: UserRecord,
): PermissionGrant | null {
  return grants.find((grant) => {
    if (grant.by === "rule") return isSystemGroupMember(grant.group, user, permissions);
    if (grant.by === "realm") return hasRealmPermission(permissions, grant.setting, user);
    return hasPermission(permissions, { kind, setting: grant.setting, owner }, user);
  }) ?? null;
}

/** Returns the grant of a permission by the channel or group itself. */
export function byOwner(setting: string): PermissionGrant {
  return { by: "owner", setting };
}

/** Returns the grant of a permission by the organization. */
export function byRealm(setting: string): PermissionGrant {
  return { by: "realm", setting };
}
