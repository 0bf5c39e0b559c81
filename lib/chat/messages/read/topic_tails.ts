import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { foldTopic } from "@/lib/chat/channels/topics/model.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import { listIds, readVersion } from "@/lib/store/reads.ts";
import { messageKeys, type MessageRecord, type TopicBucket } from "../model.ts";
import { findNewestId, readMessage } from "../store.ts";

/** Number of the newest messages of a topic that are kept, and of one whose readers need older ones. */
const TAIL_LENGTH = 16;
const LONG_TAIL_LENGTH = 1000;
/** Number of messages of a channel up to which all are listed at once, rather than each topic. */
const MAX_ROWS = 500;
/** Number of new messages up to which they are added one by one. */
const MAX_NEW = 200;
/** Sizes of a topic and of a message id in the cache, in UTF-16 units. */
const TOPIC_SIZE = 32;
const ID_SIZE = 4;

/** The newest messages of a topic. Some may be deleted. */
export interface TopicTail {
  /** Ascending. */
  readonly ids: readonly number[];
  /** Whether the topic has no older messages. */
  readonly isWhole: boolean;
}

/** The newest messages of a channel's topics, by the folded names of the topics. */
type TopicTails = ReadonlyMap<string, TopicTail>;

/** The newest messages of the topics of a channel, with all messages of the channel up to `newest`. */
interface ChannelTails {
  readonly size: number;
  readonly isSettled: boolean;
  readonly newest: number;
  readonly moves: number;
  readonly byTopic: TopicTails;
}

/** The ids of the newest messages of channels, with all messages up to `head`. */
interface ChannelHeads {
  readonly size: number;
  readonly head: number;
  /** Filled as channels are searched; 0 for a channel without messages. */
  readonly newest: Map<number, number>;
}

/** An organization, and the state up to which its messages are searched. */
interface TailSource {
  readonly realmId: number;
  /** Id of the last message of the server. */
  readonly head: number;
  /** Number of moves of messages in the organization. */
  readonly moves: number;
}

/** The newest messages of a topic whose readers need more than its tail. */
interface LongTail extends TopicTail {
  readonly size: number;
  readonly isSettled: boolean;
  readonly newest: number;
  readonly moves: number;
}

/** Reads the newest messages of topics. */
export interface TailReader {
  /** Returns those of a channel's topics. */
  readonly ofChannel: (channelId: number) => Promise<TopicTails>;
  /** Returns more of those of one topic than its tail has. */
  readonly ofTopic: (topic: TopicBucket, tail: TopicTail) => Promise<TopicTail>;
}

/**
 * Creates a reader of the topics of an organization with all messages up to the id `head`. Topics are kept in
 * memory: new messages are added to them, and a move of messages makes them be read again.
 */
export async function createTailReader(
  app: ChatApp,
  { realmId, head }: Pick<TailSource, "realmId" | "head">,
): Promise<TailReader> {
  const source = { realmId, head, moves: await readVersion(app.reads, messageKeys.moveVersion(realmId)) };
  const heads = await app.cache.get<ChannelHeads>(
    `channel heads ${realmId}`,
    [head],
    (previous) => loadHeads(app, source, previous),
  );
  const ofChannel = async (channelId: number) => {
    const newest = heads.newest.get(channelId) ??
      await findNewestId(app, messageKeys.ofChannel(realmId, channelId)) ?? 0;
    heads.newest.set(channelId, newest);
    const load = (previous: ChannelTails | undefined) =>
      loadTails(app, source, { channelId, newest, previous });
    const name = `topic tails ${realmId} ${channelId}`;
    return (await app.cache.get(name, [newest, source.moves], load)).byTopic;
  };
  return { ofChannel, ofTopic: (topic, tail) => readLongTail(app, source, { ...topic, tail }) };
}

async function loadHeads(
  { store }: ChatApp,
  { realmId, head }: TailSource,
  previous: ChannelHeads | undefined,
): Promise<ChannelHeads> {
  const newest = new Map(previous?.newest);
  const prefix = [...messageKeys.messages(realmId)];
  const selector = { prefix, start: [...prefix, (previous?.head ?? head) + 1] };
  let count = 0;
  // A store that was restored has fewer messages than before.
  if (previous === undefined || previous.head > head) newest.clear();
  else {
    for await (const entry of store.kv.list(selector, { limit: MAX_NEW + 1, batchSize: 50 })) {
      const { id, channel_id } = toEntry<MessageRecord>(entry).value;
      if (channel_id !== null && newest.has(channel_id)) newest.set(channel_id, id);
      count++;
    }
  }
  if (count > MAX_NEW) newest.clear();
  return { head, newest, size: TOPIC_SIZE + newest.size * 2 * ID_SIZE };
}

/** A channel whose topics are read, and what is known of them. */
interface TailTarget {
  readonly channelId: number;
  readonly newest: number;
  readonly previous: ChannelTails | undefined;
}

