import { chunk } from "es-toolkit/array/chunk";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import type { SubscriptionPeriod, SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { messageKeys, type TopicRecord } from "@/lib/chat/messages/model.ts";
import { parseIdSet } from "@/lib/chat/messages/read/store.ts";
import { foldTopic } from "@/lib/chat/topics/model.ts";
import { isBot } from "@/lib/chat/users/model.ts";
import { GREATEST, IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, readRecord, toEntry } from "@/lib/kv/key.ts";
import type { StateContext } from "./model.ts";

/**
 * Number of the newest messages of a store that are searched, so that accounts that never mark messages cost
 * no more.
 */
export const MAX_SEARCHED = 200_000;
/** The same for bots, which rarely mark messages as read and register often. */
export const MAX_SEARCHED_FOR_BOTS = 20_000;
/** Channels, and topics of each, that are searched in parallel. */
const PARALLEL = 20;
/** Keys per read of the store. */
const BATCH = 500;
/** Sets per read of the store: they may be large. */
const SET_BATCH = 20;

/** Messages that may be unread; their senders and moves remain to be checked. */
export interface UnreadCandidates {
  /** Ascending, without repetition. */
  readonly ids: readonly number[];
  /** Messages that the account marked as unread, which overrides every other mark. */
  readonly marked: IntervalSet;
  /** Whether there are older ones that were not searched. */
  readonly isCutOff: boolean;
}

/** The account whose unread messages are searched. */
export type UnreadReader = Pick<StateContext, "app" | "realm" | "user">;

/** Bounds of a search. */
interface Search {
  readonly context: UnreadReader;
  /** Id up to which the account marked all messages as read. */
  readonly readAll: number;
  /** Largest id that is not searched. */
  readonly floor: number;
}

/**
 * Returns the messages of conversations and of the channels in `subscriptions` that may be unread. Reads the
 * keys of messages only.
 */
export async function findUnreadCandidates(
  context: UnreadReader,
  subscriptions: ReadonlyMap<number, SubscriptionRecord>,
): Promise<UnreadCandidates> {
  const { app, realm, user } = context;
  const [markedBytes, readAll, head] = await Promise.all([
    app.reads.read<Uint8Array>(messageKeys.unread(realm.id, user.id)),
    app.reads.read<number>(messageKeys.readAll(realm.id, user.id)),
    readRecord<number>(app.store.kv, channelKeys.messageHead),
  ]);
  const floor = Math.max(readAll ?? 0, (head ?? 0) - (isBot(user) ? MAX_SEARCHED_FOR_BOTS : MAX_SEARCHED));
  const search: Search = { context, readAll: readAll ?? 0, floor };
  const own = new Set(await listIds(search, messageKeys.sentBy(realm.id, user.id), { from: floor + 1 }));
  const found = new Set(await listDirectCandidates(search));
  let isCutOff = await hasBelowFloor(
    search,
    messageKeys.directOf(realm.id, user.id),
    IntervalSet.of(0, GREATEST),
  );
  for (const batch of chunk([...subscriptions], PARALLEL)) {
    const moved = await listChannelsWithMoved(search, batch.map(([id]) => id));
    const results = await Promise.all(
      batch.map(([id, { periods }]) =>
        searchChannel(search, { channelId: id, periods, holdsMoved: moved.has(id) })
      ),
    );
    for (const { ids } of results) for (const id of ids) found.add(id);
    isCutOff ||= results.some((result) => result.isCutOff);
  }
  const marked = parseIdSet(markedBytes);
  const ids = new Set([...[...found].filter((id) => !own.has(id)), ...listIdsOf(marked)]);
  return { ids: [...ids].sort((one, other) => one - other), marked, isCutOff };
}

/** A channel that is searched, and whether messages were moved into it. */
interface SearchedChannel {
  readonly channelId: number;
  readonly periods: readonly SubscriptionPeriod[];
  readonly holdsMoved: boolean;
}

/**
 * Returns those of the channels that messages were moved into; skips the others with one read, as most
 * channels have none. The ids are ascending.
 */
async function listChannelsWithMoved(
  { context: { app, realm } }: Search,
  channelIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const prefix = [...messageKeys.movedInto(realm.id, { channelId: 0, bucket: "" }).slice(0, -2)];
  const found = new Set<number>();
  let left = channelIds;
  while (left.length > 0) {
    const selector = { start: [...prefix, left[0] ?? 0], end: [...prefix, (left.at(-1) ?? 0) + 1] };
    const [next] = await Array.fromAsync(app.store.kv.list(selector, { limit: 1 }));
    if (next === undefined) break;
    const channelId = Number(next.key[prefix.length]);
    if (channelIds.includes(channelId)) found.add(channelId);
    left = left.filter((id) => id > channelId);
  }
  return found;
}

async function searchChannel(
  search: Search,
  { channelId, periods, holdsMoved }: SearchedChannel,
): Promise<Pick<UnreadCandidates, "ids" | "isCutOff">> {
  const received = toReceived(search, periods);
  const open = received.subtract(await readMarkedInChannel(search, channelId));
  const [moved, unmoved, isCutOff] = await Promise.all([
    holdsMoved ? listMovedCandidates(search, channelId, received) : [],
    listChannelCandidates(search, channelId, open),
    hasBelowFloor(search, messageKeys.ofChannel(search.context.realm.id, channelId), open),
  ]);
  return { ids: [...moved, ...unmoved], isCutOff };
}

/** Returns the ids received in a channel since the account marked all messages as read. */
function toReceived({ readAll }: Search, periods: readonly SubscriptionPeriod[]): IntervalSet {
  return periods.reduce((all, { from, to }) => all.add(from, to ?? GREATEST), IntervalSet.empty)
    .within(readAll + 1, GREATEST);
}

async function readMarkedInChannel(
  { context: { app, realm, user } }: Search,
  channelId: number,
): Promise<IntervalSet> {
  return parseIdSet(await app.reads.read<Uint8Array>(messageKeys.readChannel(realm.id, user.id, channelId)));
}

/** Returns the messages moved into a channel: the marks of their former location are checked later. */
async function listMovedCandidates(
  search: Search,
  channelId: number,
  received: IntervalSet,
): Promise<number[]> {
  const { context: { app, realm }, floor } = search;
  const prefix = messageKeys.movedInto(realm.id, { channelId, bucket: "" }).slice(0, -1);
  const ids: number[] = [];
  for await (const { key } of app.store.kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    const id = Number(key.at(-1));
    if (id > floor && received.has(id)) ids.push(id);
  }
  return ids;
}

async function listChannelCandidates(
  search: Search,
  channelId: number,
  open: IntervalSet,
): Promise<number[]> {
  const { context: { app, realm, user }, floor } = search;
  const searched = open.within(floor + 1, GREATEST);
  const newest = await listIds(search, messageKeys.ofChannel(realm.id, channelId), {
    from: searched.first ?? GREATEST,
    limit: 1,
  });
  if (newest.length === 0) return [];
  const readByTopic = new Map<unknown, IntervalSet>();
  const prefix = messageKeys.readInTopic(realm.id, user.id, { channelId, bucket: "" }).slice(0, -1);
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: SET_BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    readByTopic.set(key.at(-1), parseIdSet(value));
  }
  const topics = await listTopicNames(search, channelId);
  const found: number[] = [];
  for (const batch of chunk(topics, PARALLEL)) {
    const searches = batch.map(async (topic) => {
      const unread = searched.subtract(readByTopic.get(foldTopic(topic)) ?? IntervalSet.empty);
      if (unread.first === undefined) return [];
      const ids = await listIds(search, messageKeys.ofTopic(realm.id, channelId, topic), {
        from: unread.first,
      });
      return ids.filter((id) => unread.has(id));
    });
    for (const ids of await Promise.all(searches)) for (const id of ids) found.push(id);
  }
  return found;
}

