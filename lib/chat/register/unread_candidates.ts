import { GREATEST, IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, readRecord, toEntry } from "@/lib/kv/key.ts";
import { channelKeys, type Period, type SubscriptionRecord } from "../channels/channel.ts";
import { foldTopic, messageKeys, type TopicRecord } from "../messages/message.ts";
import { toSet } from "../messages/read_state.ts";
import type { RegisterCall } from "./part.ts";

/** Of the messages of a store only the newest are looked through: whoever never marks anything costs no more than that. */
export const REACH = 200_000;
/** Topics that are looked through at the same time. */
const SIDE_BY_SIDE = 50;
const BATCH = 500;

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
  const floor = Math.max(readAll ?? 0, (head ?? 0) - REACH);
  const search: Search = { call, readAll: readAll ?? 0, floor };
  const own = new Set(await listIds(search, messageKeys.sentBy(realm.id, user.id), floor + 1));
  const found = new Set(await directCandidates(search));
  let isCutOff = await hasBelowFloor(search, messageKeys.directOf(realm.id, user.id), IntervalSet.of(0, GREATEST));
  for (const [channelId, { periods }] of subscriptions) {
    const open = await openIn(search, channelId, periods);
    for (const id of await channelCandidates(search, channelId, open)) found.add(id);
    isCutOff ||= await hasBelowFloor(search, messageKeys.ofChannel(realm.id, channelId), open);
  }
  const noted = toSet(marked);
  const ids = [...found].filter((id) => !own.has(id) || noted.has(id));
  return { ids: [...new Set([...ids, ...numbersOf(noted)])].sort((a, b) => a - b), marked: noted, isCutOff };
}

/** What was received in a channel and is not read by marking the channel or everything. */
async function openIn(
  { call: { app, realm, user }, readAll }: Search,
  channelId: number,
  periods: readonly Period[],
): Promise<IntervalSet> {
  const read = await app.reads.read<Uint8Array>(messageKeys.readChannel(realm.id, user.id, channelId));
  return periods.reduce((all, { from, to }) => all.add(from, to ?? GREATEST), IntervalSet.empty)
    .within(readAll + 1, GREATEST).subtract(toSet(read));
}

async function channelCandidates(search: Search, channelId: number, open: IntervalSet): Promise<number[]> {
  const { call: { app, realm, user }, floor } = search;
  const movedIds = await listIds(search, messageKeys.movedInto(realm.id, { channelId, bucket: "" }).slice(0, -1), 0);
  const inReach = open.within(floor + 1, GREATEST);
  const newest = await listIds(search, messageKeys.ofChannel(realm.id, channelId), inReach.first ?? GREATEST, 1);
  if (newest.length === 0) return movedIds;
  const readIn = new Map<unknown, IntervalSet>();
  const prefix = messageKeys.readInTopic(realm.id, user.id, { channelId, bucket: "" }).slice(0, -1);
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    readIn.set(key.at(-1), toSet(value));
  }
  const topics = await listTopicNames(search, channelId);
  const found = [...movedIds];
  for (let at = 0; at < topics.length; at += SIDE_BY_SIDE) {
    const some = topics.slice(at, at + SIDE_BY_SIDE).map(async (topic) => {
      const unread = inReach.subtract(readIn.get(foldTopic(topic)) ?? IntervalSet.empty);
      if (unread.first === undefined) return [];
      const ids = await listIds(search, messageKeys.ofTopic(realm.id, channelId, topic), unread.first);
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
  const read: IntervalSet[] = [];
  const prefix = messageKeys.readInConversation(realm.id, user.id, 0).slice(0, -1);
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    read.push(toSet(toEntry<Uint8Array>(entry).value));
  }
  const ids = await listIds(search, messageKeys.directOf(realm.id, user.id), floor + 1);
  return ids.filter((id) => !read.some((set) => set.has(id)));
}

async function hasBelowFloor(search: Search, index: Key, open: IntervalSet): Promise<boolean> {
  const { floor, readAll } = search;
  const older = open.within(readAll + 1, floor);
  if (older.first === undefined) return false;
  const [first] = await listIds(search, index, older.first, 1);
  return first !== undefined && first <= floor;
}

/** The ids that an index holds from one on. */
async function listIds(
  { call: { app } }: Search,
  prefix: Key,
  ...[from, limit]: [from: number, limit?: number]
): Promise<number[]> {
  const ids: number[] = [];
  return ids;
}

function* numbersOf(set: IntervalSet): Generator<number> {
  for (const { from, to } of set.intervals()) for (let id = from; id <= to; id++) yield id;
}
