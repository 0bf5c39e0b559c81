import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { groupSettingParam, groupSettingUpdateParam } from "@/lib/chat/permissions/model/group_setting.ts";
import {
  bool,
  described,
  exact,
  int,
  intList,
  optional,
  type ParamValues,
  scalar,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "@/lib/chat/params/param.ts";
import { PERMISSIONS } from "@/lib/chat/permissions/model/registry.ts";
import { MAX_CHANNEL_DESCRIPTION, MAX_CHANNEL_NAME, TOPICS_POLICIES } from "../model/channel.ts";

const NAME = `The channel's name, of ${MAX_CHANNEL_NAME} characters at most.`;
const DESCRIPTION = "The channel's description; line breaks become spaces.";
const RETENTION = "Days after which messages are deleted, `realm_default` or `unlimited`. Owners only.";
const FOLDER = "The id of the channel folder, or null for none.";
const POLICY = "Policy on named topics and the empty topic.";
const HISTORY =
  "Whether subscribers can read messages sent before they subscribed. Only a private channel can have false.";

/** The pattern comes first because its error names the parameter and nothing else. */
const topicsPolicy = textOrJson(
  z.string().regex(new RegExp(`^(${TOPICS_POLICIES.join("|")})$`)).pipe(z.literal([...TOPICS_POLICIES])),
);
const retention = textOrJson(z.union([z.number(), z.string()]));
const folder = scalar(z.int().nullable());

/** Parameters to create a channel. */
export const createChannelParams = {
  name: described(exact(trimmed({ min: 1 })), NAME),
  description: described(withDefault(text({ max: MAX_CHANNEL_DESCRIPTION }), ""), DESCRIPTION),
  subscribers: described(
    intList(),
    "Ids of the first subscribers. You are subscribed only if listed.",
  ),
  announce: described(
    withDefault(bool(), false),
    "Whether to announce the channel in the organization's channel for announcements.",
  ),
  invite_only: described(withDefault(bool(), false), "Whether the channel is private."),
  is_web_public: described(withDefault(bool(), false), "Whether the channel can be read without an account."),
  is_default_stream: described(
    withDefault(bool(), false),
    "Whether new users are subscribed. Administrators only.",
  ),
  folder_id: described(withDefault(folder, null), FOLDER),
  topics_policy: described(withDefault(topicsPolicy, "inherit"), POLICY),
  history_public_to_subscribers: described(optional(bool()), HISTORY),
  message_retention_days: described(withDefault(retention, "realm_default"), RETENTION),
  ...mapValues(PERMISSIONS.channel, ({ about }) => groupSettingParam(about)),
};

/** Parsed parameters of a new channel. */
export type NewChannel = ParamValues<typeof createChannelParams>;

/** Parameters to update a channel, all optional. */
export const updateChannelParams = {
  description: described(optional(text({ max: MAX_CHANNEL_DESCRIPTION })), DESCRIPTION),
  new_name: described(optional(exact(trimmed())), NAME),
  is_private: described(
    optional(bool()),
    "Whether the channel is private; by default, a private channel protects its history.",
  ),
  is_web_public: described(optional(bool()), "Whether the channel can be read without an account."),
  history_public_to_subscribers: described(optional(bool()), HISTORY),
  is_default_stream: described(
    optional(bool()),
    "Whether new users are subscribed. Administrators only.",
  ),
  message_retention_days: described(optional(retention), RETENTION),
  is_archived: described(
    optional(bool()),
    "False unarchives the channel; true has no effect.",
  ),
  folder_id: described(optional(folder), FOLDER),
  topics_policy: described(optional(topicsPolicy), POLICY),
  ...mapValues(PERMISSIONS.channel, ({ about }) => groupSettingUpdateParam(about)),
};

/** Parsed parameters of a channel update. */
export type ChannelChanges = Partial<ParamValues<typeof updateChannelParams>>;

/** Parameters to list channels. */
export const listChannelsParams = {
  include_public: described(
    withDefault(bool(), true),
    "Whether to list public channels; has no effect for guests.",
  ),
  include_web_public: described(withDefault(bool(), false), "Whether to list web-public channels."),
  include_subscribed: described(
    withDefault(bool(), true),
    "Whether to list the channels you are subscribed to.",
  ),
  exclude_archived: described(withDefault(bool(), true), "Whether to leave out archived channels."),
  include_all: described(
    withDefault(bool(), false),
    "Whether to list all channels that you can see.",
  ),
  include_all_active: described(withDefault(bool(), false), "Older name of `include_all`."),
  include_default: described(
    withDefault(bool(), false),
    "Whether to include `is_default` with each channel.",
  ),
  include_owner_subscribed: described(
    withDefault(bool(), false),
    "For bots: whether to list the channels that the bot's owner is subscribed to and the bot can see.",
  ),
  include_can_access_content: described(
    withDefault(bool(), false),
    "Whether to list all channels whose messages you can read.",
  ),
};

/** Parsed parameters of a list of channels. */
export type ChannelFilter = ParamValues<typeof listChannelsParams>;

/** Parameters to find a channel's id. */
export const channelIdParams = {
  stream: described(exact(text()), "The channel's name; letter case does not matter."),
};

/** Parameters to add or remove a default channel. */
export const defaultChannelParams = { stream_id: described(int(), "The channel's id.") };

/** Parameters to get a channel's email address. */
export const emailAddressParams = {
  sender_id: described(optional(int()), "Id of the user who would be shown as the sender of the messages."),
};
