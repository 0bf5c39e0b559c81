import { type Key, toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { deviceKeys, type DeviceRecord, isReachable } from "../devices/model.ts";
import { messageKeys, type MessageRecord } from "../messages/model.ts";

/** Returns the ids of an organization's users who have a reachable device. */
export async function listReachableUserIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlySet<number>> {
  const userIds = new Set<number>();
  const prefix = [...deviceKeys.all(realmId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<DeviceRecord>(entry);
    if (isReachable(value)) userIds.add(Number(key[2]));
  }
  return userIds;
}

/** Returns the ids of a user's reachable devices, ascending. */
export async function listReachableDeviceIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  userId: number,
): Promise<number[]> {
  const ids: number[] = [];
  for await (const entry of store.kv.list({ prefix: [...deviceKeys.devices(realmId, userId)] })) {
    const { value } = toEntry<DeviceRecord>(entry);
    if (isReachable(value)) ids.push(value.id);
  }
  return ids;
}

/** Maximum number of steps when looking for a user's earlier message in a topic. */
const MAX_STEPS = 200;

/** Returns whether a user wrote to a message's topic before, as far as found within MAX_STEPS. */
export async function hasWrittenInTopic(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<boolean> {
  if (message.channel_id === null) return false;
  const own = messageKeys.sentBy(realmId, userId);
  const topic = messageKeys.ofTopic(realmId, message.channel_id, message.topic);
  // Both indexes are walked down in turn, each from the other's position, which skips long stretches.
  let below = message.id;
  for (let step = 0; step < MAX_STEPS; step++) {
    const [lastOwn, lastInTopic] = await Promise.all([
      findLastBelow(app, own, below),
      findLastBelow(app, topic, below),
    ]);
    if (lastOwn === null || lastInTopic === null) return false;
    if (lastOwn === lastInTopic) return true;
    below = Math.min(lastOwn, lastInTopic) + 1;
  }
  return false;
}

async function findLastBelow({ store }: ChatApp, prefix: Key, id: number): Promise<number | null> {
  const listing = store.kv.list({ prefix: [...prefix], end: [...prefix, id] }, { limit: 1, reverse: true });
  for await (const { key } of listing) return Number(key.at(-1));
  return null;
}
