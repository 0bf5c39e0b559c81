import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  SYSTEM_GROUPS,
  systemGroupId,
  type SystemGroupName,
  systemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";

/** A role where it stands alone or first. */
export const ROLE_GROUP_NAMES: Readonly<Record<SystemGroupName, string>> = {
  "role:nobody": "Nobody",
  "role:owners": "Owners",
  "role:administrators": "Administrators",
  "role:moderators": "Moderators",
  "role:fullmembers": "Full members",
  "role:members": "Everyone except guests",
  "role:everyone": "Everyone",
  "role:internet": "Everyone on the internet",
};

/** A role within a sentence. */
export const ROLE_GROUPS_INSIDE: Readonly<Record<SystemGroupName, string>> = {
  "role:nobody": "nobody",
  "role:owners": "owners",
  "role:administrators": "administrators",
  "role:moderators": "moderators",
  "role:fullmembers": "full members",
  "role:members": "everyone except guests",
  "role:everyone": "everyone",
  "role:internet": "everyone on the internet",
};

/** A group that can be chosen. */
export interface PermissionGroup {
  readonly id: number;
  readonly name: string;
}

/** Maximum number of groups in a list of choices. */
const MAX_CHOICES = 300;

/** Returns a group's name for pages; roles have localized names. */
export function nameOfGroup(
  { t }: Pick<AdminRequest, "t">,
  permissions: PermissionContext,
  id: number,
): string {
  const role = systemGroupName(permissions.realm, id);
  return role === null ? permissions.groups.get(id)?.name ?? String(id) : t(ROLE_GROUP_NAMES[role]);
}

/** Lists the active groups by name, and roles after or before them. */
export function listGroupChoices(
  { t }: Pick<AdminRequest, "t">,
  { realm, groups }: PermissionContext,
  { except = [], max = MAX_CHOICES, hasRolesFirst = false }: {
    readonly except?: readonly number[];
    /** Maximum number of groups. */
    readonly max?: number;
    readonly hasRolesFirst?: boolean;
  } = {},
): readonly PermissionGroup[] {
  const made = [...groups.values()].filter(({ id, deactivated }) => !deactivated && !except.includes(id))
    .sort((one, other) => compareNames(one.name, other.name)).slice(0, max);
  const roles = SYSTEM_GROUPS.filter(({ name }) => name !== "role:nobody" && name !== "role:internet")
    .map(({ name }) => ({ id: systemGroupId(realm, name), name: t(ROLE_GROUP_NAMES[name]) }))
    .filter(({ id }) => !except.includes(id));
  return hasRolesFirst ? [...roles, ...made] : [...made, ...roles];
}

/** Maximum number of groups and users that are named; further ones are counted. */
const MAX_NAMED = 4;

/**
 * Describes the holders of a permission: "Administrators, gardeners and Ada"; `users` are those that it
 * names. `isInside` chooses the form within a sentence.
 */
export function describePermission(
  { t, formatter }: Pick<AdminRequest, "t" | "formatter">,
  { permissions, value, users, isInside = false }: {
    permissions: PermissionContext;
    value: GroupSetting;
    users: readonly Pick<UserRecord, "full_name">[];
    isInside?: boolean;
  },
): string {
  const ids = typeof value === "number" ? [value] : value.direct_subgroups;
  const groups = ids.map((id, at) => {
    const role = systemGroupName(permissions.realm, id);
    if (role !== null) return t((at === 0 && !isInside ? ROLE_GROUP_NAMES : ROLE_GROUPS_INSIDE)[role]);
    const group = permissions.groups.get(id);
    const name = group?.name ?? String(id);
    return group?.deactivated === true ? t("{name} (deactivated)", { name }) : name;
  });
  const names = [...groups, ...users.map(({ full_name }) => full_name)];
  return listSome({ t, formatter }, names, names.length <= MAX_NAMED ? MAX_NAMED : MAX_NAMED - 1);
}

/** Lists the first names, with the number of the others of `count`. */
export function listSome(
  { t, formatter }: Pick<AdminRequest, "t" | "formatter">,
  names: readonly string[],
  max: number,
  count = names.length,
): string {
  const others = count - max;
  const shown = names.slice(0, max);
  const more = { one: "{count} other", other: "{count} others" };
  return formatter.list(others <= 0 ? shown : [...shown, t(more, { count: others })]);
}
