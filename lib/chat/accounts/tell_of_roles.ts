import { readDefaultChannels } from "../channels/defaults.ts";
import { toSightEvents } from "../channels/tell_of_sight.ts";
import type { ChatEvent, StoredEvent } from "../events/emit.ts";
import { queueEndEvent, sendEvents } from "../events/tell_together.ts";
import { canAccessEveryone } from "../permissions/can_access_user.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import { toRoleEvents } from "../permissions/tell_of_system_groups.ts";
import { readDirectory } from "../users/directory.ts";
import { canSeeEmail } from "../users/email.ts";
import { isAdmin, isBot, isGuest, type UserRecord } from "../users/user.ts";
import type { AccountChange } from "./change_account.ts";
import { toToldBot } from "./view.ts";

/** An account before and after it was given another role. */
export interface RoleStep {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/**
 * Tells what else is other than before when accounts are given other roles together: everybody of the groups of their
 * roles, and themselves of what they see now or no longer do.
 */
export async function tellOfRoles(change: AccountChange, steps: readonly RoleStep[]): Promise<void> {
  const { app, tx, realm } = change;
  const permissions = await readPermissionContext(app, tx, realm.id);
  const users = [...(await readDirectory(app, realm.id)).byId.values()];
  const defaults = await readDefaultChannels(app, realm.id);
  sendEvents(tx, { realmId: realm.id, now: permissions.now }, [
    ...toRoleEvents(permissions, steps),
    ...await toSightEvents(app, { before: permissions, after: permissions, viewers: steps }),
    ...steps.flatMap((step) => [
      ...toDefaultEvents(step, defaults),
      ...toBotEvents(change, step, users),
      ...toPeopleEvents(permissions, step, users),
    ]),
  ]);
}

function toDefaultEvents({ before, after }: RoleStep, defaults: readonly number[]): StoredEvent[] {
  if (isGuest(before) === isGuest(after)) return [];
  const default_streams = isGuest(after) ? [] : defaults;
  return [{ event: { type: "default_streams", default_streams }, audience: [after.id] }];
}

/** Who administers knows all bots, others those that are theirs. */
function toBotEvents(
  { app, realm }: AccountChange,
  { before, after }: RoleStep,
  users: readonly UserRecord[],
): StoredEvent[] {
  if (isAdmin(before) === isAdmin(after)) return [];
  const toEvent = (bot: UserRecord): ChatEvent =>
    isAdmin(after)
      ? { type: "realm_bot", op: "add", bot: toToldBot(app, realm, bot) }
      : { type: "realm_bot", op: "delete", bot: { user_id: bot.id } };
  return users.filter((user) => isBot(user) && user.bot_owner_id !== after.id)
    .map((bot) => ({ event: toEvent(bot), audience: [after.id] }));
}

/** Whom he knows, and whose addresses he sees. */
function toPeopleEvents(
  permissions: PermissionContext,
  { before, after }: RoleStep,
  users: readonly UserRecord[],
): StoredEvent[] {
  const audience = [after.id];
  if (canAccessEveryone(permissions, before) !== canAccessEveryone(permissions, after)) {
    return [queueEndEvent(["realm_user", "user_status", "presence"], audience)];
  }
  return users.filter((user) => canSeeEmail(before, user) !== canSeeEmail(after, user)).map((user) => {
    const delivery_email = canSeeEmail(after, user) ? user.delivery_email : null;
    return {
      event: { type: "realm_user", op: "update", person: { user_id: user.id, delivery_email } },
      audience,
    };
  });
}
