import { toEntry } from "@/lib/kv/key.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "../channels/channel.ts";
import { look, readMessage, type SeenMessage } from "../messages/access.ts";
import { foldTopic, type MessageRecord } from "../messages/message.ts";
import { isMarkedRead } from "../messages/read_state.ts";
import { rememberReads } from "../messages/request_memory.ts";
import { isMember } from "../permissions/membership.ts";
import { isReadByMuting, type MutedUsersRecord, readMutedUsers } from "../users/muted_user.ts";
import type { RegisterCall } from "./part.ts";
import { findUnreadCandidates } from "./unread_candidates.ts";

/** No client is given more unread messages. */
export const MAX_UNREAD = 50_000;
/** Messages that are read at the same time. */
const SIDE_BY_SIDE = 200;

/** What there is to say of an unread message: their texts together would be too much to hold. */
export interface UnreadMessage {
  readonly id: number;
  /** Null in conversations. */
  readonly channelId: number | null;
  readonly topic: string;
  /** Who takes part in the conversation, ascending; none in channels. */
  readonly participants: readonly number[];
  /** Whether it speaks to the reader, by his name or that of a group. */
  readonly isToReader: boolean;
  /** Whether it speaks to everybody. */
  readonly isToAll: boolean;
}

/** The newest unread messages of an account. */
export interface UnreadMessages {
  /** The newest first; those in channels are of channels in use that the account is subscribed to. */
  readonly messages: readonly UnreadMessage[];
  /** Whether there may be older ones. */
  readonly isCutOff: boolean;
}

/** What an account has not read, at most MAX_UNREAD of it. */
export async function findUnreadMessages(plain: RegisterCall): Promise<UnreadMessages> {
  const call = { ...plain, app: rememberReads(plain.app) };
  const subscriptions = await listUsed(call);
  const { ids, marked, isCutOff } = await findUnreadCandidates(call, subscriptions);
  const muted = await readMutedUsers(call.app, call.realm.id, call.user.id);
  const messages: UnreadMessage[] = [];
  let end = ids.length;
  for (; end > 0 && messages.length < MAX_UNREAD; end -= SIDE_BY_SIDE) {
    const some = ids.slice(Math.max(0, end - SIDE_BY_SIDE), end).reverse();
    const seen = await Promise.all(some.map((id) => seeUnread(call, { id, marked: marked.has(id), muted })));
    for (const one of seen) {
      if (one !== null && (one.channel === null || subscriptions.has(one.channel.id))) {
        messages.push(toUnread(call, one));
      }
    }
  }
  const isFull = end > 0 || messages.length > MAX_UNREAD;
  return { messages: messages.slice(0, MAX_UNREAD), isCutOff: isCutOff || isFull };
}

/** The subscriptions that hold, to channels in use, by channel. */
async function listUsed(
  { app, realm, user }: RegisterCall,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const used = new Map<number, SubscriptionRecord>();
  const prefix = [...channelKeys.subscriptions(realm.id, user.id)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SubscriptionRecord>(entry);
    if (value.is_active) used.set(Number(key.at(-1)), value);
  }
  const channels = await Promise.all(
    Array.from(used.keys(), (id) => app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id))),
  );
  const kept = new Set(channels.filter((channel) => channel?.is_archived === false).map((one) => one?.id));
  return new Map([...used].filter(([id]) => kept.has(id)));
}

function toUnread(
  { permissions, user }: RegisterCall,
  { message: { id, channel_id, topic, mentions }, conversation }: SeenMessage,
): UnreadMessage {
  return {
    id,
    channelId: channel_id,
    topic,
    participants: conversation?.user_ids ?? [],
    isToReader: mentions.user_ids.includes(user.id) ||
      mentions.group_ids.some((group) => isMember(permissions, group, user)),
    isToAll: mentions.is_stream_wildcard || mentions.is_topic_wildcard,
  };
}

/** A message that may be unread, where it is and its reader may see it. */
async function seeUnread(
  { app, realm, permissions, user }: RegisterCall,
  { id, marked, muted }: { id: number; marked: boolean; muted: MutedUsersRecord },
): Promise<SeenMessage | null> {
  const message = await readMessage(app, realm.id, id);
  if (message === null) return null;
  if (!marked && (message.sender_id === user.id || isReadByMuting(muted, message))) return null;
  const seen = await look(app, permissions, { message, user });
  if (seen?.isReceived !== true) return null;
  return !marked && wasMoved(message) && await isMarkedRead(app, realm.id, { message, userId: user.id })
    ? null
    : seen;
}

function wasMoved({ channel_id, topic, read_bucket, read_channel_id }: MessageRecord): boolean {
  return channel_id !== null &&
    ((read_channel_id ?? channel_id) !== channel_id || read_bucket !== foldTopic(topic));
}
