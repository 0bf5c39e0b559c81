import { z } from "zod";
import { listFolders } from "../channel_folders/list.ts";
import { channelFoldersSchema } from "../channel_folders/schema.ts";
import { readDefaultChannels } from "../channels/defaults.ts";
import { listKnownChannels, toChannels } from "../channels/list.ts";
import { channelSchema } from "../channels/schema.ts";
import { hasContentAccess } from "../channels/access.ts";
import { listSubscriptions } from "../subscriptions/list.ts";
import { showTopic } from "../messages/edit_topic.ts";
import { subscriptionSchema } from "../subscriptions/schema.ts";
import { isGuest } from "../users/user.ts";
import { listUserTopics } from "../user_topics/list.ts";
import { toUserTopic } from "../user_topics/view.ts";
import { part } from "./part.ts";

/** The channels that the caller may know of; archived ones are left out. */
export const channels = part(
  "stream",
  z.object({ streams: z.array(channelSchema) }),
  async ({ app, world, user }) => {
    const known = await listKnownChannels(app, world, user);
    const used = known.map(({ channel }) => channel).filter((channel) => !channel.is_archived);
    return { streams: await toChannels(app, world, used) };
  },
);

const subscriptionsSchema = z.object({
  subscriptions: z.array(subscriptionSchema),
  never_subscribed: z.array(channelSchema).meta({
    description: "Channels that the caller may know of and is not subscribed to.",
  }),
  unsubscribed: z.array(channelSchema).meta({
    description: "Empty: such channels stand in never_subscribed.",
  }),
});

/** What the caller is subscribed to, and what he could be. */
export const subscriptions = part(
  "subscription",
  subscriptionsSchema,
  async ({ app, realm, world, user }) => {
    const own = await listSubscriptions(app, { realm, actingUser: user }, { includeSubscribers: false });
    const known = await listKnownChannels(app, world, user);
    const others = known.filter((visitor) =>
      !visitor.isSubscribed && !visitor.channel.is_archived && hasContentAccess(world, visitor)
    );
    const never = await toChannels(app, world, others.map(({ channel }) => channel));
    return { subscriptions: own, never_subscribed: never, unsubscribed: [] };
  },
);

/** The channels that new accounts are subscribed to; guests are not told. */
export const defaultChannels = part(
  "default_streams",
  z.object({ realm_default_streams: z.array(z.int()) }),
  async ({ app, realm, user }) => ({
    realm_default_streams: isGuest(user) ? [] : await readDefaultChannels(app, realm.id),
  }),
);

/** The folders of channels. */
export const folders = part(
  "channel_folders",
  channelFoldersSchema,
  async ({ app, realm }) => ({
    channel_folders: await listFolders(app, realm, { includeArchived: true }),
  }),
);

const userTopicSchema = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.int().meta({ description: "Seconds since 1970 UTC." }),
  visibility_policy: z.int(),
});

/** The topics that the caller muted, unmuted or follows. */
export const userTopics = part(
  "user_topic",
  z.object({ user_topics: z.array(userTopicSchema) }),
  async ({ app, realm, user, capabilities }) => {
    const entries = await listUserTopics(app, { realmId: realm.id, userId: user.id });
    const knowsEmpty = capabilities.includes("empty_topic_name");
    return {
      user_topics: entries.map(({ value }) => toUserTopic(value))
        .map((one) => ({ ...one, topic_name: showTopic(one.topic_name, knowsEmpty) })),
    };
  },
);
