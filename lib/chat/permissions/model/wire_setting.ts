import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { type GroupSetting, normalizeGroupSetting } from "./group_setting.ts";
import { type HasPermissions, permissionValue } from "./membership.ts";
import type { PermissionContext } from "./permission_context.ts";
import { type PermissionOwner, permissionRules } from "./registry.ts";
import { systemGroupId } from "./system_groups.ts";

/** Converts a permission's value to the form clients see: normalized, without inactive users. */
export function toWireSetting(
  realm: RealmRecord,
  value: GroupSetting,
  isActive: (userId: number) => boolean,
): GroupSetting {
  if (typeof value === "number") return value;
  const direct_members = value.direct_members.filter(isActive);
  return normalizeGroupSetting({ ...value, direct_members }, systemGroupId(realm, "role:nobody"));
}

/**
 * Converts every permission of an owner to the form clients see, by permission name, with defaults filled in.
 */
export function toWirePermissions(
  permissions: PermissionContext,
  { kind, owner }: { kind: PermissionOwner; owner: HasPermissions },
  isActive: (userId: number) => boolean,
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(
    permissionRules(kind).map((rule) => [
      rule.setting,
      toWireSetting(permissions.realm, permissionValue(permissions, owner, rule), isActive),
    ]),
  );
}
