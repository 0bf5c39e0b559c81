import { readChannelList } from "@/lib/chat/channels/store.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { listAllSubscriptions } from "@/lib/chat/channels/subscriptions/store.ts";
import { createVisibilityReader } from "@/lib/chat/messages/access.ts";
import type { MessageRecord, VisibleMessage } from "@/lib/chat/messages/model.ts";
import { readMessages } from "@/lib/chat/messages/read/read_messages.ts";
import { createReadMarksReader } from "@/lib/chat/messages/read/store/read_marks.ts";
import { isReadByMuting, readMutedUsers } from "@/lib/chat/muted_users.ts";
import { isMember } from "@/lib/chat/permissions/model/membership.ts";
import { foldTopic } from "@/lib/chat/topics/model.ts";
import type { IntervalSet } from "@/lib/core/interval_set.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { readOnce, readSubscriptions } from "./channel_state.ts";
import { findUnreadCandidates, type UnreadReader } from "./find_unread_candidates.ts";
import type { StateContext } from "./model.ts";

/** Maximum number of unread messages that a client receives. */
export const MAX_UNREAD = 50_000;
/** Messages that are read together, after which the event loop takes its turn. */
const AT_ONCE = 200;

/** An unread message without its content, which would take too much memory for all. */
export interface UnreadMessage {
  readonly id: number;
  /** Null in conversations. */
  readonly channelId: number | null;
  readonly topic: string;
  /** Ids of the users in the conversation, ascending; empty in channels. */
  readonly participants: readonly number[];
  /** Whether it mentions the reader or one of their groups. */
  readonly mentionsReader: boolean;
  /** Whether it mentions everyone. */
  readonly mentionsEveryone: boolean;
}

/** The newest unread messages of an account. */
export interface UnreadMessages {
  /** The newest first; channel messages only from active channels to which the account is subscribed. */
  readonly messages: readonly UnreadMessage[];
  /** Whether there may be older ones. */
  readonly isCutOff: boolean;
}

/** Returns the unread messages of an account, at most MAX_UNREAD. */
export async function findUnreadMessages(plain: StateContext): Promise<UnreadMessages> {
  const context = { ...plain, app: await plain.share(readOnce) };
  const subscriptions = await selectUnarchived(context, await context.share(readSubscriptions));
  const { ids, marked, isCutOff } = await findUnreadCandidates(context, subscriptions);
  const readUnread = await createUnreadReader(context, marked);
  const messages: UnreadMessage[] = [];
  let end = ids.length;
  for (; end > 0 && messages.length < MAX_UNREAD; end -= AT_ONCE) {
    for (const one of await readUnread(ids.slice(Math.max(0, end - AT_ONCE), end).reverse())) {
      if (one.channel === null || subscriptions.has(one.channel.id)) {
        messages.push(toUnreadMessage(context, one));
      }
    }
    await yieldToEventLoop();
  }
  const isFull = end > 0 || messages.length > MAX_UNREAD;
  return { messages: messages.slice(0, MAX_UNREAD), isCutOff: isCutOff || isFull };
}

/** Returns the active subscriptions to channels that are not archived, by channel id. */
export async function listUnarchivedSubscriptions(
  reader: UnreadReader,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const { app, realm, user } = reader;
  return await selectUnarchived(reader, await listAllSubscriptions(app, realm.id, user.id));
}

async function selectUnarchived(
  { app, realm }: UnreadReader,
  subscriptions: ReadonlyMap<number, SubscriptionRecord>,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const { byId } = await readChannelList(app, realm.id);
  return new Map(
    [...subscriptions].filter(([id, { is_active }]) => is_active && byId.get(id)?.is_archived === false),
  );
}

function toUnreadMessage(
  { permissions, user }: StateContext,
  { message: { id, channel_id, topic, mentions }, conversation }: VisibleMessage,
): UnreadMessage {
  return {
    id,
    channelId: channel_id,
    topic,
    participants: conversation?.user_ids ?? [],
    mentionsReader: mentions.user_ids.includes(user.id) ||
      mentions.group_ids.some((group) => isMember(permissions, group, user)),
    mentionsEveryone: mentions.is_stream_wildcard || mentions.is_topic_wildcard,
  };
}

/** Creates a reader of those candidates that the user can access and has not read. */
async function createUnreadReader(
  { app, realm, permissions, user }: StateContext,
  marked: IntervalSet,
): Promise<(ids: readonly number[]) => Promise<readonly VisibleMessage[]>> {
  const muted = await readMutedUsers(app, realm.id, user.id);
  const readVisible = createVisibilityReader(app, permissions, user);
  const readMarks = createReadMarksReader(app, { realmId: realm.id, userId: user.id });
  return async (ids) => {
    const messages = (await readMessages(app, realm.id, ids)).filter((message) => message !== null);
    const open = messages.filter((message) =>
      marked.has(message.id) || message.sender_id !== user.id && !isReadByMuting(muted, message)
    );
    const received = (await readVisible(open)).filter((visible) => visible !== null)
      .filter(({ isReceived }) => isReceived);
    const moved = received.map(({ message }) => message)
      .filter((message) => !marked.has(message.id) && wasMoved(message));
    const marks = moved.length === 0 ? [] : await readMarks(moved);
    const read = new Set(moved.filter((_, at) => marks[at]).map(({ id }) => id));
    return received.filter(({ message }) => !read.has(message.id));
  };
}

function wasMoved({ channel_id, topic, read_bucket, read_channel_id }: MessageRecord): boolean {
  return channel_id !== null &&
    ((read_channel_id ?? channel_id) !== channel_id || read_bucket !== foldTopic(topic));
}
