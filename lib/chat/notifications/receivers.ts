import { type Key, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { deviceKeys, type DeviceRecord, isReachable } from "../devices/device.ts";
import { messageKeys, type MessageRecord } from "../messages/message.ts";

/** The ids of the accounts of an organization that have a device with a key and a token. */
export async function listHolders(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlySet<number>> {
  const holders = new Set<number>();
  const prefix = [...deviceKeys.all(realmId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<DeviceRecord>(entry);
    if (isReachable(value)) holders.add(Number(key[2]));
  }
  return holders;
}

/** The ids of an account's devices that have a key and a token, ascending. */
export async function listDevices(
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

/** How far back it is looked whether somebody wrote to a topic, in steps over messages of others or elsewhere. */
const MAX_STEPS = 200;

/** Whether somebody wrote to a message's topic before, as far as that is found in a bounded time. */
export async function takesPart(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<boolean> {
  if (message.channel_id === null) return false;
  const own = messageKeys.sentBy(realmId, userId);
  const topic = messageKeys.ofTopic(realmId, message.channel_id, message.topic);
  // Both are walked down, each from where the other stands, so that long stretches without the other are skipped.
  let below = message.id;
  for (let step = 0; step < MAX_STEPS; step++) {
    const [mine, there] = await Promise.all([lastBelow(app, own, below), lastBelow(app, topic, below)]);
    if (mine === null || there === null) return false;
    if (mine === there) return true;
    below = Math.min(mine, there) + 1;
  }
  return false;
}

async function lastBelow({ store }: ChatApp, prefix: Key, id: number): Promise<number | null> {
  const listing = store.kv.list({ prefix: [...prefix], end: [...prefix, id] }, { limit: 1, reverse: true });
  for await (const { key } of listing) return Number(key.at(-1));
  return null;
}
