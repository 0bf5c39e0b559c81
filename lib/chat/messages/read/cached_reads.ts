import { LRUCache } from "lru-cache";
import { type Key, keyName, toEntry, toValue } from "@/lib/store/key.ts";
import type { ChatApp, RecentIds, RecentIdsCache } from "@/lib/chat/app.ts";
import { readRecords, type RecordReading } from "@/lib/store/record_cache.ts";
import {
  type Candidate,
  type CandidateScan,
  type IdScan,
  messageKeys,
  type MessageRecord,
} from "../model.ts";
import { readMessagesVersion } from "../store.ts";

/**
 * Kinds of records that many messages of one response share. Records of single messages are not cached: a
 * search reads very many.
 */
const CACHED_KINDS: ReadonlySet<unknown> = new Set([
  "conversation",
  "unread",
  "read",
  "read_direct",
  "read_all",
  "read_channel",
  "read_version",
  "alert_words",
  "muted_users",
  "message_changes",
]);

/** First part of the keys of counters of ids. */
const SEQUENCES = "seq";

/**
 * Returns the app with a read cache for one request: conversations and read state are read once, so the whole
 * response is based on the same versions.
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

/** Number of messages from which a range is read. */
const MIN_RANGE = 8;
const BATCH = 100;
/** Estimated memory of a message without its texts, in bytes. */
const RECORD_BYTES = 1000;

/** Reads messages by id, in the order of the ids and without checking access; null for those that do not exist. */
export async function readMessages(
  app: ChatApp,
  realmId: number,
  ids: readonly number[],
): Promise<(MessageRecord | null)[]> {
  if (ids.length === 0) return [];
  const reading = toMessageReading((await readMessagesVersion(app, realmId)).changes);
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const known = ids.map((id) => app.records.get<MessageRecord>(toKey(id), reading.version) ?? null);
  const missing = ids.filter((_, at) => known[at] === null);
  if (missing.length === 0) return known;
  // A range that holds the messages and no others costs much less, and its time reveals nothing about others.
  const isRange = missing.length >= MIN_RANGE && Math.max(...missing) - Math.min(...missing) < missing.length;
  const read = isRange
    ? await listMessages(app, realmId, { ids: missing, reading })
    : await readRecords<MessageRecord>(app, missing.map(toKey), reading);
  let next = 0;
  return known.map((message) => message ?? read[next++] ?? null);
}

/** Returns how messages are kept that are read after the counter of changes had a value. */
function toMessageReading(version: number): RecordReading<MessageRecord> {
  return {
    version,
    // Texts take one or two bytes for each unit.
    countBytes: ({ content, rendered }) => RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)),
  };
}

async function listMessages(
  { store, records }: ChatApp,
  realmId: number,
  { ids, reading }: { ids: readonly number[]; reading: RecordReading<MessageRecord> },
): Promise<(MessageRecord | null)[]> {
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const range = { start: toKey(Math.min(...ids)), end: toKey(Math.max(...ids) + 1) };
  const listed = new Map<number, MessageRecord>();
  for await (const entry of store.kv.list(range, { batchSize: BATCH })) {
    const { key, value: message } = toEntry<MessageRecord>(entry);
    records.keep(key, message, reading);
    listed.set(message.id, message);
  }
  return ids.map((id) => listed.get(id) ?? null);
}

/** Estimated memory of the cached ids, and of a list of ids without any, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
const LIST_BYTES = 500;
const ID_BYTES = 8;

/** Creates a cache of ids that drops the index first that was scanned the longest time ago. */
export function createRecentIdsCache(): RecentIdsCache {
  return new LRUCache<string, RecentIds>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ ids }) => LIST_BYTES + ID_BYTES * ids.length,
  });
}

/** Index of messages by id, in the rows below a prefix. */
interface IdIndex {
  readonly realmId: number;
  readonly prefix: Key;
}

/** Number of ids per store read, and of those that are returned together. */
const IDS_AT_ONCE = 100;
const CHUNK = 20;
/** Number of the newest ids of an index that are cached. */
const MAX_RECENT = 2000;
/** Kind of the index that is the messages themselves. */
const MESSAGES = "message";
/** Indexes of which every change is counted as a change of messages, or is a new message. */
const COUNTED_KINDS: ReadonlySet<unknown> = new Set([
  MESSAGES,
  "channel_message",
  "topic_message",
  "conversation_message",
  "sent_message",
]);

/** Lists the ids of an index in scan order, in chunks. The newest ids of most indexes come from a cache. */
export function scanIds(app: ChatApp, index: IdIndex, scan: IdScan): CandidateScan {
  return COUNTED_KINDS.has(index.prefix[1])
    ? scanRecentIds(app, index, scan)
    : scanStoredIds(app, index, scan);
}

