import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Audience } from "../events/emit.ts";
import { chunkIds } from "../events/in_events.ts";
import { sortedSet } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { listUsers, readUser } from "../users/store.ts";
import { isGuest, type UserRecord } from "../users/user.ts";
import { hasMetadataAccess } from "./access.ts";
import { channelKeys, type ChannelRecord } from "./channel.ts";

/** Accounts that are read one by one rather than by way of all of the organization's. */
const MAX_READ_SINGLY = 300;

/**
 * Lets a transaction run again when anybody comes into a channel or leaves it before it commits; to be called before
 * its subscribers are listed, as listing them reads the store itself.
 */
export async function watchSubscribers(
  tx: Pick<Tx, "get">,
  realmId: number,
  channelId: number,
): Promise<void> {
  await tx.get(channelKeys.joinerCount(realmId, channelId));
  await tx.get(channelKeys.leaverCount(realmId, channelId));
}

/** Whom to tell of a channel: exactly those who may know of it. `joining` are accounts that the same change subscribes. */
export async function audiencesOf(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, joining = [] }: { channel: ChannelRecord; joining?: readonly number[] },
): Promise<readonly Audience[]> {
  if (channel.is_web_public) return ["everyone"];
  if (channel.invite_only) {
    return chunkIds(await listMetadataAudience(app, permissions, { channel, joining }));
  }
  const subscribers = await listSubscribers(app, permissions.realm.id, channel.id);
  const users = await readUsers(app, permissions.realm.id, sortedSet([...subscribers, ...joining]));
  const guests = users.filter((user) => user.is_active && isGuest(user));
  return ["members", ...chunkIds(guests.map(({ id }) => id))];
}

/** The ids of the active accounts that may know of a channel, ascending. */
export async function listMetadataAudience(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, joining = [] }: { channel: ChannelRecord; joining?: readonly number[] },
): Promise<readonly number[]> {
  const users = await listUsers(app, permissions.realm.id);
  const subscribed = new Set([...await listSubscribers(app, permissions.realm.id, channel.id), ...joining]);
  return users.filter((user) =>
    user.is_active && hasMetadataAccess(permissions, { channel, user, isSubscribed: subscribed.has(user.id) })
  ).map(({ id }) => id);
}

/** Those among accounts, by their ids, that could not know of a channel without being subscribed. */
export async function listNewcomers(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<readonly number[]> {
  const users = await readUsers(app, permissions.realm.id, userIds);
  return users.filter((user) => !hasMetadataAccess(permissions, { channel, user, isSubscribed: false }))
    .map(({ id }) => id);
}

/** The accounts with these ids: one by one while they are few, else by way of all. */
async function readUsers(app: ChatApp, realmId: number, ids: readonly number[]): Promise<UserRecord[]> {
  if (ids.length > MAX_READ_SINGLY) {
    const wanted = new Set(ids);
    return (await listUsers(app, realmId)).filter(({ id }) => wanted.has(id));
  }
  const users = await Promise.all(ids.map((id) => readUser(app, realmId, id)));
  return users.filter((user) => user !== null);
}

/** The ids of the accounts that are subscribed to a channel, deactivated ones among them, ascending. */
export async function listSubscribers(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  channelId: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  const prefix = [...channelKeys.subscribers(realmId, channelId)];
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) {
    const id = key.at(-1);
    if (typeof id === "number") ids.push(id);
  }
  return ids;
}
