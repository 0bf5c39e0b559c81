import type { GroupSetting } from "@/lib/chat/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { SYSTEM_GROUPS, systemGroupId, systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { MAX_GROUP_DESCRIPTION, MAX_GROUP_NAME } from "@/lib/chat/user_groups/model/group.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import type { PermissionGroup } from "../permissions/permission_values.ts";
import { findTooLong } from "../find_too_long.ts";

/** Maximum lengths of a group's name and description, in characters. */
export const GROUP_LIMITS = { name: MAX_GROUP_NAME, description: MAX_GROUP_DESCRIPTION };

/** Maximum number of groups in a list of choices. */
const MAX_CHOICES = 300;

/**
 * Reads the name and description of a form.
 * @throws FormRefusal when one is too long.
 */
export function readGroupForm(request: AdminRequest, fields: FormFields) {
  const name = fields.exact("name").trim();
  const description = fields.text("description");
  const problems = findTooLong(request, {
    name: [name, GROUP_LIMITS.name],
    description: [description, GROUP_LIMITS.description],
  });
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return { name, description };
}

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

/** Returns the values of permissions for a new record. */
export function newValues(
  updates: Readonly<Record<string, { readonly new: GroupSetting }>>,
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(Object.entries(updates).map(([setting, update]) => [setting, update.new]));
}