async function listTopicNames({ context: { app, realm } }: Search, channelId: number): Promise<string[]> {
  const names: string[] = [];
  const prefix = [...messageKeys.topics(realm.id, channelId)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: BATCH })) {
    names.push(toEntry<TopicRecord>(entry).value.name);
  }
  return names;
}

/** Returns the unread direct messages; the conversation of each does not matter, as marks are by message. */
async function listDirectCandidates(search: Search): Promise<number[]> {
  const { context: { app, realm, user }, floor } = search;
  const read = new Set<number>();
  const prefix = messageKeys.readInConversation(realm.id, user.id, 0).slice(0, -1);
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: SET_BATCH })) {
    for (const id of listIdsOf(parseIdSet(toEntry<Uint8Array>(entry).value))) read.add(id);
  }
  const ids = await listIds(search, messageKeys.directOf(realm.id, user.id), { from: floor + 1 });
  return ids.filter((id) => !read.has(id));
}

async function hasBelowFloor(search: Search, index: Key, open: IntervalSet): Promise<boolean> {
  const { floor, readAll } = search;
  const older = open.within(readAll + 1, floor);
  if (older.first === undefined) return false;
  const [first] = await listIds(search, index, { from: older.first, limit: 1 });
  return first !== undefined && first <= floor;
}

/** Returns the ids of an index from one on, up to a limit. */
async function listIds(
  { context: { app } }: Search,
  prefix: Key,
  { from, limit }: { from: number; limit?: number },
): Promise<number[]> {
  const ids: number[] = [];
  const selector = { prefix: [...prefix], start: [...prefix, from] };
  const options = limit === undefined ? { batchSize: BATCH } : { limit };
  for await (const { key } of app.store.kv.list(selector, options)) ids.push(Number(key.at(-1)));
  return ids;
}

function* listIdsOf(set: IntervalSet): Generator<number> {
  for (const { from, to } of set.intervals()) for (let id = from; id <= to; id++) yield id;
}
