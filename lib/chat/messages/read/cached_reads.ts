import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type Key, keyName, toEntry, toValue } from "@/lib/store/key.ts";
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
  const { changes } = await readMessagesVersion(app, realmId);
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const known = ids.map((id) => app.cache.find<MessageRecord>(keyName(toKey(id)), changes) ?? null);
  const missing = ids.filter((_, at) => known[at] === null);
  if (missing.length === 0) return known;
  // A range that holds the messages and no others costs much less, and its time reveals nothing about others.
  const isRange = missing.length >= MIN_RANGE && Math.max(...missing) - Math.min(...missing) < missing.length;
  const read = isRange
    ? await listMessages(app, realmId, { ids: missing, changes })
    : await Promise.all(missing.map((id) => readMessage(app, toKey(id), changes)));
  let next = 0;
  return known.map((message) => message ?? read[next++] ?? null);
}

/** Keeps a message in memory that was read after so many changes of its organization's messages. */
function keepMessage(
  { cache }: Pick<ChatApp, "cache">,
  key: Key,
  { message, changes }: { message: MessageRecord; changes: number },
): void {
  const { content, rendered } = message;
  // Texts take one or two bytes for each unit.
  cache.keep(keyName(key), changes, message, RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)));
}

async function readMessage(app: ChatApp, key: Key, changes: number): Promise<MessageRecord | null> {
  const message = await app.reads.read<MessageRecord>(key);
  if (message !== null) keepMessage(app, key, { message, changes });
  return message;
}

async function listMessages(
  app: ChatApp,
  realmId: number,
  { ids, changes }: { ids: readonly number[]; changes: number },
): Promise<(MessageRecord | null)[]> {
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const range = { start: toKey(Math.min(...ids)), end: toKey(Math.max(...ids) + 1) };
  const listed = new Map<number, MessageRecord>();
  for await (const entry of app.store.kv.list(range, { batchSize: BATCH })) {
    const { key, value: message } = toEntry<MessageRecord>(entry);
    keepMessage(app, key, { message, changes });
    listed.set(message.id, message);
  }
  return ids.map((id) => listed.get(id) ?? null);
}

/** Index of messages by id, in the rows below a prefix. */
interface IdIndex {
  readonly realmId: number;
  readonly prefix: Key;
}

/** The newest message ids of an index. */
interface RecentIds {
  /** Number of changes of the organization's messages before the ids were read. */
  readonly changes: number;
  /** Greatest message id before the ids were read. */
  readonly head: number;
  /** Descending: every id of the index from `floor` to `head`. */
  readonly ids: readonly number[];
  readonly floor: number;
}

/** Number of ids per store read, and of those that are returned together. */
const IDS_AT_ONCE = 100;
const CHUNK = 20;
/** Number of the newest ids of an index that are cached. */
const MAX_RECENT = 2000;
/** Estimated memory of a list of ids without any, and of an id, in bytes. */
const LIST_BYTES = 500;
const ID_BYTES = 8;
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
  const name = nameOf(index);
  const { changes, head } = await readMessagesVersion(app, index.realmId);
  const known = app.cache.find<RecentIds>(name, changes);
  if (known !== undefined) {
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
      keepRecent(app, name, recent);
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
  const name = nameOf(index);
  const known = app.cache.find<RecentIds>(name, changes);
  if (known === undefined || !isNewer(known, extended)) keepRecent(app, name, extended);
  return extended;
}

function nameOf({ prefix }: IdIndex): string {
  return `recent ids ${keyName(prefix)}`;
}

function keepRecent({ cache }: ChatApp, name: string, recent: RecentIds): void {
  cache.keep(name, recent.changes, recent, LIST_BYTES + ID_BYTES * recent.ids.length);
}

/** Returns whether cached ids are more useful than others. */
function isNewer(one: RecentIds, other: RecentIds): boolean {
  if (one.changes !== other.changes) return one.changes > other.changes;
  return one.head === other.head ? one.floor <= other.floor : one.head > other.head;
}

/** Lists at most BATCH ids of a range, descending; caches the messages where the index is the messages themselves. */
async function listIds(
  app: ChatApp,
  { prefix }: IdIndex,
  { changes, range }: { changes: number; range: Deno.KvListSelector },
): Promise<number[]> {
  const ids: number[] = [];
  const holdsMessages = prefix[1] === MESSAGES;
  const options = { reverse: true, limit: IDS_AT_ONCE, batchSize: IDS_AT_ONCE };
  for await (const entry of app.store.kv.list(range, options)) {
    const { key, value } = toEntry<MessageRecord>(entry);
    const id = key.at(-1);
    if (typeof id !== "number") continue;
    if (holdsMessages) keepMessage(app, key, { message: value, changes });
    ids.push(id);
  }
  return ids;
}
