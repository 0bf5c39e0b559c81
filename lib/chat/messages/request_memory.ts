import { type Key, keyName, toValue } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";

/** What many messages of one answer have in common. What each has of its own is not kept: a search reads very many. */
const SHARED: readonly unknown[] = [
  "channel",
  "subscription",
  "conversation",
  "user",
  "unread",
  "read",
  "read_direct",
  "read_all",
  "read_channel",
];

/** Fewer rows than these are read one by one. */
const MANY = 8;

/**
 * The same app for one request: channels, subscriptions, conversations, people and what the reader has read are read
 * once, however many messages ask for them, so that all of an answer is decided on the same of them.
 */
export function rememberReads(app: ChatApp): ChatApp {
  const known = new Map<string, Promise<unknown>>();
  const read = async <T>(key: Key): Promise<T | null> => {
    if (!SHARED.includes(key[1])) return await app.reads.read<T>(key);
    const name = keyName(key);
    const reading = known.get(name) ?? app.reads.read<T>(key);
    known.set(name, reading);
    return toValue<T | null>(await reading);
  };
  return { ...app, reads: { read } };
}

/** Rows of a request that are read in one go: below each prefix, those of some ids. */
export interface Rows {
  readonly prefixes: readonly Key[];
  readonly ids: readonly number[];
}

/**
 * The same app with the rows of many messages read by ranges, which costs a fraction of one by one, as most are not
 * there. Where a range holds far more rows than are wanted, they are read one by one after all.
 */
export async function expectRows(app: ChatApp, { prefixes, ids }: Rows): Promise<ChatApp> {
  const [from, to] = [Math.min(...ids), Math.max(...ids)];
  if (ids.length < MANY) return app;
  const known = new Map<string, ReadonlyMap<unknown, unknown>>();
  await Promise.all(prefixes.map(async (prefix) => {
    const rows = await readRange(app, { prefix, from, to, limit: 2 * ids.length });
    if (rows !== null) known.set(keyName(prefix), rows);
  }));
  const wanted = new Set(ids);
  const read = async <T>(key: Key): Promise<T | null> => {
    const id = key.at(-1);
    const rows = typeof id === "number" && wanted.has(id) ? known.get(keyName(key.slice(0, -1))) : undefined;
    return rows === undefined ? await app.reads.read<T>(key) : toValue<T | null>(rows.get(id) ?? null);
  };
  return { ...app, reads: { read } };
}

/** The rows between two ids, both included; null where there are more than `limit`. */
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
