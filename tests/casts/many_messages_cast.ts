import { chunk } from "es-toolkit/array/chunk";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import { facetKey, listFacets } from "@/lib/chat/messages/narrow/facets.ts";
import { foldTopic } from "@/lib/chat/channels/topics/model.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";

/** Length of one stored piece of HTML, in UTF-16 units. */
const PIECE = 28_000;
/** Bytes of a stored message without its content and HTML, at most. */
const OTHER_BYTES = 2000;
/** Topics of one commit, each of which takes two of its 1,000 writes. */
const TOPICS_AT_ONCE = 400;

/** A message to store. */
export interface SeededMessage {
  readonly topic?: string;
  readonly content?: string;
  /** HTML; by default the content in a paragraph. */
  readonly html?: string;
  readonly has_link?: boolean;
  /** Ids of mentioned groups. */
  readonly group_ids?: readonly number[];
}

/** Channel and sender of stored messages. */
export interface SeedTarget {
  readonly store: Store;
  readonly realmId: number;
  readonly channelId: number;
  readonly senderId: number;
}

/** Stores messages as sending leaves them, without their words and events, and returns their ids. */
export async function seedMessages(
  { store, realmId, channelId, senderId }: SeedTarget,
  messages: readonly SeededMessage[],
): Promise<number[]> {
  const head = await readRecord<number>(store.kv, channelKeys.messageHead) ?? 0;
  const writer = new BulkWriter(store.kv);
  const topics = new Map<string, number>();
  for (const [at, message] of messages.entries()) {
    const record = toRecord(message, { id: head + 1 + at, channelId, senderId });
    const { id, topic } = record;
    topics.set(topic, (topics.get(topic) ?? 0) + 1);
    await writer.set(messageKeys.message(realmId, id), record, sizeOf(record));
    const { html = "" } = message;
    for (let piece = 0; record.rendered === null && piece * PIECE < html.length; piece++) {
      const text = html.slice(piece * PIECE, (piece + 1) * PIECE);
      await writer.set([...messageKeys.rendered(realmId, id), piece], text, 2 * PIECE);
    }
    await writer.set([...messageKeys.ofChannel(realmId, channelId), id], true);
    await writer.set([...messageKeys.ofTopic(realmId, channelId, topic), id], true);
    await writer.set([...messageKeys.sentBy(realmId, senderId), id], true);
    for (const facet of listFacets(record)) {
      await writer.set([...facetKey(realmId, facet), id], true);
    }
  }
  await writer.flush();
  for (const part of chunk([...topics], TOPICS_AT_ONCE)) {
    const operation = store.kv.atomic();
    for (const [topic, count] of part) {
      operation.set(messageKeys.topic(realmId, channelId, topic), { name: topic })
        .sum(messageKeys.topicCount(realmId, channelId, topic), BigInt(count));
    }
    await operation.sum(channelKeys.namedTopicCount(realmId, channelId), BigInt(part.length)).commit();
  }
  await store.kv.set(channelKeys.messageHead, head + messages.length);
  return messages.map((_, at) => head + 1 + at);
}

/** Returns the bytes that a record takes at most, two for each UTF-16 unit of its texts. */
function sizeOf({ content, rendered }: MessageRecord): number {
  return 2 * (content.length + (rendered?.length ?? 0)) + OTHER_BYTES;
}

function toRecord(
  { topic = "plans", content = "a message", html = `<p>${content}</p>`, has_link = false, group_ids = [] }:
    SeededMessage,
  { id, channelId, senderId }: { id: number; channelId: number; senderId: number },
): MessageRecord {
  return {
    id,
    sender_id: senderId,
    channel_id: channelId,
    topic,
    read_bucket: foldTopic(topic),
    conversation_id: null,
    content,
    rendered: content.length + html.length <= PIECE ? html : null,
    client: "Test",
    // The time at which the clock of tests starts.
    sent_at: Date.UTC(2026, 10, 21, 11),
    edited_at: null,
    moved_at: null,
    is_me_message: false,
    has_link,
    has_image: false,
    has_attachment: false,
    mentions: { user_ids: [], group_ids, is_stream_wildcard: false, is_topic_wildcard: false },
  };
}
