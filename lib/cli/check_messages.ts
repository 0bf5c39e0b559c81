import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  type ConversationRecord,
  messageKeys,
  type MessageRecord,
  type TopicRecord,
} from "@/lib/chat/messages/model.ts";
import { facetKey, listFacets } from "@/lib/chat/messages/narrow/facets.ts";
import { foldTopic } from "@/lib/chat/channels/topics/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, keyText, readRecord, toEntry } from "@/lib/store/key.ts";
import { listValues, readMany } from "@/lib/store/reads.ts";
import { createWordCheck } from "./check_words.ts";
import {
  BATCH,
  compareIndex,
  type Complain,
  indexBelow,
  sumsBelow,
} from "@/lib/chat/organization/check_index.ts";

/** Indexes whose rows end with a message id. */
const INDEXES = [
  "channel_message",
  "topic_message",
  "sent_message",
  "conversation_message",
  "direct_message",
  "mentioned",
  "message_facet",
] as const;

/** State of an organization while its messages are checked. */
interface Going {
  readonly kv: Kv;
  readonly realmId: number;
  readonly complain: Complain;
  readonly participants: ReadonlyMap<number, readonly number[]>;
  /** Number of messages in each topic, by channel and folded topic. */
  readonly topics: Map<string, number>;
  /** Number of rows found in each index. */
  readonly rows: Map<string, number>;
}

/**
 * Compares all indexes and counters of an organization's messages with the messages; returns their number.
 */
export async function checkMessages(
  kv: Kv,
  { realmId, channelIds }: { realmId: number; channelIds: ReadonlySet<number> },
  complain: Complain,
): Promise<number> {
  const participants = await checkConversations(kv, realmId, complain);
  const going = { kv, realmId, complain, participants, topics: new Map(), rows: new Map() };
  const head = await readRecord<number>(kv, channelKeys.messageHead) ?? 0;
  const words = await createWordCheck(kv, realmId, complain);
  let count = 0;
  for await (const batch of batchesBelow<MessageRecord>(kv, [realmId, "message"])) {
    for (const { key, value: message } of batch) {
      const { id, channel_id } = message;
      if (key.at(-1) !== id || id > head) complain(`message ${id} has an id that was never assigned.`);
      if (channel_id !== null && !channelIds.has(channel_id)) complain(`message ${id} has no channel.`);
    }
    await checkRows(going, batch.map(({ value }) => value));
    await words.check(batch.map(({ value }) => value));
    count += batch.length;
  }
  for (const index of INDEXES) await checkStrays(going, index);
  await words.checkStrays();
  await checkTopics(going);
  await checkRendered(going);
  return count;
}

async function checkConversations(
  kv: Kv,
  realmId: number,
  complain: Complain,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const conversations = await listValues<ConversationRecord>(kv, [realmId, "conversation"]);
  compareIndex(complain, "conversations", {
    wanted: conversations.map(({ id, user_ids }) => [user_ids.join(","), id]),
    found: await indexBelow(kv, [realmId, "conversation_of"]),
  });
  return new Map(conversations.map(({ id, user_ids }) => [id, user_ids]));
}

/** Each message must appear in every index; rows are counted so that surplus rows are noticed. */
async function checkRows(going: Going, messages: readonly MessageRecord[]): Promise<void> {
  const { kv, complain, topics, rows } = going;
  const wanted = messages.flatMap((message) => rowsOf(going, message));
  for (const { channel_id, topic } of messages) {
    if (channel_id === null) continue;
    const name = `${channel_id} ${foldTopic(topic)}`;
    topics.set(name, (topics.get(name) ?? 0) + 1);
  }
  for (const { key, versionstamp } of await readMany(kv, wanted)) {
    const [, index, ...rest] = key;
    if (versionstamp === null) complain(`in its index ${String(index)}, ${rest.join(" ")} is missing.`);
    else rows.set(String(index), (rows.get(String(index)) ?? 0) + 1);
  }
}

function rowsOf({ realmId, participants }: Going, message: MessageRecord): Key[] {
  const { id, channel_id, conversation_id, sender_id, topic, mentions } = message;
  const people = conversation_id === null ? [] : participants.get(conversation_id) ?? [];
  const mentioned = mentions.user_ids.filter((userId) => channel_id !== null || people.includes(userId));
  const prefixes = [
    ...(channel_id === null ? [] : [
      messageKeys.ofChannel(realmId, channel_id),
      messageKeys.ofTopic(realmId, channel_id, topic),
    ]),
    ...(conversation_id === null ? [] : [messageKeys.ofConversation(realmId, conversation_id)]),
    ...people.map((userId) => messageKeys.directOf(realmId, userId)),
    ...mentioned.map((userId) => messageKeys.mentioned(realmId, userId)),
    ...listFacets(message).map((facet) => facetKey(realmId, facet)),
    messageKeys.sentBy(realmId, sender_id),
  ];
  const apart = message.rendered === null ? [[...messageKeys.rendered(realmId, id), 0]] : [];
  return [...prefixes.map((prefix) => [...prefix, id]), ...apart];
}

/** Reports the rows of an index that belong to no message; skips an index whose number of rows is right. */
async function checkStrays(going: Going, index: string): Promise<void> {
  const { kv, realmId, complain, rows } = going;
  let count = 0;
  for await (const batch of batchesBelow(kv, [realmId, index])) count += batch.length;
  if (count === (rows.get(index) ?? 0)) return;
  for await (const { key } of kv.list({ prefix: [realmId, index] }, { batchSize: BATCH })) {
    const message = await readRecord<MessageRecord>(kv, messageKeys.message(realmId, Number(key.at(-1))));
    const wanted = message === null ? [] : rowsOf(going, message).map(keyText);
    if (!wanted.includes(keyText(key))) {
      complain(`in its index ${index}, ${key.slice(2).join(" ")} should not exist.`);
    }
  }
}

async function checkTopics({ kv, realmId, complain, topics }: Going): Promise<void> {
  const named = new Map<string, number>();
  const known = new Set<string>();
  for await (const { key, value } of kv.list<TopicRecord>({ prefix: [realmId, "topic"] })) {
    const [channelId, topic] = [String(key[2]), String(key[3])];
    known.add(`${channelId} ${topic}`);
    if (foldTopic(value.name) !== topic) {
      complain(`topic ${channelId} ${topic} has the name "${value.name}".`);
    }
    if (topic !== "") named.set(channelId, (named.get(channelId) ?? 0) + 1);
  }
  for (const name of topics.keys()) if (!known.has(name)) complain(`topic ${name} has messages but no name.`);
  compareIndex(complain, "numbers of messages by topic", {
    wanted: [...topics].map(([name, count]) => [name, String(count)]),
    found: await sumsBelow(kv, [realmId, "topic_count"]),
  });
  compareIndex(complain, "numbers of named topics", {
    wanted: [...named].map(([channelId, count]) => [channelId, String(count)]),
    found: await sumsBelow(kv, [realmId, "named_topic_count"]),
  });
}

/** The reverse, a message without its rendered text, is checked elsewhere. */
async function checkRendered({ kv, realmId, complain }: Going): Promise<void> {
  for await (const { key } of kv.list({ prefix: [realmId, "rendered"] }, { batchSize: 10 })) {
    const message = await readRecord<MessageRecord>(kv, messageKeys.message(realmId, Number(key[2])));
    if (message?.rendered !== null) complain(`the rendered text ${String(key[2])} has no message.`);
  }
}

async function* batchesBelow<T>(kv: Kv, prefix: Key) {
  let batch = [];
  for await (const entry of kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    if (batch.push(toEntry<T>(entry)) < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
