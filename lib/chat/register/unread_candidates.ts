import { GREATEST, IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, readRecord, toEntry } from "@/lib/kv/key.ts";
import { channelKeys, type Period, type SubscriptionRecord } from "../channels/channel.ts";
import { foldTopic, messageKeys, type TopicRecord } from "../messages/message.ts";
import { toSet } from "../messages/read_state.ts";
import { isBot } from "../users/user.ts";
import type { RegisterCall } from "./part.ts";

/** Of the messages of a store only the newest are looked through: whoever never marks anything costs no more than that. */
export const REACH = 200_000;
/** Bots hardly ever mark anything, and begin anew often. */
export const REACH_OF_BOTS = 20_000;
/** Channels, and topics of each, that are looked through at the same time. */
const SIDE_BY_SIDE = 20;
/** Keys that are read from the store at once. */
const BATCH = 500;
/** Sets that are read from the store at once: they may be large. */
const SET_BATCH = 20;

/** Messages that may be unread; what their senders and moves say is left to be looked at. */
export interface UnreadCandidates {
  /** Ascending, each once. */
  readonly ids: readonly number[];
  /** Those that the account marked as unread again, which they are whatever else is noted. */
  readonly marked: IntervalSet;
  /** Whether there are older ones that were not looked at. */
  readonly isCutOff: boolean;
}

/** Whose messages, and which of them. */
interface Search {
  readonly call: RegisterCall;
  /** What lies at or below it is read by a mark of everything. */
  readonly readAll: number;
  /** The greatest id that is not looked at. */
  readonly floor: number;
}

/**
 * What an account may not have read, worked out from the keys of messages alone: of conversations and of those channels
 * in `subscriptions`.
 */
export async function findUnreadCandidates(
  call: RegisterCall,
  subscriptions: ReadonlyMap<number, SubscriptionRecord>,
): Promise<UnreadCandidates> {
  const { app, realm, user } = call;
  const [marked, readAll, head] = await Promise.all([
    app.reads.read<Uint8Array>(messageKeys.unread(realm.id, user.id)),
    app.reads.read<number>(messageKeys.readAll(realm.id, user.id)),
    readRecord<number>(app.store.kv, channelKeys.messageHead),
  ]);
  const floor = Math.max(readAll ?? 0, (head ?? 0) - (isBot(user) ? REACH_OF_BOTS : REACH));
  const search: Search = { call, readAll: readAll ?? 0, floor };
  const own = new Set(await listIds(search, messageKeys.sentBy(realm.id, user.id), { from: floor + 1 }));
  const found = new Set(await directCandidates(search));
  let isCutOff = await hasBelowFloor(
    search,
    messageKeys.directOf(realm.id, user.id),
    IntervalSet.of(0, GREATEST),
  );
  const channels = [...subscriptions];
  for (let at = 0; at < channels.length; at += SIDE_BY_SIDE) {
    const some = channels.slice(at, at + SIDE_BY_SIDE);
    const parts = await Promise.all(
      some.map(([id, { periods }]) => lookIntoChannel(search, { channelId: id, periods })),
    );
    for (const { ids } of parts) for (const id of ids) found.add(id);
    isCutOff ||= parts.some((part) => part.isCutOff);
  }
  const noted = toSet(marked);
  const ids = new Set([...[...found].filter((id) => !own.has(id)), ...numbersOf(noted)]);
  return { ids: [...ids].sort((one, other) => one - other), marked: noted, isCutOff };
}

async function lookIntoChannel(
  search: Search,
  { channelId, periods }: { channelId: number; periods: readonly Period[] },
): Promise<Pick<UnreadCandidates, "ids" | "isCutOff">> {
  const received = receivedIn(search, periods);
  const open = received.subtract(await readInChannel(search, channelId));
  const [moved, unmoved, isCutOff] = await Promise.all([
    movedCandidates(search, channelId, received),
    channelCandidates(search, channelId, open),
    hasBelowFloor(search, messageKeys.ofChannel(search.call.realm.id, channelId), open),
  ]);
  return { ids: [...moved, ...unmoved], isCutOff };
}

