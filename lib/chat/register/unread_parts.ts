import { z } from "zod";
import { readMessage } from "../messages/access.ts";
import { showTopic } from "../messages/edit_topic.ts";
import { foldTopic } from "../messages/message.ts";
import { readTopicVisibility } from "../messages/topic_visibility.ts";
import { part, type RegisterCall } from "./part.ts";
import { findUnreadMessages, MAX_UNREAD, type UnreadMessage } from "./unread_messages.ts";

const idsSchema = z.array(z.int()).meta({ description: "Ascending." });
const unreadSchema = z.object({
  unread_msgs: z.object({
    count: z.int().meta({ description: "Without those in topics and channels that are muted." }),
    pms: z.array(z.object({
      other_user_id: z.int(),
      sender_id: z.int().meta({ deprecated: true, description: "The same as `other_user_id`." }),
      unread_message_ids: idsSchema,
    })),
    streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: idsSchema })),
    huddles: z.array(z.object({
      user_ids_string: z.string().meta({ description: "All who take part, ascending, with commas between." }),
      unread_message_ids: idsSchema,
    })),
    mentions: idsSchema.meta({
      description: "Those that speak to the caller or his groups, and, where nothing is muted, to everybody.",
    }),
    old_unreads_missing: z.boolean().meta({
      description:
        `Whether there may be more: at most ${MAX_UNREAD} are given, and very old ones are not looked at.`,
    }),
  }),
});
/** New messages come with their flags, all others by changes of flags. */
const FOR = { type: "message", needs: "update_message_flags" } as const;

/** What the caller has not read. */
export const unreadMessages = part(FOR, unreadSchema, async (call) => {
  const { messages, isCutOff } = await findUnreadMessages(call);
  const groups = await Promise.all(
    Array.from(Map.groupBy(messages, placeOf).values(), (group) => toUnread(call, group)),
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

function placeOf({ channelId, topic, participants }: UnreadMessage): string {
  return channelId === null ? participants.join(",") : `${channelId} ${foldTopic(topic)}`;
}

/** Unread messages of one topic or conversation. */
interface Unread {
  readonly ids: readonly number[];
  readonly mentions: readonly number[];
  readonly isMuted: boolean;
  readonly pm?: { readonly other_user_id: number; readonly sender_id: number };
  readonly topic?: { readonly stream_id: number; readonly topic: string };
  readonly huddle?: { readonly user_ids_string: string };
}

/** The newest message comes first: it says how the topic is written. */
async function toUnread(call: RegisterCall, group: readonly UnreadMessage[]): Promise<Unread> {
  const [newest] = group;
  const isMuted = newest !== undefined && await isInMuted(call, newest);
  return {
    ids: group.map(({ id }) => id).reverse(),
    mentions: group.filter(({ isToReader, isToAll }) => isToReader || isToAll && !isMuted).map(({ id }) =>
      id
    ),
    isMuted,
    ...(newest === undefined ? {} : toPlace(call, newest)),
  };
}

async function isInMuted({ app, realm, user }: RegisterCall, { id }: UnreadMessage): Promise<boolean> {
  const message = await readMessage(app, realm.id, id);
  if (message === null) return false;
  return (await readTopicVisibility(app, realm.id, { message, userId: user.id })).isMuted;
}

function toPlace(
  { user, capabilities }: RegisterCall,
  { channelId, topic, participants }: UnreadMessage,
): Pick<Unread, "pm" | "topic" | "huddle"> {
  if (channelId !== null) {
    const shown = showTopic(topic, capabilities.includes("empty_topic_name"));
    return { topic: { stream_id: channelId, topic: shown } };
  }
  if (participants.length > 2) return { huddle: { user_ids_string: participants.join(",") } };
  const other_user_id = participants.find((id) => id !== user.id) ?? user.id;
  return { pm: { other_user_id, sender_id: other_user_id } };
}
