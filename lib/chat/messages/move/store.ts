import { foldTopic, type TopicLocation } from "@/lib/chat/topics/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { messageKeys, type MessageRecord, type TopicRecord } from "../model.ts";

/** Range of stored sums: adding `SUM_RANGE - n` subtracts n, as sums take only positive amounts. */
const SUM_RANGE = 2n ** 64n;

/**
 * Serializes changes of a topic's messages: of two concurrent transactions one is retried, so messages of the
 * topic can be read without a check of their own. Every change of a channel message must call this.
 */
export async function lockTopic(tx: Tx, realmId: number, { channelId, topic }: TopicLocation): Promise<void> {
  const key = messageKeys.topic(realmId, channelId, topic);
  const record = await tx.get<TopicRecord>(key);
  if (record !== null) tx.set(key, record);
}

/** Returns whether a locked topic has messages that a user can see, apart from some. */
export async function hasVisibleMessages(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { topic: { channelId, topic }, isVisible, except }: {
    topic: TopicLocation;
    isVisible: (messageId: number) => boolean;
    except: ReadonlySet<number>;
  },
): Promise<boolean> {
  const prefix = [...messageKeys.ofTopic(realmId, channelId, topic)];
  for await (const entry of store.kv.list({ prefix }, { reverse: true })) {
    const id = Number(toEntry(entry).key.at(-1));
    if (!except.has(id) && isVisible(id)) return true;
  }
  return false;
}

/** Subtracts messages from the count of a locked topic and deletes the topic with its last message. */
export async function decrementTopicCount(
  tx: Tx,
  realmId: number,
  { location: { channelId, topic }, count }: { location: TopicLocation; count: number },
): Promise<void> {
  const key = messageKeys.topicCount(realmId, channelId, topic);
  const left = (await tx.peek<Deno.KvU64>(key))?.value ?? 0n;
  // Concurrent sends only increase the count, so only the removal of a topic needs a checked read.
  if (left > BigInt(count) || ((await tx.get<Deno.KvU64>(key))?.value ?? 0n) > BigInt(count)) {
    tx.sum(key, SUM_RANGE - BigInt(count));
    return;
  }
  tx.delete(key);
  tx.delete(messageKeys.topic(realmId, channelId, topic));
  // Messages rely on the topic without checking it.
  tx.countUp(realmId);
  if (topic === "") return;
  const namedKey = channelKeys.namedTopicCount(realmId, channelId);
  // Set rather than summed: a rename adds its new name on top of this value.
  const named = (await tx.get<Deno.KvU64>(namedKey))?.value ?? 1n;
  tx.set(namedKey, new Deno.KvU64(named - 1n));
}

/** Returns the topic that a message was first sent to. */
export function toOriginalTopic({ read_channel_id, channel_id, read_bucket }: MessageRecord) {
  return { channelId: read_channel_id ?? channel_id ?? 0, bucket: read_bucket };
}

/** Deletes the markers of a message that is not in the topic it was sent to, before it leaves its topic. */
export function deleteMoveMarkers(tx: Tx, realmId: number, message: MessageRecord): void {
  const original = toOriginalTopic(message);
  const current = { channelId: message.channel_id ?? 0, bucket: foldTopic(message.topic) };
  if (current.channelId === original.channelId && current.bucket === original.bucket) return;
  tx.delete([...messageKeys.movedInto(realmId, current), message.id]);
  tx.delete([...messageKeys.movedOut(realmId, original), message.id]);
}

/** Writes the markers of a message that is not in the topic it was sent to. */
export function writeMoveMarkers(tx: Tx, realmId: number, message: MessageRecord): void {
  const original = toOriginalTopic(message);
  const current = { channelId: message.channel_id ?? 0, bucket: foldTopic(message.topic) };
  if (current.channelId === original.channelId && current.bucket === original.bucket) return;
  tx.set([...messageKeys.movedInto(realmId, current), message.id], true);
  tx.set([...messageKeys.movedOut(realmId, original), message.id], current.channelId);
}
