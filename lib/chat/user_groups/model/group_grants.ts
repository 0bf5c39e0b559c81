import { byOwner, byRealm, type PermissionGrant } from "@/lib/chat/permissions/model/grants.ts";

const MANAGE: readonly PermissionGrant[] = [byRealm("can_manage_all_groups"), byOwner("can_manage_group")];

/** Grants of the permissions that not only the group's own value decides. */
const GRANTS: Readonly<Record<string, readonly PermissionGrant[]>> = {
  can_manage_group: MANAGE,
  can_add_members_group: [...MANAGE, byOwner("can_add_members_group")],
  can_remove_members_group: [...MANAGE, byOwner("can_remove_members_group")],
  can_join_group: [...MANAGE, byOwner("can_add_members_group"), byOwner("can_join_group")],
  can_leave_group: [...MANAGE, byOwner("can_remove_members_group"), byOwner("can_leave_group")],
};

/** Returns the grants of a group's permission; a user needs one of them. */
export function listGroupGrants(setting: string): readonly PermissionGrant[] {
  return GRANTS[setting] ?? [byOwner(setting)];
}