/** What was received in a channel and is not read by a mark of everything. */
function receivedIn({ readAll }: Search, periods: readonly Period[]): IntervalSet {
  return periods.reduce((all, { from, to }) => all.add(from, to ?? GREATEST), IntervalSet.empty)
    .within(readAll + 1, GREATEST);
}

async function readInChannel(
  { call: { app, realm, user } }: Search,
  channelId: number,
): Promise<IntervalSet> {
  return toSet(await app.reads.read<Uint8Array>(messageKeys.readChannel(realm.id, user.id, channelId)));
}

/** Where those were read that came from elsewhere is noted there. */
async function movedCandidates(search: Search, channelId: number, received: IntervalSet): Promise<number[]> {
  const { call: { app, realm }, floor } = search;
  const prefix = messageKeys.movedInto(realm.id, { channelId, bucket: "" }).slice(0, -1);
  const ids: number[] = [];
  for await (const { key } of app.store.kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    const id = Number(key.at(-1));
    if (id > floor && received.has(id)) ids.push(id);
  }
  return ids;
}

async function channelCandidates(search: Search, channelId: number, open: IntervalSet): Promise<number[]> {
  const { call: { app, realm, user }, floor } = search;
  const inReach = open.within(floor + 1, GREATEST);
  const newest = await listIds(search, messageKeys.ofChannel(realm.id, channelId), {
    from: inReach.first ?? GREATEST,
    limit: 1,
  });
  if (newest.length === 0) return [];
  const readIn = new Map<unknown, IntervalSet>();
  const prefix = messageKeys.readInTopic(realm.id, user.id, { channelId, bucket: "" }).slice(0, -1);
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: SET_BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    readIn.set(key.at(-1), toSet(value));
  }
  const topics = await listTopicNames(search, channelId);
  const found: number[] = [];
  for (let at = 0; at < topics.length; at += SIDE_BY_SIDE) {
    const some = topics.slice(at, at + SIDE_BY_SIDE).map(async (topic) => {
      const unread = inReach.subtract(readIn.get(foldTopic(topic)) ?? IntervalSet.empty);
      if (unread.first === undefined) return [];
      const ids = await listIds(search, messageKeys.ofTopic(realm.id, channelId, topic), {
        from: unread.first,
      });
      return ids.filter((id) => unread.has(id));
    });
    for (const ids of await Promise.all(some)) for (const id of ids) found.push(id);
  }
  return found;
}

async function listTopicNames({ call: { app, realm } }: Search, channelId: number): Promise<string[]> {
  const names: string[] = [];
  const prefix = [...messageKeys.topics(realm.id, channelId)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: BATCH })) {
    names.push(toEntry<TopicRecord>(entry).value.name);
  }
  return names;
}

/** Conversations are read message by message alone, so that it does not matter which one a message is in. */
async function directCandidates(search: Search): Promise<number[]> {
  const { call: { app, realm, user }, floor } = search;
  const read = new Set<number>();
  const prefix = messageKeys.readInConversation(realm.id, user.id, 0).slice(0, -1);
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: SET_BATCH })) {
    for (const id of numbersOf(toSet(toEntry<Uint8Array>(entry).value))) read.add(id);
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

/** The ids that an index holds from one on, or the first of them. */
async function listIds(
  { call: { app } }: Search,
  prefix: Key,
  { from, limit }: { from: number; limit?: number },
): Promise<number[]> {
  const ids: number[] = [];
  const selector = { prefix: [...prefix], start: [...prefix, from] };
  const options = limit === undefined ? { batchSize: BATCH } : { limit };
  for await (const { key } of app.store.kv.list(selector, options)) ids.push(Number(key.at(-1)));
  return ids;
}

function* numbersOf(set: IntervalSet): Generator<number> {
  for (const { from, to } of set.intervals()) for (let id = from; id <= to; id++) yield id;
}
