import { toChannelUseEvents } from "../channels/tell_of_use.ts";
import type { StoredEvent } from "../events/emit.ts";
import { chunkIds } from "../events/in_events.ts";
import { queueEndEvent, sendEvents } from "../events/tell_together.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import { changedByUse, type UseChange } from "../permissions/named_users.ts";
import { toRoleEvents } from "../permissions/tell_of_system_groups.ts";
import { toGroupUseEvents } from "../user_groups/tell_of_use.ts";
import { NO_STATUS, statusKeys, type StatusRecord } from "../users/status.ts";
import { sendUserEvent } from "../users/tell_of_user.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountChange } from "./change_account.ts";

/**
 * Tells what else is other than before when accounts go out of use together, or come back: members of groups, permissions
 * that name them, what they say of themselves. To be called before groups are changed, with the accounts as they are then.
 */
export async function tellOfUse(change: AccountChange, users: readonly UserRecord[]): Promise<void> {
  const { app, tx, realm } = change;
  const isActive = users[0]?.is_active === true;
  const permissions = await readPermissionContext(app, tx, realm.id);
  const use = { userIds: new Set(users.map(({ id }) => id)), isActive };
  const steps = users.map((after) => ({ before: { ...after, is_active: !isActive }, after }));
  sendEvents(tx, { realmId: realm.id, now: permissions.now }, [
    ...toRoleEvents(permissions, steps),
    ...await toGroupUseEvents(app, permissions, use),
    ...await toRealmEvents(change, permissions, use),
    ...await toChannelUseEvents(app, permissions, use),
    ...isActive ? [] : chunkIds([...use.userIds]).map((ids) => queueEndEvent(null, ids)),
  ]);
  for (const user of users) await tellOfStatus(change, permissions, user);
}

async function toRealmEvents(
  { app }: AccountChange,
  permissions: PermissionContext,
  change: UseChange,
): Promise<readonly StoredEvent[]> {
  const changed = await changedByUse(app, permissions, { kind: "realm", owner: permissions.realm, change });
  if (changed.size === 0) return [];
  const data = Object.fromEntries(Array.from(changed, ([name, { after }]) => [name, after]));
  const event = { type: "realm", op: "update_dict", property: "default", data };
  return [{ event, audience: "everyone" }];
}

/** Who is out of use says nothing; who comes back says what he said. */
async function tellOfStatus(
  { tx }: AccountChange,
  permissions: PermissionContext,
  user: UserRecord,
): Promise<void> {
  const status = await tx.peek<StatusRecord>(statusKeys.status(permissions.realm.id, user.id));
  if (status === null) return;
  const shown = user.is_active ? status : NO_STATUS;
  sendUserEvent(tx, { realm: permissions.realm, user, now: permissions.now }, {
    type: "user_status",
    user_id: user.id,
    ...shown,
  });
}
