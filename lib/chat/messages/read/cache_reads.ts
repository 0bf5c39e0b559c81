import { type Key, keyName, toValue } from "@/lib/kv/key.ts";
import type { ChatApp } from "@/lib/chat/app.ts";

/**
 * Kinds of records that many messages of one response share. Records of single messages are not cached: a
 * search reads very many.
 */
const CACHED_KINDS: ReadonlySet<unknown> = new Set([
  "channel",
  "subscription",
  "conversation",
  "user",
  "unread",
  "read",
  "read_direct",
  "read_all",
  "read_channel",
  "alert_words",
  "muted_users",
  "linkifiers_version",
  "message_changes",
  "user_version",
]);

/** First part of the keys of counters of ids. */
const SEQUENCES = "seq";

/** Number of rows below which single reads are cheaper than ranges. */
const MIN_PREFETCHED_ROWS = 8;

/**
 * Returns the app with a read cache for one request: channels, subscriptions, conversations, users and read
 * state are read once, so the whole response is based on the same versions.
 */
export function cacheReads(app: ChatApp): ChatApp {
  const known = new Map<string, Promise<unknown>>();
  const read = <T>(key: Key): Promise<T | null> => {
    if (!CACHED_KINDS.has(key[1]) && key[0] !== SEQUENCES) return app.reads.read<T>(key);
    const name = keyName(key);
    let reading = known.get(name);
    if (reading === undefined) known.set(name, reading = app.reads.read<T>(key));
    return toValue<Promise<T | null>>(reading);
  };
  return { ...app, reads: { read } };
}

/** Rows of some ids below each prefix. */
export interface RowSelection {
  readonly prefixes: readonly Key[];
  readonly ids: readonly number[];
}

/**
 * Returns the app with the rows of many messages read by range, which is much cheaper than single reads
 * because most rows are absent. A range that holds far more rows than requested is not prefetched.
 */
export async function prefetchRows(app: ChatApp, { prefixes, ids }: RowSelection): Promise<ChatApp> {
  const [from, to] = [Math.min(...ids), Math.max(...ids)];
  if (ids.length < MIN_PREFETCHED_ROWS) return app;
  const ranges = await Promise.all(prefixes.map(async (prefix) => {
    return { prefix, rows: await readRange(app, { prefix, from, to, limit: 2 * ids.length }) };
  }));
  const wanted = new Set<unknown>(ids);
  const read = <T>(key: Key): Promise<T | null> => {
    const id = key.at(-1);
    const rows = wanted.has(id) ? ranges.find(({ prefix }) => isBelow(prefix, key))?.rows ?? null : null;
    return rows === null ? app.reads.read<T>(key) : Promise.resolve(toValue<T | null>(rows.get(id) ?? null));
  };
  return { ...app, reads: { read } };
}

/** Returns whether a key is a prefix and one more part. */
export function isBelow(prefix: Key, key: Key): boolean {
  return key.length === prefix.length + 1 && prefix.every((part, at) => part === key[at]);
}

/** Reads the rows between two ids, inclusive; returns null when there are more than `limit`. */
async function readRange(
  { store }: ChatApp,
  { prefix, from, to, limit }: { prefix: Key; from: number; to: number; limit: number },
): Promise<ReadonlyMap<unknown, unknown> | null> {
  const rows = new Map<unknown, unknown>();
  const range = { start: [...prefix, from], end: [...prefix, to + 1] };
  for await (const { key, value } of store.kv.list(range, { limit: limit + 1, batchSize: 100 })) {
    rows.set(key.at(-1), value);
  }
  return rows.size > limit ? null : rows;
}
