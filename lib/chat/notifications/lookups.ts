import type { BatchedReads } from "@/lib/kv/batched_reads.ts";
import { type Key, keyName, toValue } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { listSubscribers } from "../channels/audience.ts";
import { listHolders } from "./receivers.ts";

/** What many messages that are seen to together ask again and again; as it was when it was first asked. */
export interface Lookups {
  /** The ids of the subscribers of a channel that have a device to be told on, ascending. */
  subscribersWithDevices(realmId: number, channelId: number): Promise<readonly number[]>;
  /** Reads that are made once. */
  readonly reads: BatchedReads;
}

/** Reads that are remembered at most; those beyond are made each time. */
const MAX_READS = 100_000;

/** Remembers for a few seconds of work. */
export function createLookups(app: ChatApp): Lookups {
  const holders = new Map<number, Promise<ReadonlySet<number>>>();
  const channels = new Map<string, Promise<readonly number[]>>();
  const values = new Map<string, Promise<unknown>>();
  const holdersOf = (realmId: number) => once(holders, realmId, () => listHolders(app, realmId));
  const subscribers = async (realmId: number, channelId: number) => {
    const having = await holdersOf(realmId);
    return having.size === 0
      ? []
      : (await listSubscribers(app, realmId, channelId)).filter((id) => having.has(id));
  };
  return {
    subscribersWithDevices: (realmId, channelId) =>
      once(channels, `${realmId} ${channelId}`, () => subscribers(realmId, channelId)),
    reads: {
      async read<T>(key: Key): Promise<T | null> {
        const name = keyName(key);
        if (values.size >= MAX_READS && !values.has(name)) return await app.reads.read<T>(key);
        return toValue<T | null>(await once(values, name, () => app.reads.read(key)));
      },
    },
  };
}

function once<K, V>(known: Map<K, Promise<V>>, name: K, find: () => Promise<V>): Promise<V> {
  const found = known.get(name) ?? find();
  known.set(name, found);
  return found;
}
