import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { SYSTEM_GROUPS } from "../permissions/model/system_groups.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { listUsers } from "../users/store.ts";
import { toSystemGroup, toUserGroup } from "./api.ts";

/** Lists the groups of an organization in API form, including system groups, ordered by id. */
export async function listUserGroups(
  app: ChatApp,
  realm: RealmRecord,
  { includeDeactivated }: { includeDeactivated: boolean },
) {
  const permissions = await peekPermissionContext(app, realm);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active);
  const active = new Set(users.map(({ id }) => id));
  const custom = [...permissions.groups.values()].filter((group) => includeDeactivated || !group.deactivated);
  return [
    ...SYSTEM_GROUPS.map((group) => toSystemGroup(permissions, group, users)),
    ...custom.map((group) => toUserGroup(permissions, group, (id) => active.has(id))),
  ].sort((one, other) => one.id - other.id);
}
