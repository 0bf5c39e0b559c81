import { parseIdSet, updateIdSet } from "./store.ts";
import { IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, keyName } from "@/lib/store/key.ts";
import { readVersion } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { isReadByMuting, readMutedUsers } from "../people/muted_users.ts";
import { messageKeys, type MessageRecord } from "./model.ts";

/** Number of topics from which all sets of the user are listed, and how many there may be for each topic. */
const MIN_LISTED_TOPICS = 20;
const MAX_SETS_PER_TOPIC = 4;
/** Sets per read of the store: they may be large. */
const SET_BATCH = 100;
/** Estimated memory of the sets of a user and of each set, without its name and content, in bytes. */
const USER_BYTES = 500;
const SET_BYTES = 100;
/** Parts of a key that name the organization, the kind and the user. */
const OWNER_PARTS = 3;

export interface MarksOwner {
  readonly realmId: number;
  readonly userId: number;
}

export type ReadTarget = Pick<
  MessageRecord,
  "id" | "channel_id" | "conversation_id" | "read_bucket" | "read_channel_id"
>;

export function toReadTarget(message: MessageRecord): ReadTarget {
  const { id, channel_id, conversation_id, read_bucket, read_channel_id } = message;
  const target = { id, channel_id, conversation_id, read_bucket };
  return read_channel_id === undefined ? target : { ...target, read_channel_id };
}

/** Returns the key of the read state that covers a message, by the topic it was first sent to. */
function toThreadKey({ realmId, userId }: MarksOwner, message: ReadTarget): Key {
  const { conversation_id, read_bucket: bucket } = message;
  const channelId = toReadChannelId(message);
  return channelId === null
    ? messageKeys.readInConversation(realmId, userId, conversation_id ?? 0)
    : messageKeys.readInTopic(realmId, userId, { channelId, bucket });
}

/**
 * Updates the stored set of the messages that a user has read in a topic, channel or conversation. Changes of topics
 * and channels are counted, so that no process uses the set as it was. Every write of such a set must call this.
 */
export async function updateThreadSet(
  tx: Tx,
  { realmId, userId }: MarksOwner,
  { key, change }: { key: Key; change: (set: IntervalSet) => IntervalSet },
): Promise<void> {
  const isChanged = await updateIdSet(tx, key, change);
  if (isChanged && key[1] !== "read_direct") tx.sum(messageKeys.readVersion(realmId, userId), 1n);
}

/**
 * Creates a reader of a user's sets for one request, which reads each of them once: for each message that of its topic
 * or conversation, and that of its channel. From the first messages of many topics on, it takes the sets of all topics,
 * unless the user has many more. They stay in memory until one of them changes.
 */
function createThreadSetsReader(
  app: ChatApp,
  owner: MarksOwner,
): (messages: readonly ReadTarget[]) => Promise<(readonly IntervalSet[])[]> {
  const known = new Map<string, readonly IntervalSet[]>();
  let reading: Promise<TopicSets | null> | undefined;
  const readSet = async (key: Key) => parseIdSet(await app.reads.read<Uint8Array>(key));
  return async (messages) => {
    const names = messages.map(toThreadName);
    const unknown = new Map(messages.map((message, at) => [names[at] ?? "", message]));
    for (const name of unknown.keys()) if (known.has(name)) unknown.delete(name);
    const count = unknown.values().filter(({ channel_id }) => channel_id !== null).toArray().length;
    if (count >= MIN_LISTED_TOPICS) reading ??= readTopicSets(app, owner, MAX_SETS_PER_TOPIC * count);
    const topicSets = await reading ?? null;
    const single: Promise<void>[] = [];
    for (const [name, message] of unknown) {
      const channelId = toReadChannelId(message);
      if (channelId !== null && topicSets !== null) known.set(name, topicSets.list(name, channelId));
      else {
        const ofChannel = channelId === null
          ? []
          : [messageKeys.readChannel(owner.realmId, owner.userId, channelId)];
        const sets = Promise.all([toThreadKey(owner, message), ...ofChannel].map(readSet));
        single.push(sets.then((read) => void known.set(name, read)));
      }
    }
    if (single.length > 0) await Promise.all(single);
    return names.map((name) => known.get(name) ?? []);
  };
}

/** Returns a user's sets, from memory if they are current; null when there are more than `limit` of a kind. */
async function readTopicSets(
  app: ChatApp,
  { realmId, userId }: MarksOwner,
  limit: number,
): Promise<TopicSets | null> {
  const key = messageKeys.readVersion(realmId, userId);
  const version = await readVersion(app.reads, key);
  const known = app.cache.find<TopicSets>(keyName(key), version);
  if (known !== undefined) return known;
  const listed = await listTopicSets(app, { realmId, userId }, limit);
  if (listed === null) return null;
  const sets = new TopicSets(listed);
  app.cache.keep(keyName(key), version, sets, sets.bytes);
  return sets;
}

