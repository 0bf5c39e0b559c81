import { z } from "zod";
import { channelFoldersSchema, listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import { channelSchema } from "@/lib/chat/channels/api.ts";
import { defaultChannelIds, listChannelsVisibleTo } from "@/lib/chat/channels/store.ts";
import { appendMembers, JsonList } from "@/lib/core/json_pieces.ts";
import { toChannelTexts } from "../channels/list_channels.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { listAllSubscriptions } from "../channels/subscriptions/store.ts";
import { toDisplayTopic, toUserTopic, type UserTopicRecord } from "../channels/topics/model.ts";
import { listMutedTopics, listUserTopics } from "../channels/topics/user_topics.ts";
import {
  inheritSettings,
  subscribersShape,
  subscriptionSchema,
  toSubscriptionSettings,
} from "@/lib/chat/channels/subscriptions/api.ts";
import { appendSubscribers } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import { readUserSettings } from "@/lib/chat/people/user_settings/store.ts";
import { isGuest } from "@/lib/chat/organization/users/model.ts";
import { type StateContext, statePart } from "./model.ts";

/** A channel that the client knows, with its JSON text. */
interface KnownChannel {
  readonly id: number;
  readonly text: string;
}

/** Reads the caller's subscriptions by channel id, those that ended included. */
export function readSubscriptions(
  { app, realm, user }: StateContext,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  return listAllSubscriptions(app, realm.id, user.id);
}

export function readUserTopics({ app, realm, user }: StateContext): Promise<UserTopicRecord[]> {
  return listUserTopics(app, { realmId: realm.id, userId: user.id });
}

/** Reads the channels to which the caller has metadata access, by name; archived ones for clients that know them. */
async function readKnownChannels(
  { app, permissions, user, capabilities, share }: StateContext,
): Promise<readonly KnownChannel[]> {
  const active = [...await share(readSubscriptions)].filter(([, { is_active }]) => is_active);
  const subscribed = new Set(active.map(([id]) => id));
  const visible = await listChannelsVisibleTo(app, permissions, { user, subscribed });
  const includeArchived = capabilities.includes("archived_channels");
  const known = visible.map(({ channel }) => channel)
    .filter(({ is_archived }) => includeArchived || !is_archived);
  const texts = await toChannelTexts(app, permissions, known);
  return known.map(({ id }, at) => ({ id, text: texts[at] ?? "{}" }));
}

/** The channels to which the caller has metadata access; archived ones for clients that know them. */
export const channels = statePart(
  "stream",
  z.object({ streams: z.array(channelSchema) }),
  async (context) => {
    const known = await context.share(readKnownChannels);
    return { streams: new JsonList(known.map(({ text }) => text)) };
  },
);

const subscriptionsSchema = z.object({
  subscriptions: z.array(subscriptionSchema),
  never_subscribed: z.array(channelSchema.extend(subscribersShape)).meta({
    description: "Channels to which the caller has metadata access and was never subscribed.",
  }),
  unsubscribed: z.array(subscriptionSchema).meta({
    description: "Channels that the caller left and has metadata access to, with the caller's settings.",
  }),
});

/** The caller's subscriptions, and the channels to which they can subscribe. */
export const subscriptions = statePart(
  "subscription",
  subscriptionsSchema,
  async (context) => {
    const { app, realm, user, capabilities } = context;
    const known = await context.share(readKnownChannels);
    const records = await context.share(readSubscriptions);
    const settings = capabilities.includes("notification_settings_null")
      ? null
      : await readUserSettings(app, realm.id, user);
    const listed = known.flatMap((channel) => {
      const record = records.get(channel.id);
      return record === undefined ? [] : [{ record, channel: toSubscribed(channel, { record, settings }) }];
    });
    const stored = listed.filter(({ record }) => record.is_active).map(({ channel }) => channel)
      .sort((a, b) => a.id - b.id);
    const left = listed.filter(({ record }) => !record.is_active).map(({ channel }) => channel);
    return {
      subscriptions: await addSubscribers(context, stored),
      never_subscribed: await addSubscribers(context, known.filter(({ id }) => !records.has(id))),
      unsubscribed: await addSubscribers(context, left),
    };
  },
);

/** Returns a channel with the settings of its subscriber, null ones replaced by those of the account if given. */
function toSubscribed(
  { id, text }: KnownChannel,
  { record, settings }: { record: SubscriptionRecord; settings: Readonly<Record<string, unknown>> | null },
): KnownChannel {
  const own = toSubscriptionSettings(record);
  return { id, text: appendMembers(text, settings === null ? own : inheritSettings(own, settings)) };
}

async function addSubscribers(
  { app, realm, subscribers, userList }: StateContext,
  channels: readonly KnownChannel[],
): Promise<JsonList> {
  if (subscribers === false) return new JsonList(channels.map(({ text }) => text));
  const listing = { realmId: realm.id, users: await userList(), isPartial: subscribers === "partial" };
  return new JsonList(await appendSubscribers(app, listing, channels));
}

/** The channels to which new accounts are subscribed; empty for guests. */
export const defaultChannels = statePart(
  "default_streams",
  z.object({ realm_default_streams: z.array(z.int()) }),
  async ({ app, realm, user }) => ({
    realm_default_streams: isGuest(user) ? [] : await defaultChannelIds.read(app, realm.id),
  }),
);

/** The channel folders, including archived ones. */
export const channelFolders = statePart(
  "channel_folders",
  channelFoldersSchema,
  async ({ app, realm }) => ({
    channel_folders: await listChannelFolders(app, realm, { includeArchived: true }),
  }),
);

const userTopicSchema = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.int().meta({ description: "Seconds since 1970 UTC." }),
  visibility_policy: z.int(),
});

/** The topics that the caller muted, unmuted or follows. */
export const userTopics = statePart(
  "user_topic",
  z.object({ user_topics: z.array(userTopicSchema) }),
  async ({ capabilities, share }) => {
    const topics = await share(readUserTopics);
    const allowsEmptyTopic = capabilities.includes("empty_topic_name");
    return {
      user_topics: topics.map(toUserTopic)
        .map((topic) => ({ ...topic, topic_name: toDisplayTopic(topic.topic_name, allowsEmptyTopic) })),
    };
  },
);

const mutedTopicsSchema = z.object({
  muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])).meta({
    deprecated: true,
    description:
      "Channel name, topic, and seconds since 1970 UTC. Omitted when `user_topic` is requested by name.",
  }),
});

/** `user_topics` contains the muted topics. */
const MUTED_TOPICS_CONDITION = { type: "muted_topics", unless: "user_topic" } as const;

/** The caller's muted topics in channels that they can read, for clients that do not know `user_topics`. */
export const mutedTopics = statePart(
  MUTED_TOPICS_CONDITION,
  mutedTopicsSchema,
  async ({ app, permissions, user, capabilities, share }) => {
    const [topics, allowsEmptyTopic] = [
      await share(readUserTopics),
      capabilities.includes("empty_topic_name"),
    ];
    return { muted_topics: await listMutedTopics(app, permissions, { user, topics, allowsEmptyTopic }) };
  },
);
