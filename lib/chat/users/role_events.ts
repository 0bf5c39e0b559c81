import { peekDefaultChannelIds } from "../channels/store.ts";
import { toMetadataAccessEvents } from "../channels/access_events.ts";
import { type ChatEvent, queueEndEvent, type StoredEvent, USER_ACCESS_TYPES } from "../events/model.ts";
import { sendEvents } from "../events/send_events.ts";
import { canAccessAllUsers } from "../permissions/model/membership.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { toRoleEvents } from "../permissions/events.ts";
import { readDirectory } from "./store.ts";
import { canSeeEmail, type ChangeContext, isAdmin, isBot, isGuest, type UserRecord } from "./model.ts";
import { toEventBot } from "../bots/api.ts";

/** A user before and after a change of their role. */
export interface RoleChange {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/**
 * Sends the events that follow when roles change together: to everyone the members of the system groups, to
 * the users themselves what they gain and lose access to.
 */
export async function sendRoleEvents(context: ChangeContext, changes: readonly RoleChange[]): Promise<void> {
  const { app, tx, realm } = context;
  const permissions = await readPermissionContext(app, tx, realm.id);
  const users = [...(await readDirectory(app, realm.id)).byId.values()];
  const defaultChannelIds = await peekDefaultChannelIds(app, realm.id);
  sendEvents(tx, { realmId: realm.id, now: permissions.now }, [
    ...toRoleEvents(permissions, changes),
    ...await toMetadataAccessEvents(app, { before: permissions, after: permissions, users: changes }),
    ...changes.flatMap((change) => [
      ...toDefaultChannelEvents(change, defaultChannelIds),
      ...toBotEvents(context, change, users),
      ...toUserAccessEvents(permissions, change, users),
    ]),
  ]);
}

function toDefaultChannelEvents(
  { before, after }: RoleChange,
  defaultChannelIds: readonly number[],
): StoredEvent[] {
  if (isGuest(before) === isGuest(after)) return [];
  const default_streams = isGuest(after) ? [] : defaultChannelIds;
  return [{ event: { type: "default_streams", default_streams }, audience: [after.id] }];
}

/** Adds or removes the bots of others, which only administrators see. */
function toBotEvents(
  { app, realm }: ChangeContext,
  { before, after }: RoleChange,
  users: readonly UserRecord[],
): StoredEvent[] {
  if (isAdmin(before) === isAdmin(after)) return [];
  const toBotEvent = (bot: UserRecord): ChatEvent =>
    isAdmin(after)
      ? { type: "realm_bot", op: "add", bot: toEventBot(app, realm, bot) }
      : { type: "realm_bot", op: "delete", bot: { user_id: bot.id } };
  return users.filter((user) => isBot(user) && user.bot_owner_id !== after.id)
    .map((bot) => ({ event: toBotEvent(bot), audience: [after.id] }));
}

/** Updates which users and which email addresses the user can see. */
function toUserAccessEvents(
  permissions: PermissionContext,
  { before, after }: RoleChange,
  users: readonly UserRecord[],
): StoredEvent[] {
  const audience = [after.id];
  if (canAccessAllUsers(permissions, before) !== canAccessAllUsers(permissions, after)) {
    return [queueEndEvent(USER_ACCESS_TYPES, audience)];
  }
  return users.filter((user) => canSeeEmail(before, user) !== canSeeEmail(after, user)).map((user) => {
    const delivery_email = canSeeEmail(after, user) ? user.delivery_email : null;
    return {
      event: { type: "realm_user", op: "update", person: { user_id: user.id, delivery_email } },
      audience,
    };
  });
}