async function* scanRecentIds(app: ChatApp, index: IdIndex, scan: IdScan): CandidateScan {
  let recent = await readRecentIds(app, index);
  if (scan.from < recent.floor) return yield* scanStoredIds(app, index, scan);
  if (scan.isAscending) {
    return yield* toChunks(
      recent.ids.slice(0, recent.ids.findLastIndex((id) => id >= scan.from) + 1).reverse(),
    );
  }
  const first = recent.ids.findIndex((id) => id <= scan.from);
  for (let at = first < 0 ? recent.ids.length : first;;) {
    yield* toChunks(recent.ids.slice(at));
    at = recent.ids.length;
    if (recent.floor === 0) return;
    if (at >= MAX_RECENT) break;
    recent = await extendRecentIds(app, index, recent);
    if (at >= recent.ids.length) return;
  }
  yield* scanStoredIds(app, index, { from: recent.floor - 1, isAscending: false });
}

function* toChunks(ids: readonly number[]): Generator<readonly Candidate[]> {
  for (let at = 0; at < ids.length; at += CHUNK) {
    yield ids.slice(at, at + CHUNK).map((id) => ({ id, message: null }));
  }
}

/** Yields the ids of an index in scan order, all from the store. */
async function* scanStoredIds(
  { store }: ChatApp,
  { prefix }: IdIndex,
  { from, isAscending }: IdScan,
): CandidateScan {
  const holdsMessages = prefix[1] === MESSAGES;
  const selector = isAscending
    ? { prefix: [...prefix], start: [...prefix, from] }
    : { prefix: [...prefix], end: [...prefix, from + 1] };
  let listed: Candidate[] = [];
  for await (const entry of store.kv.list(selector, { reverse: !isAscending, batchSize: IDS_AT_ONCE })) {
    const { key, value } = toEntry<unknown>(entry);
    const id = key.at(-1);
    if (typeof id !== "number") continue;
    if (listed.push({ id, message: holdsMessages ? toValue<MessageRecord>(value) : null }) < CHUNK) continue;
    yield listed;
    listed = [];
  }
  if (listed.length > 0) yield listed;
}

/** Returns the newest ids of an index as of now, possibly none; `extendRecentIds` adds older ones. */
async function readRecentIds(app: ChatApp, index: IdIndex): Promise<RecentIds> {
  const name = keyName(index.prefix);
  const { changes, head } = await readMessagesVersion(app, index.realmId);
  const known = app.recentIds.get(name);
  if (known !== undefined && known.changes >= changes) {
    if (known.head >= head) return known;
    const added = await listIds(app, index, {
      changes,
      range: { start: [...index.prefix, known.head + 1], end: [...index.prefix, head + 1] },
    });
    if (added.length < IDS_AT_ONCE) {
      const ids = [...added, ...known.ids];
      const kept = ids.slice(0, MAX_RECENT + IDS_AT_ONCE);
      const floor = kept.length < ids.length ? kept.at(-1) ?? known.floor : known.floor;
      const recent = { changes: known.changes, head, ids: kept, floor };
      app.recentIds.set(name, recent);
      return recent;
    }
  }
  return { changes, head, ids: [], floor: head + 1 };
}

/** Reads the next older ids of an index and caches them; the floor is 0 when there are no more. */
async function extendRecentIds(app: ChatApp, index: IdIndex, recent: RecentIds): Promise<RecentIds> {
  const { prefix } = index;
  const { changes, head, floor } = recent;
  const older = await listIds(app, index, {
    changes,
    range: { prefix: [...prefix], end: [...prefix, floor] },
  });
  const extended = {
    changes,
    head,
    ids: [...recent.ids, ...older],
    floor: older.length < IDS_AT_ONCE ? 0 : older.at(-1) ?? 0,
  };
  const name = keyName(prefix);
  const known = app.recentIds.get(name);
  if (known === undefined || !isNewer(known, extended)) app.recentIds.set(name, extended);
  return extended;
}

/** Returns whether cached ids are more useful than others. */
function isNewer(one: RecentIds, other: RecentIds): boolean {
  if (one.changes !== other.changes) return one.changes > other.changes;
  return one.head === other.head ? one.floor <= other.floor : one.head > other.head;
}

/** Lists at most BATCH ids of a range, descending; caches the messages where the index is the messages themselves. */
async function listIds(
  { store, records }: ChatApp,
  { prefix }: IdIndex,
  { changes, range }: { changes: number; range: Deno.KvListSelector },
): Promise<number[]> {
  const ids: number[] = [];
  const reading = toMessageReading(changes);
  const holdsMessages = prefix[1] === MESSAGES;
  const options = { reverse: true, limit: IDS_AT_ONCE, batchSize: IDS_AT_ONCE };
  for await (const entry of store.kv.list(range, options)) {
    const { key, value } = toEntry<MessageRecord>(entry);
    const id = key.at(-1);
    if (typeof id !== "number") continue;
    if (holdsMessages) records.keep(key, value, reading);
    ids.push(id);
  }
  return ids;
}