/** Lists the entries of a user's sets of topics and channels; null when there are more than `limit` of either. */
async function listTopicSets(
  { store }: ChatApp,
  { realmId, userId }: MarksOwner,
  limit: number,
): Promise<Deno.KvEntry<Uint8Array>[] | null> {
  const prefixes = [
    messageKeys.readInTopic(realmId, userId, { channelId: 0, bucket: "" }).slice(0, -2),
    messageKeys.readChannel(realmId, userId, 0).slice(0, -1),
  ];
  const listings = await Promise.all(prefixes.map(async (prefix) => {
    const options = { limit: limit + 1, batchSize: SET_BATCH };
    return await Array.fromAsync(store.kv.list<Uint8Array>({ prefix: [...prefix] }, options));
  }));
  return listings.some(({ length }) => length > limit) ? null : listings.flat();
}

/** The sets of all topics and channels of a user, which take a fraction of the memory of parsed ones. */
class TopicSets {
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  readonly #content: Uint8Array;
  /** Ends of the sets in the content, in their order. */
  readonly #ends: Uint32Array;
  /** Numbers of the sets of topics and of channels by their names. */
  readonly #positions = new Map<string, number>();

  constructor(entries: readonly Deno.KvEntry<Uint8Array>[]) {
    this.#content = new Uint8Array(entries.reduce((sum, { value }) => sum + value.length, 0));
    this.#ends = new Uint32Array(entries.length);
    let end = 0;
    let nameUnits = 0;
    for (const [position, { key, value }] of entries.entries()) {
      const name = key.slice(OWNER_PARTS).join(" ");
      this.#content.set(value, end);
      this.#ends[position] = end += value.length;
      this.#positions.set(name, position);
      nameUnits += name.length;
    }
    this.bytes = USER_BYTES + SET_BYTES * entries.length + nameUnits + end;
  }

  /** Returns the sets that cover a topic; none where nothing was read. */
  list(topicName: string, channelId: number): readonly IntervalSet[] {
    const positions = [this.#positions.get(topicName), this.#positions.get(String(channelId))];
    return positions.filter((position) => position !== undefined).map((position) => this.#parse(position));
  }

  #parse(position: number): IntervalSet {
    return IntervalSet.parse(this.#content.subarray(this.#ends[position - 1] ?? 0, this.#ends[position]));
  }
}

/** Returns the channel whose sets cover a message: the one that it was first sent to. */
function toReadChannelId({ channel_id, read_channel_id }: ReadTarget): number | null {
  return read_channel_id ?? channel_id;
}

/**
 * Returns a name that messages share exactly when the same sets cover them: for topics, the parts of the set's key after
 * the user. No other name has a space.
 */
function toThreadName(message: ReadTarget): string {
  const channelId = toReadChannelId(message);
  return channelId === null ? `direct-${message.conversation_id}` : `${channelId} ${message.read_bucket}`;
}

/**
 * Returns whether a user has read a message. An unread mark overrides everything else; otherwise their own
 * messages, messages of muted users, marks of everything, of the channel, and of the topic or conversation
 * count.
 */
export async function isMarkedRead(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<boolean> {
  const [isRead = false] = await createReadMarksReader(app, { realmId, userId })([message]);
  return isRead;
}

/** Creates a reader of `isMarkedRead` for many messages that reads each mark of a user once. */
export function createReadMarksReader(
  app: ChatApp,
  owner: MarksOwner,
): (messages: readonly MessageRecord[]) => Promise<boolean[]> {
  const { realmId, userId } = owner;
  const readThreads = createThreadSetsReader(app, owner);
  const readOverall = () =>
    Promise.all([
      app.reads.read<Uint8Array>(messageKeys.unread(realmId, userId)).then(parseIdSet),
      app.reads.read<number>(messageKeys.readAll(realmId, userId)),
      readMutedUsers(app, realmId, userId),
    ]);
  let overall: ReturnType<typeof readOverall> | undefined;
  return async (messages) => {
    const [[unread, readAll, muted], sets] = await Promise.all([
      overall ??= readOverall(),
      readThreads(messages),
    ]);
    return messages.map((message, at) => {
      const { id, sender_id } = message;
      if (unread.has(id)) return false;
      if (sender_id === userId || (readAll ?? 0) >= id || isReadByMuting(muted, message)) return true;
      return sets[at]?.some((marked) => marked.has(id)) === true;
    });
  };
}

/** Writes that a user has read messages, or marked them as unread. */
export async function writeReadMarks(
  tx: Tx,
  owner: MarksOwner,
  { messages, isRead }: { messages: readonly ReadTarget[]; isRead: boolean },
): Promise<void> {
  const ids = IntervalSet.from(messages.map(({ id }) => id));
  const unread = messageKeys.unread(owner.realmId, owner.userId);
  await updateIdSet(tx, unread, (set) => isRead ? set.subtract(ids) : set.union(ids));
  if (!isRead) return;
  const byKey = Map.groupBy(messages, (message) => JSON.stringify(toThreadKey(owner, message)));
  for (const group of byKey.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const own = IntervalSet.from(group.map(({ id }) => id));
    await updateThreadSet(tx, owner, { key: toThreadKey(owner, first), change: (set) => set.union(own) });
  }
}
