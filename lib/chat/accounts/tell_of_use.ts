import { toChannelUseEvents } from "../channels/tell_of_use.ts";
import type { StoredEvent } from "../events/emit.ts";
import { inEvents } from "../events/in_events.ts";
import { tellTogether, toQueueEnd } from "../events/tell_together.ts";
import { type GroupWorld, readGroupWorld } from "../permissions/group_world.ts";
import { changedByUse, type UseChange } from "../permissions/named_users.ts";
import { toRoleEvents } from "../permissions/tell_of_system_groups.ts";
import { toGroupUseEvents } from "../user_groups/tell_of_use.ts";
import { NO_STATUS, statusKeys, type StatusRecord } from "../users/status.ts";
import { tellOfUser } from "../users/tell_of_user.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountChange } from "./change_account.ts";

/**
 * Tells what else is other than before when accounts go out of use together, or come back: members of groups, permissions
 * that name them, what they say of themselves. To be called before groups are changed, with the accounts as they are then.
 */
export async function tellOfUse(change: AccountChange, users: readonly UserRecord[]): Promise<void> {
  const { app, tx, realm } = change;
  const isActive = users[0]?.is_active === true;
  const world = await readGroupWorld(app, tx, realm.id);
  const use = { userIds: new Set(users.map(({ id }) => id)), isActive };
  const steps = users.map((after) => ({ before: { ...after, is_active: !isActive }, after }));
  tellTogether(tx, { realmId: realm.id, now: world.now }, [
    ...toRoleEvents(world, steps),
    ...await toGroupUseEvents(app, world, use),
    ...await toRealmEvents(change, world, use),
    ...await toChannelUseEvents(app, world, use),
    ...isActive ? [] : inEvents([...use.userIds]).map((ids) => toQueueEnd(null, ids)),
  ]);
  for (const user of users) await tellOfStatus(change, world, user);
}

async function toRealmEvents(
  { app }: AccountChange,
  world: GroupWorld,
  change: UseChange,
): Promise<readonly StoredEvent[]> {
  const changed = await changedByUse(app, world, { kind: "realm", owner: world.realm, change });
  if (changed.size === 0) return [];
  const data = Object.fromEntries(Array.from(changed, ([name, { after }]) => [name, after]));
  const event = { type: "realm", op: "update_dict", property: "default", data };
  return [{ event, audience: "everyone" }];
}

/** Who is out of use says nothing; who comes back says what he said. */
async function tellOfStatus({ tx }: AccountChange, world: GroupWorld, user: UserRecord): Promise<void> {
  const status = await tx.peek<StatusRecord>(statusKeys.status(world.realm.id, user.id));
  if (status === null) return;
  const shown = user.is_active ? status : NO_STATUS;
  tellOfUser(tx, { realm: world.realm, user, now: world.now }, {
    type: "user_status",
    user_id: user.id,
    ...shown,
  });
}
