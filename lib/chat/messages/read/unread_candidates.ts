import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import type { SubscriptionPeriod, SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { GREATEST, IntervalSet } from "@/lib/core/interval_set.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { listAllSubscriptions } from "@/lib/chat/channels/subscriptions/store.ts";
import { messageKeys, type TopicBucket } from "../model.ts";
import { parseIdSet } from "../store.ts";
import { createTailReader, type TailReader, type TopicTail } from "./topic_tails.ts";

/**
 * Number of the newest messages of a store that are searched, so that accounts that never mark messages cost
 * no more.
 */
export const MAX_SEARCHED = 200_000;
/** The same for bots, which rarely mark messages as read and register often. */
export const MAX_SEARCHED_FOR_BOTS = 20_000;
/** Channels that are searched in parallel. */
const PARALLEL = 20;
/** Keys per read of the store. */
const BATCH = 500;
/** Topics and messages of a channel that are compared before the event loop takes its turn. */
const COMPARED_AT_ONCE = 4000;
/** Sets per read of the store: they may be large. */
const SET_BATCH = 50;

/** Messages that may be unread; their senders and moves remain to be checked. */
interface UnreadCandidates {
  /** Ascending, without repetition. */
  readonly ids: readonly number[];
  /** Messages that the account marked as unread, which overrides every other mark. */
  readonly marked: IntervalSet;
  /** Whether there are older ones that were not searched. */
  readonly isCutOff: boolean;
}

/** The account whose unread messages are searched. */
interface UnreadReader {
  readonly app: ChatApp;
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Returns the active subscriptions of an account to channels that are not archived, by channel id. */
export async function listUnarchivedSubscriptions(
  { app, realm, user }: UnreadReader,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const { byId } = await readChannelList(app, realm.id);
  const subscriptions = await listAllSubscriptions(app, realm.id, user.id);
  return new Map(
    [...subscriptions].filter(([id, { is_active }]) => is_active && byId.get(id)?.is_archived === false),
  );
}

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
    app.reads.read<number>(channelKeys.messageHead),
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
  const shared = await readShared(search, { head: head ?? 0, channelIds: [...subscriptions.keys()] });
  for (const batch of chunk([...subscriptions], PARALLEL)) {
    const moved = await listChannelsWithMoved(search, batch.map(([id]) => id));
    const results = await Promise.all(
      batch.map(([id, { periods }]) =>
        searchChannel({ ...search, ...shared }, {
          channelId: id,
          periods,
          holdsMoved: moved.has(id),
          needsCutOff: !isCutOff,
        })
      ),
    );
    for (const { ids } of results) for (const id of ids) found.add(id);
    isCutOff ||= results.some((result) => result.isCutOff);
  }
  const marked = parseIdSet(markedBytes);
  const ids = new Set([...[...found].filter((id) => !own.has(id)), ...listIdsOf(marked)]);
  return { ids: [...ids].sort((one, other) => one - other), marked, isCutOff };
}

/** Records that the searches of all channels share. */
interface Shared {
  readonly tails: TailReader;
  /** Read messages of channels that were marked as a whole, by channel id. */
  readonly readByChannel: ReadonlyMap<unknown, IntervalSet>;
  /** Read messages of topics, by channel id and folded name. */
  readonly readByTopic: ReadonlyMap<unknown, ReadonlyMap<unknown, IntervalSet>>;
}

type ChannelSearch = Search & Shared;

async function readShared(
  { context: { app, realm, user } }: Search,
  { head, channelIds }: { head: number; channelIds: readonly number[] },
): Promise<Shared> {
  const ofChannels = messageKeys.readChannel(realm.id, user.id, 0).slice(0, -1);
  const ofTopics = messageKeys.readInTopic(realm.id, user.id, { channelId: 0, bucket: "" }).slice(0, -2);
  const [channels, topics, tails] = await Promise.all([
    listIdSets(app, ofChannels, channelIds),
    listIdSets(app, ofTopics, channelIds),
    createTailReader(app, { realmId: realm.id, head }),
  ]);
  const readByTopic = new Map<unknown, Map<unknown, IntervalSet>>();
  for (const { key, set } of topics) {
    const [channelId, bucket] = key.slice(-2);
    const ofChannel = readByTopic.get(channelId) ?? new Map<unknown, IntervalSet>();
    readByTopic.set(channelId, ofChannel.set(bucket, set));
  }
  return {
    tails,
    readByTopic,
    readByChannel: new Map(channels.map(({ key, set }) => [key.at(-1), set])),
  };
}

/** Lists the sets below a prefix for the channels in a range of ids. */
async function listIdSets(
  { store }: ChatApp,
  prefix: Key,
  channelIds: readonly number[],
): Promise<{ readonly key: Key; readonly set: IntervalSet }[]> {
  const sets: { key: Key; set: IntervalSet }[] = [];
  if (channelIds.length === 0) return sets;
  const [first, last] = channelIds.reduce(
    ([least, greatest], id) => [Math.min(least, id), Math.max(greatest, id)],
    [Infinity, 0],
  );
  const range = { start: [...prefix, first], end: [...prefix, last + 1] };
  for await (const entry of store.kv.list(range, { batchSize: SET_BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    sets.push({ key, set: parseIdSet(value) });
  }
  return sets;
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

/** Searches a channel; older messages do not matter once one is known, in another channel. */
async function searchChannel(
  search: ChannelSearch,
  { channelId, periods, holdsMoved, needsCutOff }: {
    channelId: number;
    periods: readonly SubscriptionPeriod[];
    holdsMoved: boolean;
    needsCutOff: boolean;
  },
): Promise<Pick<UnreadCandidates, "ids" | "isCutOff">> {
  // The ids received in the channel since the account marked all messages as read.
  const received = periods.reduce((all, { from, to }) => all.add(from, to ?? GREATEST), IntervalSet.empty)
    .within(search.readAll + 1, GREATEST);
  const open = received.subtract(search.readByChannel.get(channelId) ?? IntervalSet.empty);
  const index = messageKeys.ofChannel(search.context.realm.id, channelId);
  const [moved, unmoved, isCutOff] = await Promise.all([
    holdsMoved ? listMovedCandidates(search, channelId, received) : [],
    listChannelCandidates(search, channelId, open),
    needsCutOff && hasBelowFloor(search, index, open),
  ]);
  return { ids: [...moved, ...unmoved], isCutOff };
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
  search: ChannelSearch,
  channelId: number,
  open: IntervalSet,
): Promise<number[]> {
  const searched = open.within(search.floor + 1, GREATEST);
  if (searched.first === undefined) return [];
  const readByTopic = search.readByTopic.get(channelId);
  const found: number[] = [];
  let compared = 0;
  for (const [bucket, tail] of await search.tails.ofChannel(channelId)) {
    if (compared++ > COMPARED_AT_ONCE) {
      compared = 0;
      await yieldToEventLoop();
    }
    const newest = tail.ids.at(-1) ?? 0;
    if (newest < searched.first) continue;
    const read = readByTopic?.get(bucket) ?? IntervalSet.empty;
    const first = searched.firstWithout(read, newest);
    if (first === undefined) continue;
    const ids = await listFrom(search, { channelId, bucket, tail, first });
    for (const id of ids) if (id >= first && searched.has(id) && !read.has(id)) found.push(id);
    compared += ids.length;
  }
  return found;
}

/**
 * Returns the messages of a topic from an id on, possibly with older ones; lists the topic if what is kept of it does
 * not go back far enough.
 */
async function listFrom(
  search: ChannelSearch,
  { channelId, bucket, tail, first }: TopicBucket & { tail: TopicTail; first: number },
): Promise<readonly number[]> {
  if (reachesBack(tail, first)) return tail.ids;
  const longTail = await search.tails.ofTopic({ channelId, bucket }, tail);
  if (reachesBack(longTail, first)) return longTail.ids;
  const { realm } = search.context;
  return await listIds(search, messageKeys.ofTopic(realm.id, channelId, bucket), { from: first });
}

function reachesBack({ ids, isWhole }: TopicTail, first: number): boolean {
  return isWhole || (ids[0] ?? 0) <= first;
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
