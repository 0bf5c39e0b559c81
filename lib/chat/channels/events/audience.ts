import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type Audience, type ChatEvent, chunkIds } from "@/lib/chat/events/model.ts";
import { sortedUnique } from "@/lib/chat/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { listUsers, readUser } from "@/lib/chat/users/store.ts";
import { isGuest, type UserRecord } from "@/lib/chat/users/model.ts";
import { hasMetadataAccess } from "../model/access.ts";
import type { ChannelRecord } from "../model/channel.ts";
import { sendEvent } from "@/lib/chat/events/send_events.ts";
import { listSubscriberIds } from "../subscriptions/store.ts";

/** Maximum number of users that are read one by one; more are picked from a list of all users. */
const MAX_READ_SINGLY = 300;

/** Sends the same event to several audiences. */
export function sendToAudiences(
  tx: Tx,
  { realm, now }: PermissionContext,
  { event, audiences }: { event: ChatEvent; audiences: readonly Audience[] },
): void {
  for (const audience of audiences) sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}

/** A channel, and the users that the current transaction subscribes to it. */
interface AudienceQuery {
  readonly channel: ChannelRecord;
  readonly addedUserIds?: readonly number[];
}

/** Returns the audiences of a channel's events: exactly the users with metadata access. */
export async function listChannelAudiences(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, addedUserIds = [] }: AudienceQuery,
): Promise<readonly Audience[]> {
  if (channel.is_web_public) return ["everyone"];
  if (channel.invite_only) {
    return chunkIds(await listMetadataAudience(app, permissions, { channel, addedUserIds }));
  }
  const subscribers = await listSubscriberIds(app, permissions.realm.id, channel.id);
  const users = await readUsers(app, permissions.realm.id, sortedUnique([...subscribers, ...addedUserIds]));
  const guests = users.filter((user) => user.is_active && isGuest(user));
  return ["members", ...chunkIds(guests.map(({ id }) => id))];
}

/** Lists the ids of the active users with metadata access to a channel, ascending. */
export async function listMetadataAudience(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, addedUserIds = [] }: AudienceQuery,
): Promise<readonly number[]> {
  const users = await listUsers(app, permissions.realm.id);
  const subscriberIds = await listSubscriberIds(app, permissions.realm.id, channel.id);
  const subscribed = new Set([...subscriberIds, ...addedUserIds]);
  return users.filter((user) =>
    user.is_active && hasMetadataAccess(permissions, { channel, user, isSubscribed: subscribed.has(user.id) })
  ).map(({ id }) => id);
}

/**
 * Returns the ids of the given users that have no metadata access to a channel unless they are subscribed.
 */
export async function listNewcomerIds(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<readonly number[]> {
  const users = await readUsers(app, permissions.realm.id, userIds);
  return users.filter((user) => !hasMetadataAccess(permissions, { channel, user, isSubscribed: false }))
    .map(({ id }) => id);
}

async function readUsers(app: ChatApp, realmId: number, ids: readonly number[]): Promise<UserRecord[]> {
  if (ids.length > MAX_READ_SINGLY) {
    const wanted = new Set(ids);
    return (await listUsers(app, realmId)).filter(({ id }) => wanted.has(id));
  }
  const users = await Promise.all(ids.map((id) => readUser(app, realmId, id)));
  return users.filter((user) => user !== null);
}
