import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  messageKeys,
  type MessageRecord,
  type Recipient,
  type TopicRecord,
} from "@/lib/chat/messages/model.ts";
import { facetKey, listFacets } from "@/lib/chat/messages/narrow/facets.ts";
import type { PreparedContent } from "@/lib/chat/messages/prepare_content.ts";
import { toInlineHtml } from "@/lib/chat/messages/store.ts";
import { messageKindOf, statisticsKeys } from "@/lib/chat/organization/statistics/store.ts";
import { foldTopic } from "@/lib/chat/channels/topics/model.ts";
import { dayOf } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, keyName, readRecord } from "@/lib/store/key.ts";
import { addSums, createPipelinedWriter, type PipelinedWriter } from "./commit_pipeline.ts";
import { byKey } from "./key_order.ts";

/** Size of a record besides its texts. */
const RECORD_BYTES = 800;

/** A message whose recipient and content are resolved. */
export interface SeededMessage {
  readonly senderId: number;
  readonly recipient: Recipient;
  /** Rendered content that is short, and no widget, and links no upload. */
  readonly prepared: PreparedContent;
  readonly client: string;
  /** Milliseconds since 1970 UTC. */
  readonly sentAt: number;
}

/** Ids of messages below the prefix of an index. */
interface SeededIndex {
  readonly prefix: Key;
  readonly ids: number[];
}

/** A topic with the number of its messages that were written. */
interface SeededTopic {
  readonly channelId: number;
  readonly name: string;
  count: number;
}

/**
 * Writes messages as sending leaves them, without events and the index of words. The rows of the other indexes are
 * collected and written in the end in the order of their keys, so that neighbors share pages of the store; new topics
 * and all sums as well.
 */
export class MessageSeeder {
  readonly #kv: Kv;
  readonly #realmId: number;
  readonly #writer: PipelinedWriter;
  readonly #indexes = new Map<string, SeededIndex>();
  #sorted: SeededIndex[] | null = null;
  readonly #topics = new Map<string, SeededTopic>();
  readonly #days = new Map<string, { readonly key: Key; count: number }>();
  #head: number | null = null;

  constructor(kv: Kv, realmId: number) {
    this.#kv = kv;
    this.#realmId = realmId;
    this.#writer = createPipelinedWriter(kv);
  }

  /** Writes a message and returns its id; ids continue those of the store. */
  async add(message: SeededMessage): Promise<number> {
    this.#head ??= await readRecord<number>(this.#kv, channelKeys.messageHead) ?? 0;
    const id = ++this.#head;
    const record = toRecord(id, message);
    const bytes = RECORD_BYTES + 2 * (record.content.length + message.prepared.html.length);
    await this.#writer.set(messageKeys.message(this.#realmId, id), record, bytes);
    for (const index of this.#listIndexes(record, message.recipient)) this.#collect(index, id);
    this.#count(message);
    return id;
  }

  #collect(prefix: Key, id: number): void {
    const name = keyName(prefix);
    const index = this.#indexes.get(name);
    if (index === undefined) this.#indexes.set(name, { prefix, ids: [id] });
    else index.ids.push(id);
  }

  /** Settles once the messages are stored, so that others can be sent by the server. */
  async settle(): Promise<void> {
    if (this.#head === null) return;
    await this.#writer.settle();
    await this.#kv.set(channelKeys.messageHead, this.#head);
    this.#head = null;
  }

  /** Writes a part of the collected rows, of so many parts; no message may follow. */
  async writeRows(part: number, parts: number): Promise<void> {
    const indexes = this.#sorted ??= [...this.#indexes.values()].sort((one, other) =>
      byKey(one.prefix, other.prefix)
    );
    const [from, to] = [part, part + 1].map((at) => Math.floor(indexes.length * at / parts));
    for (const { prefix, ids } of indexes.slice(from, to)) {
      for (const id of ids) await this.#writer.set([...prefix, id], true);
    }
    await this.#writer.settle();
  }

  /** Writes the topics and sums. */
  async finish(): Promise<void> {
    await this.settle();
    const sums: (readonly [Key, number])[] = [];
    for (const { channelId, name, count } of this.#topics.values()) {
      const key = messageKeys.topic(this.#realmId, channelId, name);
      if (await readRecord<TopicRecord>(this.#kv, key) === null) {
        await this.#writer.set(key, { name } satisfies TopicRecord);
        if (name !== "") sums.push([channelKeys.namedTopicCount(this.#realmId, channelId), 1]);
      }
      sums.push([messageKeys.topicCount(this.#realmId, channelId, name), count]);
    }
    await this.#writer.settle();
    for (const { key, count } of this.#days.values()) sums.push([key, count]);
    await addSums(this.#kv, sums);
  }

  *#listIndexes(record: MessageRecord, recipient: Recipient): Generator<Key> {
    const realmId = this.#realmId;
    yield messageKeys.sentBy(realmId, record.sender_id);
    for (const facet of listFacets(record)) yield facetKey(realmId, facet);
    const { user_ids } = record.mentions;
    if (recipient.kind === "channel") {
      yield messageKeys.ofChannel(realmId, recipient.channel.id);
      yield messageKeys.ofTopic(realmId, recipient.channel.id, recipient.topic);
      for (const userId of user_ids) yield messageKeys.mentioned(realmId, userId);
      return;
    }
    const { id, user_ids: participants } = recipient.conversation;
    yield messageKeys.ofConversation(realmId, id);
    for (const userId of participants) yield messageKeys.directOf(realmId, userId);
    for (const userId of user_ids) {
      if (participants.includes(userId)) yield messageKeys.mentioned(realmId, userId);
    }
  }

  #count({ recipient, sentAt }: SeededMessage): void {
    const day = dayOf(sentAt);
    const part = messageKindOf(recipient);
    this.#countDay(`${day} ${part}`, () => statisticsKeys.day(this.#realmId, "messages", { day, part }));
    if (recipient.kind !== "channel") return;
    const { channel: { id: channelId }, topic } = recipient;
    this.#countDay(
      `${day} ${channelId}`,
      () => statisticsKeys.day(this.#realmId, "channel_messages", { day, part: channelId }),
    );
    const name = `${channelId} ${foldTopic(topic)}`;
    const known = this.#topics.get(name);
    if (known === undefined) this.#topics.set(name, { channelId, name: topic, count: 1 });
    else known.count++;
  }

  #countDay(name: string, toKey: () => Key): void {
    const known = this.#days.get(name);
    if (known === undefined) this.#days.set(name, { key: toKey(), count: 1 });
    else known.count++;
  }
}

function toRecord(
  id: number,
  { senderId, recipient, prepared, client, sentAt }: SeededMessage,
): MessageRecord {
  const { content, mentions, has_link, has_image, has_attachment, is_me_message } = prepared;
  const topic = recipient.kind === "channel" ? recipient.topic : "";
  return {
    id,
    sender_id: senderId,
    channel_id: recipient.kind === "channel" ? recipient.channel.id : null,
    topic,
    read_bucket: foldTopic(topic),
    conversation_id: recipient.kind === "direct" ? recipient.conversation.id : null,
    content,
    rendered: toInlineHtml(prepared),
    client,
    sent_at: sentAt,
    edited_at: null,
    moved_at: null,
    ...{ is_me_message, has_link, has_image, has_attachment, mentions },
  };
}
