import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  SYSTEM_GROUPS,
  systemGroupId,
  systemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";

/** A group that can be chosen. */
export interface PermissionGroup {
  readonly id: number;
  readonly name: string;
}

/** Maximum number of groups in a list of choices. */
const MAX_CHOICES = 300;

/** Returns a group's name for pages; roles have localized names. */
export function nameOfGroup(
  { messages }: Pick<AdminRequest, "messages">,
  permissions: PermissionContext,
  id: number,
): string {
  const role = systemGroupName(permissions.realm, id);
  return role === null
    ? permissions.groups.get(id)?.name ?? String(id)
    : messages.permissions.roleNames[role];
}

/** Lists the active groups by name, and roles after or before them. */
export function listGroupChoices(
  { messages }: Pick<AdminRequest, "messages">,
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
    .map(({ name }) => ({ id: systemGroupId(realm, name), name: messages.permissions.roleNames[name] }))
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
  { messages, formatter }: Pick<AdminRequest, "messages" | "formatter">,
  { permissions, value, users, isInside = false }: {
    permissions: PermissionContext;
    value: GroupSetting;
    users: readonly Pick<UserRecord, "full_name">[];
    isInside?: boolean;
  },
): string {
  const text = messages.permissions;
  const ids = typeof value === "number" ? [value] : value.direct_subgroups;
  const groups = ids.map((id, at) => {
    const role = systemGroupName(permissions.realm, id);
    if (role !== null) return at === 0 && !isInside ? text.roleNames[role] : text.roleNamesInside[role];
    const group = permissions.groups.get(id);
    const name = group?.name ?? String(id);
    return group?.deactivated === true ? formatter.t(text.deactivatedGroup, { name }) : name;
  });
  const names = [...groups, ...users.map(({ full_name }) => full_name)];
  return listSome({ messages, formatter }, names, names.length <= MAX_NAMED ? MAX_NAMED : MAX_NAMED - 1);
}

/** Lists the first names, with the number of the others. */
export function listSome(
  { messages, formatter }: Pick<AdminRequest, "messages" | "formatter">,
  names: readonly string[],
  max: number,
): string {
  const others = names.length - max;
  const shown = names.slice(0, max);
  return formatter.list(
    others <= 0 ? shown : [...shown, formatter.t(messages.permissions.others, { count: others })],
  );
}
