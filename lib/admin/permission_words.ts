import type { GroupSetting } from "@/lib/chat/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { systemGroupName } from "@/lib/chat/permissions/system_groups.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import type { AdminRequest } from "./admin_request.ts";

/** How many groups and people of a value are named before the others are counted. */
const MAX_NAMED = 4;

/**
 * Who holds a permission, in words: "Administrators, gardeners and Ada"; `users` are those that it names. `isInside`: as it
 * stands within a sentence.
 */
export function describePermission(
  { words, speech }: Pick<AdminRequest, "words" | "speech">,
  { permissions, value, users, isInside = false }: {
    permissions: PermissionContext;
    value: GroupSetting;
    users: readonly Pick<UserRecord, "full_name">[];
    isInside?: boolean;
  },
): string {
  const text = words.permissions;
  const ids = typeof value === "number" ? [value] : value.direct_subgroups;
  const groups = ids.map((id, at) => {
    const role = systemGroupName(permissions.realm, id);
    if (role !== null) return at === 0 && !isInside ? text.roleNames[role] : text.roleNamesInside[role];
    const group = permissions.groups.get(id);
    const name = group?.name ?? String(id);
    return group?.deactivated === true ? speech.say(text.deactivatedGroup, { name }) : name;
  });
  const names = [...groups, ...users.map(({ full_name }) => full_name)];
  if (names.length <= MAX_NAMED) return speech.list(names);
  const shown = names.slice(0, MAX_NAMED - 1);
  return speech.list([...shown, speech.say(text.others, { count: names.length - shown.length })]);
}
