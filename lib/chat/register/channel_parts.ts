import { z } from "zod";
import { listFolders } from "../channel_folders/list.ts";
import { channelFoldersSchema } from "../channel_folders/schema.ts";
import { readDefaultChannels } from "../channels/defaults.ts";
import { listKnownChannels, toChannels } from "../channels/list.ts";
import { channelSchema } from "../channels/schema.ts";
import { hasContentAccess } from "../channels/access.ts";
import type { ChannelRecord } from "../channels/channel.ts";
import { listSubscriptions, withSubscribers } from "../subscriptions/list.ts";
import { showTopic } from "../messages/edit_topic.ts";
import { subscribersShape, subscriptionSchema } from "../subscriptions/schema.ts";
import { withoutNulls } from "../subscriptions/view.ts";
import { readUserSettings } from "../user_settings/store.ts";
import { isGuest } from "../users/user.ts";
import { listUserTopics } from "../user_topics/list.ts";
import { toUserTopic } from "../user_topics/view.ts";
import { part, type RegisterCall } from "./part.ts";

/** The channels that the caller may know of; archived ones where the client knows that there are such. */
export const channels = part(
  "stream",
  z.object({ streams: z.array(channelSchema) }),
  async (call) => {
    const { app, permissions, user } = call;
    const known = await listKnownChannels(app, permissions, user);
    const shown = known.map(({ channel }) => channel).filter((channel) => isShown(call, channel));
    return { streams: await toChannels(app, permissions, shown) };
  },
);

function isShown({ capabilities }: RegisterCall, { is_archived }: ChannelRecord): boolean {
  return !is_archived || capabilities.includes("archived_channels");
}

const subscriptionsSchema = z.object({
  subscriptions: z.array(subscriptionSchema),
  never_subscribed: z.array(channelSchema.extend(subscribersShape)).meta({
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
  async (call) => {
    const { app, realm, permissions, user, capabilities } = call;
    const own = await listSubscriptions(app, { realm, actingUser: user }, {
      includeArchived: capabilities.includes("archived_channels"),
    });
    const known = await listKnownChannels(app, permissions, user);
    const others = known.filter((visitor) =>
      !visitor.isSubscribed && isShown(call, visitor.channel) && hasContentAccess(permissions, visitor)
    );
    const never = await toChannels(app, permissions, others.map(({ channel }) => channel));
    const settled = capabilities.includes("notification_settings_null")
      ? own
      : withoutNulls(own, await readUserSettings(app, realm.id, user));
    return {
      subscriptions: await toShown(call, settled),
      never_subscribed: await toShown(call, never),
      unsubscribed: [],
    };
  },
);

async function toShown<T extends { readonly stream_id: number }>(
  { app, realm, subscribers, users }: RegisterCall,
  channels: readonly T[],
): Promise<readonly T[]> {
  if (subscribers === false) return channels;
  const active = new Set((await users()).filter((user) => user.is_active).map(({ id }) => id));
  return await withSubscribers(
    app,
    { realmId: realm.id, active, isPartial: subscribers === "partial" },
    channels,
  );
}

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
