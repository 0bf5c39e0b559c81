import { sendBotEvents, sendBotOwnerEvents, toEventBot } from "@/lib/chat/people/users/bot_events.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  type ChatEvent,
  chunkIds,
  queueEndEvent,
  type StoredEvent,
  USER_ACCESS_TYPES,
} from "@/lib/chat/organization/events/model.ts";
import { sendChangeEvent, sendEvents } from "@/lib/chat/organization/events/send_events.ts";
import {
  listChangedPermissions,
  permissionsOf,
  toRoleEvents,
} from "@/lib/chat/organization/permissions/store.ts";
import {
  canAccessAllUsers,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { toGroupActivationEvents } from "@/lib/chat/organization/user_groups/events.ts";
import { EMPTY_STATUS, statusKeys, type StatusRecord } from "@/lib/chat/people/user_status.ts";
import { AppError } from "@/lib/core/errors.ts";
import { sendEmailEvents, sendProfileEvent, sendUserEvent } from "@/lib/chat/organization/users/events.ts";
import {
  canSeeEmail,
  isAdmin,
  isBot,
  isGuest,
  isOwner,
  type Role,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import type { ChangeContext } from "@/lib/chat/organization/app.ts";
import { getUser, userListOf } from "@/lib/chat/organization/users/store.ts";
import { isLastOwner, ownedBots, putUser } from "../put_user.ts";

interface RoleChange {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/** Sends all users the members of system groups, and the users what they gain and lose access to. */
async function sendRoleEvents(context: ChangeContext, changes: readonly RoleChange[]): Promise<void> {
  const { app, tx, realm } = context;
  const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
  const { users } = userListOf(permissions.organization);
  const defaultChannelIds = await app.reads.read<readonly number[]>(channelKeys.defaults(realm.id)) ?? [];
  sendEvents(context, [
    ...toRoleEvents(permissions, changes),
    ...await app.hooks.toMetadataAccessEvents(app, {
      before: permissions,
      after: permissions,
      users: changes,
    }),
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

/**
 * Sends the events that follow when accounts are deactivated or reactivated together: members of groups,
 * permissions that name them, statuses. Must run before groups change, with the accounts in their new state.
 */
async function sendActivationEvents(context: ChangeContext, users: readonly UserRecord[]): Promise<void> {
  const { app, tx, realm } = context;
  const isActive = users[0]?.is_active === true;
  const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
  const change = { userIds: new Set(users.map(({ id }) => id)), isActive };
  const roleChanges = users.map((after) => ({ before: { ...after, is_active: !isActive }, after }));
  const owner = permissions.realm;
  const changed = listChangedPermissions(permissions, { kind: "realm", owner, change });
  const data = Object.fromEntries(Array.from(changed, ([name, { after }]) => [name, after]));
  const permissionEvent = { type: "realm", op: "update_dict", property: "default", data };
  sendEvents(context, [
    ...toRoleEvents(permissions, roleChanges),
    ...toGroupActivationEvents(permissions, change),
    ...changed.size === 0 ? [] : [{ event: permissionEvent, audience: "everyone" as const }],
    ...await app.hooks.toChannelActivationEvents(app, permissions, change),
    ...isActive ? [] : chunkIds([...change.userIds]).map((ids) => queueEndEvent(null, ids)),
  ]);
  for (const user of users) {
    const stored = await tx.peek<StatusRecord>(statusKeys.status(realm.id, user.id));
    if (stored === null) continue;
    const status = user.is_active ? stored : EMPTY_STATUS;
    sendUserEvent(context, user, { type: "user_status", user_id: user.id, ...status });
  }
}

/**
 * Sets a user's role, and lowers the role of the bots they own to at most the same role.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function setUserRole(context: ChangeContext, user: UserRecord, role: Role): Promise<UserRecord> {
  if (user.role === role) return user;
  const { tx, realm } = context;
  if (isOwner(user) && await isLastOwner(tx, realm.id, user)) {
    throw new AppError(
      "BAD_REQUEST",
      "The owner permission cannot be removed from the only organization owner.",
      { field: "role" },
    );
  }
  const botsAbove = (await readOwnedBots(context, user)).filter((bot) => bot.role < role);
  const changed = await putChanges(context, user, { role });
  const changes = [{ before: user, after: changed }];
  for (const bot of botsAbove) changes.push({ before: bot, after: await putChanges(context, bot, { role }) });
  await sendRoleEvents(context, changes);
  return changed;
}

/** Writes an account with changed properties, and sends them to the users who can access it. */
async function putChanges(
  context: ChangeContext,
  user: UserRecord,
  changes: Partial<Pick<UserRecord, "full_name" | "is_active" | "role">>,
): Promise<UserRecord> {
  const changed = { ...user, ...changes };
  await putUser(context.tx, context.realm.id, changed);
  sendProfileEvent(context, changed, changes);
  if (isBot(user) && changes.role === undefined) {
    await sendBotEvents(context, changed, { op: "update", bot: { user_id: user.id, ...changes } });
  }
  return changed;
}

export async function setUserFullName(
  context: ChangeContext,
  user: UserRecord,
  fullName: string,
): Promise<UserRecord> {
  return user.full_name === fullName ? user : await putChanges(context, user, { full_name: fullName });
}

/**
 * Sets a validated address of a human. Ends the sessions and the links mailed to the old address.
 * @throws AppError BAD_REQUEST when the address is taken, and for bots.
 */
export async function setUserEmail(
  context: ChangeContext,
  user: UserRecord,
  email: string,
): Promise<UserRecord> {
  if (user.delivery_email === email) return user;
  if (isBot(user)) {
    throw new AppError("BAD_REQUEST", "The address of a bot cannot be changed.", { field: "email" });
  }
  const changed = { ...user, delivery_email: email, session_epoch: user.session_epoch + 1 };
  await putUser(context.tx, context.realm.id, changed);
  sendEmailEvents(context, changed, { isVisibilityChange: false });
  return changed;
}

/**
 * Deactivates an account and its bots: their keys, sessions and invitations end.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function deactivateAccount(context: ChangeContext, user: UserRecord): Promise<UserRecord> {
  if (!user.is_active) return user;
  const { app, tx, realm } = context;
  if (await isLastOwner(tx, realm.id, user)) {
    throw new AppError("BAD_REQUEST", "Cannot deactivate the only organization owner");
  }
  const bots = await readOwnedBots(context, user);
  const invites_ended_at = app.clock.now();
  const closed = { ...user, session_epoch: user.session_epoch + 1, invites_ended_at };
  const deactivated = await putChanges(context, closed, { is_active: false });
  sendChangeEvent(context, { type: "invites_changed" }, "admins");
  const inactiveBots: UserRecord[] = [];
  for (const bot of bots) inactiveBots.push(await putChanges(context, bot, { is_active: false }));
  await sendActivationEvents(context, [deactivated, ...inactiveBots]);
  return deactivated;
}

/** Reactivates an account but not its bots. A bot whose owner is deactivated gets `newOwner` as its owner. */
export async function reactivateAccount(
  context: ChangeContext,
  user: UserRecord,
  newOwner: UserRecord | null,
): Promise<UserRecord> {
  if (user.is_active) return user;
  const { tx, realm } = context;
  let owned = user;
  if (isBot(user) && newOwner !== null) {
    const owner = user.bot_owner_id === null ? null : await getUser(tx, realm.id, user.bot_owner_id);
    if (!owner?.is_active) owned = { ...user, bot_owner_id: newOwner.id };
  }
  const reactivated = await putChanges(context, owned, { is_active: true });
  if (owned.bot_owner_id !== user.bot_owner_id) {
    await sendBotOwnerEvents(context, { before: user, bot: reactivated });
  }
  await sendActivationEvents(context, [reactivated]);
  return reactivated;
}

async function readOwnedBots({ tx, realm }: ChangeContext, owner: UserRecord): Promise<UserRecord[]> {
  const ids = isBot(owner) ? [] : await ownedBots.get(tx, { realm, actingUser: owner });
  return await Promise.all(ids.map((id) => getUser(tx, realm.id, id)));
}
