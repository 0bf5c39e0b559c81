import type { GroupSetting } from "@/lib/chat/group_setting.ts";
import { type PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { SYSTEM_GROUPS, systemGroupId, systemGroupName } from "@/lib/chat/permissions/system_groups.ts";
import { MAX_GROUP_DESCRIPTION, MAX_GROUP_NAME } from "@/lib/chat/user_groups/params.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import { FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import type { PermissionGroup } from "./permission_values.ts";
import { findTooLong } from "./too_long.ts";

/** How long a group's name and description may be, in characters. */
export const GROUP_LIMITS = { name: MAX_GROUP_NAME, description: MAX_GROUP_DESCRIPTION };

/** The most groups that a page lists to choose from. */
const MAX_CHOICES = 300;

/**
 * The name and the description that a form sent.
 * @throws FormRefusal for what is too long.
 */
export function readGroupForm(request: AdminRequest, fields: FormFields) {
  const name = fields.text("name").trim();
  const description = fields.text("description");
  const problems = findTooLong(request, {
    name: [name, GROUP_LIMITS.name],
    description: [description, GROUP_LIMITS.description],
  });
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return { name, description };
}

/** A group's name as pages say it: a role by its own word. */
export function nameOfGroup(
  { words }: Pick<AdminRequest, "words">,
  permissions: PermissionContext,
  id: number,
): string {
  const role = systemGroupName(permissions.realm, id);
  return role === null ? permissions.groups.get(id)?.name ?? String(id) : words.permissions.roleNames[role];
}

/** The groups that can be put into a group, `except` it and what is in it: groups in use by name, then roles. */
export function listGroupChoices(
  { words }: Pick<AdminRequest, "words">,
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
      name: words.permissions.roleNames[name],
    }))
    .filter(({ id }) => !except.includes(id));
  return [...made.slice(0, MAX_CHOICES), ...roles];
}

/** The values alone of permissions that something new starts with. */
export function newValues(
  updates: Readonly<Record<string, { readonly new: GroupSetting }>>,
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(Object.entries(updates).map(([setting, update]) => [setting, update.new]));
}
