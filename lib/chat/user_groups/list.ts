import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import { SYSTEM_GROUPS } from "../permissions/system_groups.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { listUsers } from "../users/store.ts";
import { toSystemGroup, toUserGroup } from "./view.ts";

/** Every group of an organization as the API shows it, system groups among them, by id. */
export async function listUserGroups(
  app: ChatApp,
  realm: RealmRecord,
  { includeDeactivated }: { includeDeactivated: boolean },
) {
  const permissions = await peekPermissionContext(app, realm);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active);
  const active = new Set(users.map(({ id }) => id));
  const made = [...permissions.groups.values()].filter((group) => includeDeactivated || !group.deactivated);
  return [
    ...SYSTEM_GROUPS.map((group) => toSystemGroup(permissions, group, users)),
    ...made.map((group) => toUserGroup(permissions, group, (id) => active.has(id))),
  ].sort((one, other) => one.id - other.id);
}
