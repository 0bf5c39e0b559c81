import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { SYSTEM_GROUPS, systemGroupId, systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { PermissionGroup } from "./permission_values.ts";

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

/**
 * Lists the groups that can be added to a group, except itself and its subgroups: active groups by name, then
 * roles.
 */
export function listGroupChoices(
  { messages }: Pick<AdminRequest, "messages">,
  permissions: PermissionContext,
  except: readonly number[] = [],
): readonly PermissionGroup[] {
  const made = [...permissions.groups.values()].filter(({ id, deactivated }) =>
    !deactivated && !except.includes(id)
  )
    .map(({ id, name }) => ({ id, name })).sort((one, other) => compareNames(one.name, other.name));
  const roles = SYSTEM_GROUPS.filter(({ name }) => name !== "role:nobody" && name !== "role:internet")
    .map(({ name }) => ({
      id: systemGroupId(permissions.realm, name),
      name: messages.permissions.roleNames[name],
    }))
    .filter(({ id }) => !except.includes(id));
  return [...made.slice(0, MAX_CHOICES), ...roles];
}
