import { type GroupSetting, normalizeGroupSetting } from "../group_setting.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { PermissionContext } from "./group_world.ts";
import { type HasPermissions, permissionValue } from "./membership.ts";
import { type PermissionOwner, permissionsOf } from "./registry.ts";
import { systemGroupId } from "./system_groups.ts";

/** A permission's value as clients see it: in its one form, without the accounts that are not active. */
export function toWireSetting(
  realm: RealmRecord,
  value: GroupSetting,
  isActive: (userId: number) => boolean,
): GroupSetting {
  if (typeof value === "number") return value;
  const direct_members = value.direct_members.filter(isActive);
  return normalizeGroupSetting({ ...value, direct_members }, systemGroupId(realm, "role:nobody"));
}

/** Every permission of an owner as clients see it, by its name; what was never set has its default. */
export function toWirePermissions(
  permissions: PermissionContext,
  { kind, owner }: { kind: PermissionOwner; owner: HasPermissions },
  isActive: (userId: number) => boolean,
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(
    permissionsOf(kind).map((rule) => [
      rule.setting,
      toWireSetting(permissions.realm, permissionValue(permissions, owner, rule), isActive),
    ]),
  );
}
