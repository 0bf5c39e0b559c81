import type { BatchedReads } from "@/lib/store/batched_reads.ts";
import { type Key, keyName, toValue } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { listSubscriberIds } from "../channels/subscriptions/store.ts";
import { listReachableUserIds } from "./store.ts";

/** Cache of reads shared by messages that are processed together. Values may be as old as the cache. */
export interface LookupCache {
  /** Returns the ids of a channel's subscribers who have a reachable device, ascending. */
  subscribersWithDevices(realmId: number, channelId: number): Promise<readonly number[]>;
  /** Reads each key once. */
  readonly reads: BatchedReads;
}

/** Maximum number of cached reads. Further keys are read each time. */
const MAX_READS = 100_000;

/** Creates a cache, to be used for a few seconds of work. */
export function createLookupCache(app: ChatApp): LookupCache {
  const reachableUsers = new Map<number, Promise<ReadonlySet<number>>>();
  const channels = new Map<string, Promise<readonly number[]>>();
  const values = new Map<string, Promise<unknown>>();
  const readReachableUsers = (realmId: number) =>
    getOrStart(reachableUsers, realmId, () => listReachableUserIds(app, realmId));
  const readSubscribers = async (realmId: number, channelId: number) => {
    const reachable = await readReachableUsers(realmId);
    return reachable.size === 0
      ? []
      : (await listSubscriberIds(app, realmId, channelId)).filter((id) => reachable.has(id));
  };
  return {
    subscribersWithDevices: (realmId, channelId) =>
      getOrStart(channels, `${realmId} ${channelId}`, () => readSubscribers(realmId, channelId)),
    reads: {
      async read<T>(key: Key): Promise<T | null> {
        const name = keyName(key);
        if (values.size >= MAX_READS && !values.has(name)) return await app.reads.read<T>(key);
        return toValue<T | null>(await getOrStart(values, name, () => app.reads.read(key)));
      },
    },
  };
}

function getOrStart<K, V>(cache: Map<K, Promise<V>>, name: K, read: () => Promise<V>): Promise<V> {
  const value = cache.get(name) ?? read();
  cache.set(name, value);
  return value;
}
