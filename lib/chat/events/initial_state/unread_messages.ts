import { z } from "zod";
import { foldTopic, toDisplayTopic } from "@/lib/chat/topics/model.ts";
import { toTopicVisibility } from "@/lib/chat/topics/user_topics.ts";
import { readSubscriptions, readUserTopics } from "./channel_state.ts";
import { findUnreadMessages, MAX_UNREAD, type UnreadMessage } from "./find_unread_messages.ts";
import { type StateContext, statePart } from "./model.ts";

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

/** The caller's unread messages. */
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
      mentions: groups.flatMap(({ mentions }) => mentions).sort((one, other) => one - other),
      old_unreads_missing: isCutOff,
    },
  };
});

/** Returns whether the topic of a message is muted for the caller. */
type MuteCheck = (message: UnreadMessage) => boolean;

/** Creates a check that reads the caller's policies once: most topics have none. */
async function createMuteCheck({ share }: StateContext): Promise<MuteCheck> {
  const [topics, subscriptions] = await Promise.all([share(readUserTopics), share(readSubscriptions)]);
  const policies = new Map(
    topics.map((one) => [`${one.channel_id} ${foldTopic(one.topic_name)}`, one.visibility_policy]),
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
