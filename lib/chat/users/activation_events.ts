import { toChannelActivationEvents } from "../channels/access_events.ts";
import { chunkIds, queueEndEvent, type StoredEvent } from "../events/model.ts";
import { sendEvents } from "../events/send_events.ts";
import {
  type ActivationChange,
  listChangedPermissions,
  readPermissionContext,
} from "../permissions/store.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { toRoleEvents } from "../permissions/events.ts";
import { toGroupActivationEvents } from "../user_groups/events.ts";
import { EMPTY_STATUS, statusKeys, type StatusRecord } from "../user_status/model.ts";
import { sendUserEvent } from "./events.ts";
import type { ChangeContext, UserRecord } from "./model.ts";

/**
 * Sends the events that follow when accounts are deactivated or reactivated together: members of groups,
 * permissions that name them, statuses. Must run before groups change, with the accounts in their new state.
 */
export async function sendActivationEvents(
  context: ChangeContext,
  users: readonly UserRecord[],
): Promise<void> {
  const { app, tx, realm } = context;
  const isActive = users[0]?.is_active === true;
  const permissions = await readPermissionContext(app, tx, realm.id);
  const change = { userIds: new Set(users.map(({ id }) => id)), isActive };
  const roleChanges = users.map((after) => ({ before: { ...after, is_active: !isActive }, after }));
  sendEvents(tx, { realmId: realm.id, now: permissions.now }, [
    ...toRoleEvents(permissions, roleChanges),
    ...await toGroupActivationEvents(app, permissions, change),
    ...await toRealmPermissionEvents(context, permissions, change),
    ...await toChannelActivationEvents(app, permissions, change),
    ...isActive ? [] : chunkIds([...change.userIds]).map((ids) => queueEndEvent(null, ids)),
  ]);
  for (const user of users) await sendStatusEvent(context, permissions, user);
}

async function toRealmPermissionEvents(
  { app }: ChangeContext,
  permissions: PermissionContext,
  change: ActivationChange,
): Promise<readonly StoredEvent[]> {
  const changed = await listChangedPermissions(app, permissions, {
    kind: "realm",
    owner: permissions.realm,
    change,
  });
  if (changed.size === 0) return [];
  const data = Object.fromEntries(Array.from(changed, ([name, { after }]) => [name, after]));
  const event = { type: "realm", op: "update_dict", property: "default", data };
  return [{ event, audience: "everyone" }];
}

/** Sends an empty status for a deactivated account, the stored one for a reactivated account. */
async function sendStatusEvent(
  { tx }: ChangeContext,
  permissions: PermissionContext,
  user: UserRecord,
): Promise<void> {
  const stored = await tx.peek<StatusRecord>(statusKeys.status(permissions.realm.id, user.id));
  if (stored === null) return;
  const status = user.is_active ? stored : EMPTY_STATUS;
  sendUserEvent(tx, { realm: permissions.realm, user, now: permissions.now }, {
    type: "user_status",
    user_id: user.id,
    ...status,
  });
}
