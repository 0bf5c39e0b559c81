import { IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, keyName } from "@/lib/kv/key.ts";
import { readVersion } from "@/lib/kv/read_version.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { messageKeys, type MessageRecord } from "../../model.ts";
import { parseIdSet, updateIdSet } from "./id_sets.ts";

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

/** A user whose marks are read. */
export interface MarksOwner {
  readonly realmId: number;
  readonly userId: number;
}

/** The part of a message that its read state depends on. */
export type ReadTarget = Pick<
  MessageRecord,
  "id" | "channel_id" | "conversation_id" | "read_bucket" | "read_channel_id"
>;

/** Returns the part of a message that its read state depends on. */
export function toReadTarget(message: MessageRecord): ReadTarget {
  const { id, channel_id, conversation_id, read_bucket, read_channel_id } = message;
  const target = { id, channel_id, conversation_id, read_bucket };
  return read_channel_id === undefined ? target : { ...target, read_channel_id };
}

/** Returns the key of the read state that covers a message, by the topic it was first sent to. */
export function toThreadKey({ realmId, userId }: MarksOwner, message: ReadTarget): Key {
  const { channel_id, conversation_id, read_bucket, read_channel_id } = message;
  return channel_id === null
    ? messageKeys.readInConversation(realmId, userId, conversation_id ?? 0)
    : messageKeys.readInTopic(realmId, userId, {
      channelId: read_channel_id ?? channel_id,
      bucket: read_bucket,
    });
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
  if (isChanged && !isOfConversation(key)) tx.sum(messageKeys.readVersion(realmId, userId), 1n);
}

/** Reads the sets that cover each message: that of its topic or conversation, and that of its channel. */
export type ThreadSetsReader = (messages: readonly ReadTarget[]) => Promise<(readonly IntervalSet[])[]>;

/**
 * Creates a reader of a user's sets for one request. From the first messages of many topics on, it takes the sets of
 * all topics, unless the user has many more. They stay in memory until one of them changes.
 */
export function createThreadSetsReader(app: ChatApp, owner: MarksOwner): ThreadSetsReader {
  let reading: Promise<TopicSets | null> | undefined;
  let topicSets: TopicSets | null = null;
  const readSet = async (key: Key) =>
    topicSets === null || isOfConversation(key)
      ? parseIdSet(await app.reads.read<Uint8Array>(key))
      : topicSets.get(key);
  return async (messages) => {
    const count = messages.filter(({ channel_id }) => channel_id !== null).length;
    if (count >= MIN_LISTED_TOPICS) reading ??= readTopicSets(app, owner, MAX_SETS_PER_TOPIC * count);
    if (reading !== undefined) topicSets = await reading;
    return await Promise.all(
      messages.map((message) => Promise.all(listThreadKeys(owner, message).map(readSet))),
    );
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
  const known = app.topicSets.get<TopicSets>(key, version);
  if (known !== undefined) return known;
  const listed = await listTopicSets(app, { realmId, userId }, limit);
  if (listed === null) return null;
  const sets = new TopicSets(listed);
  app.topicSets.keep(key, sets, { version, countBytes: ({ bytes }) => bytes });
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
  /** Numbers of the sets by the names of their keys. */
  readonly #places = new Map<string, number>();

  constructor(entries: readonly Deno.KvEntry<Uint8Array>[]) {
    this.#content = new Uint8Array(entries.reduce((sum, { value }) => sum + value.length, 0));
    this.#ends = new Uint32Array(entries.length);
    let end = 0;
    let nameUnits = 0;
    for (const [place, { key, value }] of entries.entries()) {
      const name = toName(key);
      this.#content.set(value, end);
      this.#ends[place] = end += value.length;
      this.#places.set(name, place);
      nameUnits += name.length;
    }
    this.bytes = USER_BYTES + SET_BYTES * entries.length + nameUnits + end;
  }

  /** Returns the set of a key; empty when there is none. */
  get(key: Key): IntervalSet {
    const place = this.#places.get(toName(key));
    return place === undefined
      ? IntervalSet.empty
      : IntervalSet.parse(this.#content.subarray(this.#ends[place - 1] ?? 0, this.#ends[place]));
  }
}

/** Returns the keys of the sets that cover a message: of its topic or conversation, and of its channel. */
function listThreadKeys(owner: MarksOwner, message: ReadTarget): readonly Key[] {
  const { realmId, userId } = owner;
  const channelId = message.read_channel_id ?? message.channel_id;
  const key = toThreadKey(owner, message);
  return channelId === null ? [key] : [key, messageKeys.readChannel(realmId, userId, channelId)];
}

/** Returns the part in which the keys of a user's sets of topics and channels differ, as a text. */
function toName(key: Key): string {
  return keyName(key.slice(OWNER_PARTS));
}

function isOfConversation([, kind]: Key): boolean {
  return kind === "read_direct";
}
