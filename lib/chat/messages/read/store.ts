import { IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, keyName } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { isReadByMuting } from "@/lib/chat/muted_users/model.ts";
import { readMutedUsers } from "@/lib/chat/muted_users/store.ts";
import { messageKeys, type MessageRecord } from "../model.ts";

/** Number of topics from which all sets of the user are listed, and how many there may be for each topic. */
const MIN_LISTED_TOPICS = 20;
const MAX_SETS_PER_TOPIC = 4;
/** Sets per read of the store: they may be large. */
const SET_BATCH = 100;

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

/** A user whose marks are read. */
interface MarksOwner {
  readonly realmId: number;
  readonly userId: number;
}

/** Returns for each message whether a user has read it, as `isMarkedRead` does. */
export type ReadMarksReader = (messages: readonly MessageRecord[]) => Promise<boolean[]>;

/** Creates a reader that reads each mark of a user once. */
export function createReadMarksReader(app: ChatApp, owner: MarksOwner): ReadMarksReader {
  const { realmId, userId } = owner;
  const readThreads = createThreadSetsReader(app, owner);
  const readOverall = () =>
    Promise.all([
      readSet(app, messageKeys.unread(realmId, userId)),
      app.reads.read<number>(messageKeys.readAll(realmId, userId)),
      readMutedUsers(app, realmId, userId),
    ]);
  const byThread = new Map<string, readonly IntervalSet[]>();
  let overall: ReturnType<typeof readOverall> | undefined;
  return async (messages) => {
    const names = messages.map(toThreadName);
    const unknown = new Map(messages.map((message, at) => [names[at] ?? "", message]));
    for (const name of byThread.keys()) unknown.delete(name);
    const [[unread, readAll, muted], sets] = await Promise.all([
      overall ??= readOverall(),
      readThreads([...unknown.values()]),
    ]);
    for (const [at, name] of [...unknown.keys()].entries()) byThread.set(name, sets[at] ?? []);
    return messages.map((message, at) => {
      const { id, sender_id } = message;
      if (unread.has(id)) return false;
      if (sender_id === userId || (readAll ?? 0) >= id || isReadByMuting(muted, message)) return true;
      return byThread.get(names[at] ?? "")?.some((marked) => marked.has(id)) === true;
    });
  };
}

/** Reads the sets of the messages that a user has read in the topics and conversations of messages. */
type ThreadSetsReader = (messages: readonly MessageRecord[]) => Promise<(readonly IntervalSet[])[]>;

/** Creates a reader that lists the sets of all topics when many are needed, unless the user has many more. */
function createThreadSetsReader(app: ChatApp, owner: MarksOwner): ThreadSetsReader {
  let listed: ReadonlyMap<string, IntervalSet> | null = null;
  let isListed = false;
  const readThread = (message: MessageRecord) => {
    const keys = listThreadKeys(owner, message);
    if (listed === null || message.channel_id === null) {
      return Promise.all(keys.map((key) => readSet(app, key)));
    }
    return keys.map((key) => listed?.get(keyName(key)) ?? IntervalSet.empty);
  };
  return async (messages) => {
    const count = messages.filter(({ channel_id }) => channel_id !== null).length;
    if (!isListed && count >= MIN_LISTED_TOPICS) {
      isListed = true;
      listed = await listTopicSets(app, owner, MAX_SETS_PER_TOPIC * count);
    }
    return await Promise.all(messages.map(readThread));
  };
}

/** Lists a user's sets of topics and channels by the names of their keys; null when there are more than `limit`. */
async function listTopicSets(
  { store }: ChatApp,
  { realmId, userId }: MarksOwner,
  limit: number,
): Promise<ReadonlyMap<string, IntervalSet> | null> {
  const prefixes = [
    messageKeys.readInTopic(realmId, userId, { channelId: 0, bucket: "" }).slice(0, -2),
    messageKeys.readChannel(realmId, userId, 0).slice(0, -1),
  ];
  const listings = await Promise.all(prefixes.map(async (prefix) => {
    const options = { limit: limit + 1, batchSize: SET_BATCH };
    return await Array.fromAsync(store.kv.list<Uint8Array>({ prefix: [...prefix] }, options));
  }));
  if (listings.some(({ length }) => length > limit)) return null;
  return new Map(listings.flat().map(({ key, value }) => [keyName(key), parseIdSet(value)]));
}

async function readSet({ reads }: ChatApp, key: Key): Promise<IntervalSet> {
  return parseIdSet(await reads.read<Uint8Array>(key));
}

/** Returns the keys of the sets that cover a message: of its topic or conversation, and of its channel. */
function listThreadKeys({ realmId, userId }: MarksOwner, message: ReadTarget): readonly Key[] {
  const keys = [toReadKey(realmId, userId, message), toReadChannelKey(realmId, userId, message)];
  return keys.filter((key) => key !== null);
}

/** Returns a name that messages share exactly when the same marks of topics and channels cover them. */
function toThreadName({ channel_id, conversation_id, read_bucket, read_channel_id }: ReadTarget): string {
  return `${read_channel_id ?? channel_id} ${conversation_id} ${read_bucket}`;
}

/** Returns the key of the mark of a whole channel that covers a message; null in conversations. */
function toReadChannelKey(realmId: number, userId: number, message: ReadTarget): Key | null {
  const channelId = message.read_channel_id ?? message.channel_id;
  return channelId === null ? null : messageKeys.readChannel(realmId, userId, channelId);
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
function toReadKey(realmId: number, userId: number, message: ReadTarget): Key {
  const { channel_id, conversation_id, read_bucket, read_channel_id } = message;
  return channel_id === null
    ? messageKeys.readInConversation(realmId, userId, conversation_id ?? 0)
    : messageKeys.readInTopic(realmId, userId, {
      channelId: read_channel_id ?? channel_id,
      bucket: read_bucket,
    });
}

/** Parses a stored id set; empty when none is stored. */
export function parseIdSet(stored: Uint8Array | null): IntervalSet {
  return stored === null ? IntervalSet.empty : IntervalSet.parse(stored);
}

/** Updates a stored id set; writes nothing when it does not change. */
export async function updateIdSet(
  tx: Tx,
  key: Key,
  change: (set: IntervalSet) => IntervalSet,
): Promise<void> {
  const before = parseIdSet(await tx.get<Uint8Array>(key));
  const after = change(before);
  if (after.equals(before)) return;
  if (after.isEmpty) tx.delete(key);
  else tx.set(key, after.serialize());
}

/** Writes that a user has read messages, or marked them as unread. */
export async function writeReadMarks(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  { messages, isRead }: { messages: readonly ReadTarget[]; isRead: boolean },
): Promise<void> {
  const ids = IntervalSet.from(messages.map(({ id }) => id));
  const unread = messageKeys.unread(realmId, userId);
  await updateIdSet(tx, unread, (set) => isRead ? set.subtract(ids) : set.union(ids));
  if (!isRead) return;
  const byKey = Map.groupBy(messages, (message) => JSON.stringify(toReadKey(realmId, userId, message)));
  for (const group of byKey.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const own = IntervalSet.from(group.map(({ id }) => id));
    await updateIdSet(tx, toReadKey(realmId, userId, first), (set) => set.union(own));
  }
}
