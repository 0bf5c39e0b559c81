import type { Tx } from "@/lib/kv/transact.ts";
import { channelKeys } from "../channels/channel.ts";
import { foldTopic, messageKeys, type MessageRecord, type TopicRecord } from "./message.ts";

/** A topic of a channel, as it is written. */
export interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** Sums take positive amounts alone and begin again at zero behind this one. */
const SUM_RANGE = 2n ** 64n;

/** Whether two places are the same topic, however it is written. */
export function isSameTopic(one: TopicPlace, other: TopicPlace): boolean {
  return one.channelId === other.channelId && foldTopic(one.topic) === foldTopic(other.topic);
}

/**
 * Makes changes of a topic's messages follow each other: of two at the same time one is run again, so that messages of
 * the topic may be read without a check of their own. Every change of a message in a channel has to call this.
 */
export async function holdTopic(tx: Tx, realmId: number, { channelId, topic }: TopicPlace): Promise<void> {
  const key = messageKeys.topic(realmId, channelId, topic);
  const record = await tx.get<TopicRecord>(key);
  if (record !== null) tx.set(key, record);
}

/** Counts messages out of a topic; with the last of them goes the topic. The topic must be held. */
export async function leaveTopic(
  tx: Tx,
  realmId: number,
  { place: { channelId, topic }, count }: { place: TopicPlace; count: number },
): Promise<void> {
  const key = messageKeys.topicCount(realmId, channelId, topic);
  const left = (await tx.peek<Deno.KvU64>(key))?.value ?? 0n;
  // What is sent meanwhile makes the count larger: only the end of a topic must be certain.
  if (left > BigInt(count) || ((await tx.get<Deno.KvU64>(key))?.value ?? 0n) > BigInt(count)) {
    tx.sum(key, SUM_RANGE - BigInt(count));
    return;
  }
  tx.delete(key);
  tx.delete(messageKeys.topic(realmId, channelId, topic));
  if (topic === "") return;
  const namedKey = channelKeys.namedTopicCount(realmId, channelId);
  // Written rather than summed: where a topic is only renamed, its new name is summed on top of this.
  const named = (await tx.get<Deno.KvU64>(namedKey))?.value ?? 1n;
  tx.set(namedKey, new Deno.KvU64(named - 1n));
}

/** Where a message was first sent to. */
export function homeOf({ read_channel_id, channel_id, read_bucket }: MessageRecord) {
  return { channelId: read_channel_id ?? channel_id ?? 0, bucket: read_bucket };
}

/** Forgets that a message is not where it was first sent to, as it leaves a topic. */
export function leaveForeign(tx: Tx, realmId: number, message: MessageRecord): void {
  const home = homeOf(message);
  const here = { channelId: message.channel_id ?? 0, bucket: foldTopic(message.topic) };
  if (here.channelId === home.channelId && here.bucket === home.bucket) return;
  tx.delete([...messageKeys.movedInto(realmId, here), message.id]);
  tx.delete([...messageKeys.movedOut(realmId, home), message.id]);
}

/** Notes that a message is not where it was first sent to, as it comes into a topic. */
export function enterForeign(tx: Tx, realmId: number, message: MessageRecord): void {
  const home = homeOf(message);
  const here = { channelId: message.channel_id ?? 0, bucket: foldTopic(message.topic) };
  if (here.channelId === home.channelId && here.bucket === home.bucket) return;
  tx.set([...messageKeys.movedInto(realmId, here), message.id], true);
  tx.set([...messageKeys.movedOut(realmId, home), message.id], here.channelId);
}
