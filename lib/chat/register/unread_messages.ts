import { z } from "zod";
import type { IntervalSet } from "@/lib/core/interval_set.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createVisibilityReader } from "../messages/access.ts";
import type { VisibleMessage } from "../messages/model.ts";
import { readMessages } from "../messages/read/cached_reads.ts";
import { createReadMarksReader } from "../messages/read_marks.ts";
import { isReadByMuting, readMutedUsers } from "../people/muted_users.ts";
import { isMember } from "../organization/permissions/model/membership.ts";
import { foldTopic, toDisplayTopic } from "../channels/topics/model.ts";
import { findUnreadCandidates, listUnarchivedSubscriptions } from "../messages/read/unread_candidates.ts";
import { toTopicVisibility } from "../channels/topics/user_topics.ts";
import { readSubscriptions, readUserTopics } from "./channels.ts";
import { type StateContext, statePart } from "./model.ts";

/** Maximum number of unread messages that a client receives. */
const MAX_UNREAD = 50_000;
/** Messages that are read together, after which the event loop takes its turn. */
const AT_ONCE = 200;

/** An unread message without its content, which would take too much memory for all. */
interface UnreadMessage {
  readonly id: number;
  /** Null in conversations. */
  readonly channelId: number | null;
  readonly topic: string;
  /** Ids of the users in the conversation, ascending; empty in channels. */
  readonly participants: readonly number[];
  /** Whether it mentions the reader or one of their groups. */
  readonly mentionsReader: boolean;
  readonly mentionsEveryone: boolean;
}

/**
 * Returns the unread messages of an account, the newest first and at most MAX_UNREAD, and whether there may be older
 * ones. Messages of channels are only those of active channels to which the account is subscribed.
 */
async function findUnreadMessages(
  context: StateContext,
): Promise<{ messages: readonly UnreadMessage[]; isCutOff: boolean }> {
  const subscriptions = await listUnarchivedSubscriptions(context);
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
      .filter(({ id, channel_id, topic, read_bucket, read_channel_id }) => {
        const wasMoved = (read_channel_id ?? channel_id) !== channel_id || read_bucket !== foldTopic(topic);
        return !marked.has(id) && channel_id !== null && wasMoved;
      });
    const marks = moved.length === 0 ? [] : await readMarks(moved);
    const read = new Set(moved.filter((_, at) => marks[at]).map(({ id }) => id));
    return received.filter(({ message }) => !read.has(message.id));
  };
}

const idsSchema = z.array(z.int()).meta({ description: "Ascending." });
const unreadSchema = z.object({
  unread_msgs: z.object({
    count: z.int().meta({ description: "Without messages in muted topics and channels." }),
    pms: z.array(z.object({
      other_user_id: z.int(),
      sender_id: z.int().meta({ deprecated: true, description: "The same as `other_user_id`." }),
      unread_message_ids: idsSchema,
    })),
    streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: idsSchema })),
    huddles: z.array(z.object({
      user_ids_string: z.string().meta({
        description: "Ids of all participants, ascending, separated by commas.",
      }),
      unread_message_ids: idsSchema,
    })),
    mentions: idsSchema.meta({
      description:
        "Messages that mention the caller or one of their groups, or, where nothing is muted, everyone.",
    }),
    old_unreads_missing: z.boolean().meta({
      description:
        `Whether there may be more: at most ${MAX_UNREAD} are returned, and very old ones are not searched.`,
    }),
  }),
});
/** New messages include their flags; other changes need the events of flags. */
const CONDITION = { type: "message", needs: "update_message_flags" } as const;

export const unreadMessages = statePart(CONDITION, unreadSchema, async (context) => {
  const [{ messages, isCutOff }, isMuted] = await Promise.all([
    findUnreadMessages(context),
    createMuteCheck(context),
  ]);
  const groups = Array.from(
    Map.groupBy(messages, toGroupKey).values(),
    (group) => toUnreadGroup(context, group, isMuted),
  );
  return {
    unread_msgs: {
      count: groups.reduce((sum, { isMuted, ids }) => sum + (isMuted ? 0 : ids.length), 0),
      pms: groups.flatMap(({ pm, ids }) => pm === undefined ? [] : [{ ...pm, unread_message_ids: ids }]),
      streams: groups.flatMap(({ topic, ids }) =>
        topic === undefined ? [] : [{ ...topic, unread_message_ids: ids }]
      ),
      huddles: groups.flatMap(({ huddle, ids }) =>
        huddle === undefined ? [] : [{ ...huddle, unread_message_ids: ids }]
      ),
      mentions: groups.flatMap(({ mentions }) => mentions).sort((a, b) => a - b),
      old_unreads_missing: isCutOff,
    },
  };
});

type MuteCheck = (message: UnreadMessage) => boolean;

/** Creates a check that reads the caller's policies once: most topics have none. */
async function createMuteCheck({ share }: StateContext): Promise<MuteCheck> {
  const [topics, subscriptions] = await Promise.all([share(readUserTopics), share(readSubscriptions)]);
  const policies = new Map(
    topics.map((topic) => [`${topic.channel_id} ${foldTopic(topic.topic_name)}`, topic.visibility_policy]),
  );
  return ({ channelId, topic }) => {
    if (channelId === null) return false;
    const policy = policies.get(`${channelId} ${foldTopic(topic)}`);
    return toTopicVisibility(policy, subscriptions.get(channelId)).isMuted;
  };
}

function toGroupKey({ channelId, topic, participants }: UnreadMessage): string {
  return channelId === null ? participants.join(",") : `${channelId} ${foldTopic(topic)}`;
}

/** Unread messages of one topic or conversation. */
interface UnreadGroup {
  readonly ids: readonly number[];
  readonly mentions: readonly number[];
  readonly isMuted: boolean;
  readonly pm?: { readonly other_user_id: number; readonly sender_id: number };
  readonly topic?: { readonly stream_id: number; readonly topic: string };
  readonly huddle?: { readonly user_ids_string: string };
}

/**
 * Converts the messages of one topic or conversation, the newest first: its spelling of the topic is used.
 */
function toUnreadGroup(
  context: StateContext,
  group: readonly UnreadMessage[],
  isInMutedTopic: MuteCheck,
): UnreadGroup {
  const [newest] = group;
  const isMuted = newest !== undefined && isInMutedTopic(newest);
  const mentions = group.filter(({ mentionsReader, mentionsEveryone }) =>
    mentionsReader || mentionsEveryone && !isMuted
  );
  return {
    ids: group.map(({ id }) => id).reverse(),
    mentions: mentions.map(({ id }) => id),
    isMuted,
    ...(newest === undefined ? {} : toGroupFields(context, newest)),
  };
}

function toGroupFields(
  { user, capabilities }: StateContext,
  { channelId, topic, participants }: UnreadMessage,
): Pick<UnreadGroup, "pm" | "topic" | "huddle"> {
  if (channelId !== null) {
    const displayed = toDisplayTopic(topic, capabilities.includes("empty_topic_name"));
    return { topic: { stream_id: channelId, topic: displayed } };
  }
  if (participants.length > 2) return { huddle: { user_ids_string: participants.join(",") } };
  const other_user_id = participants.find((id) => id !== user.id) ?? user.id;
  return { pm: { other_user_id, sender_id: other_user_id } };
}
