import type { ChatApp } from "@/lib/chat/app.ts";
import { type Key, keyName, toEntry, toValue } from "@/lib/store/key.ts";
import type { Candidate, CandidateScan, IdScan, MessageRecord } from "../model.ts";
import { readMessagesVersion } from "../store.ts";
import { keepMessage } from "./read_messages.ts";

/** Index of messages by id, in the rows below a prefix. */
export interface IdIndex {
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
const BATCH = 100;
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
  for await (const entry of store.kv.list(selector, { reverse: !isAscending, batchSize: BATCH })) {
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
    if (added.length < BATCH) {
      const ids = [...added, ...known.ids];
      const kept = ids.slice(0, MAX_RECENT + BATCH);
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
    floor: older.length < BATCH ? 0 : older.at(-1) ?? 0,
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
  const options = { reverse: true, limit: BATCH, batchSize: BATCH };
  for await (const entry of app.store.kv.list(range, options)) {
    const { key, value } = toEntry<MessageRecord>(entry);
    const id = key.at(-1);
    if (typeof id !== "number") continue;
    if (holdsMessages) keepMessage(app, key, { message: value, changes });
    ids.push(id);
  }
  return ids;
}