async function loadTails(app: ChatApp, source: TailSource, target: TailTarget): Promise<ChannelTails> {
  const { realmId, moves } = source;
  const byTopic = await addNewMessages(app, source, target) ??
    await readTails(app, realmId, target.channelId);
  const isSettled = await readVersion(app.reads, messageKeys.moveVersion(realmId)) === moves;
  const size = Array.from(byTopic, ([name, { ids }]) => TOPIC_SIZE + name.length + ID_SIZE * ids.length)
    .reduce((sum, one) => sum + one, 0);
  return { byTopic, newest: target.newest, moves, isSettled, size };
}

/** Adds the messages since the last reading; null when the topics have to be read again. */
async function addNewMessages(
  app: ChatApp,
  { realmId, moves }: TailSource,
  { channelId, newest, previous }: TailTarget,
): Promise<TopicTails | null> {
  if (previous === undefined || previous.moves !== moves || previous.newest > newest) return null;
  const prefix = [...messageKeys.ofChannel(realmId, channelId)];
  const range = { prefix, start: [...prefix, previous.newest + 1] };
  const ids = await listIds(app, range, { limit: MAX_NEW + 1 });
  if (ids.length > MAX_NEW) return null;
  const messages = await Promise.all(ids.map((id) => readMessage(app, realmId, id)));
  const byTopic = new Map(previous.byTopic);
  for (const message of messages) {
    if (message?.channel_id !== channelId) continue;
    const name = foldTopic(message.topic);
    const { ids, isWhole } = byTopic.get(name) ?? { ids: [], isWhole: true };
    // The last reading may have included it already.
    const all = [...new Set([...ids, message.id])].sort((one, other) => one - other);
    byTopic.set(name, toTail(all, isWhole));
  }
  return byTopic;
}

function toTail(ids: readonly number[], isWhole: boolean): TopicTail {
  return { ids: ids.slice(-TAIL_LENGTH), isWhole: isWhole && ids.length <= TAIL_LENGTH };
}

async function readTails(app: ChatApp, realmId: number, channelId: number): Promise<TopicTails> {
  const prefix = messageKeys.ofTopic(realmId, channelId, "").slice(0, -1);
  const rows: Key[] = [];
  const options = { limit: MAX_ROWS + 1, batchSize: MAX_ROWS + 1 };
  for await (const { key } of app.store.kv.list({ prefix: [...prefix] }, options)) rows.push(key);
  if (rows.length > MAX_ROWS) return await readEachTail(app, realmId, channelId);
  const byTopic = Map.groupBy(rows, (key) => String(key.at(-2)));
  return new Map(
    Array.from(byTopic, ([name, keys]) => [name, toTail(keys.map((key) => Number(key.at(-1))), true)]),
  );
}

async function readEachTail(app: ChatApp, realmId: number, channelId: number): Promise<TopicTails> {
  const byTopic = new Map<string, TopicTail>();
  const prefix = [...messageKeys.topics(realmId, channelId)];
  for await (const { key } of app.store.kv.list({ prefix }, { batchSize: MAX_ROWS })) {
    const name = String(key.at(-1));
    const ofTopic = { prefix: [...messageKeys.ofTopic(realmId, channelId, name)] };
    const ids = await listIds(app, ofTopic, { limit: TAIL_LENGTH + 1, reverse: true });
    byTopic.set(name, toTail(ids.reverse(), true));
  }
  return byTopic;
}

function readLongTail(
  app: ChatApp,
  source: TailSource,
  topic: TopicBucket & { readonly tail: TopicTail },
): Promise<LongTail> {
  const { channelId, bucket, tail } = topic;
  const newest = tail.ids.at(-1) ?? 0;
  return app.cache.get<LongTail>(
    `long tail ${source.realmId} ${channelId} ${bucket}`,
    [newest, source.moves],
    (previous) => loadLongTail(app, source, { ...topic, newest, previous }),
  );
}

async function loadLongTail(
  app: ChatApp,
  { realmId, moves }: TailSource,
  { channelId, bucket, tail, newest, previous }: TopicBucket & {
    readonly tail: TopicTail;
    readonly newest: number;
    readonly previous: LongTail | undefined;
  },
): Promise<LongTail> {
  const [oldest = 0] = tail.ids;
  const isContinued = previous !== undefined && previous.moves === moves && previous.newest <= newest &&
    (tail.isWhole || oldest <= previous.newest);
  const ids = isContinued
    // The last reading may have included newer messages already.
    ? [...new Set([...previous.ids, ...tail.ids])].sort((one, other) => one - other)
    : (await listIds(app, { prefix: [...messageKeys.ofTopic(realmId, channelId, bucket)] }, {
      limit: LONG_TAIL_LENGTH + 1,
      reverse: true,
      batchSize: MAX_ROWS,
    })).reverse();
  const isSettled = await readVersion(app.reads, messageKeys.moveVersion(realmId)) === moves;
  const kept = ids.slice(-LONG_TAIL_LENGTH);
  return {
    ids: kept,
    isWhole: (!isContinued || previous.isWhole) && kept.length === ids.length,
    size: TOPIC_SIZE + ID_SIZE * kept.length,
    newest,
    moves,
    isSettled,
  };
}
