import { z } from "zod";
import { groupSettingParam, groupSettingUpdateParam } from "@/lib/chat/permissions/api.ts";
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
import { MAX_CHANNEL_DESCRIPTION, MAX_CHANNEL_NAME, TOPICS_POLICIES } from "../model/channel.ts";

const PERMISSION_DESCRIPTIONS = {
  can_add_subscribers_group: "Users who may subscribe others to the channel.",
  can_administer_channel_group: "Users who may administer the channel.",
  can_create_topic_group: "Users who may create topics; must be everyone if the history is protected.",
  can_delete_any_message_group: "Users who may delete any message.",
  can_delete_own_message_group: "Users who may delete their own messages.",
  can_move_messages_out_of_channel_group: "Users who may move messages to other channels.",
  can_move_messages_within_channel_group: "Users who may move messages to other topics.",
  can_remove_subscribers_group: "Users who may unsubscribe others from the channel.",
  can_resolve_topics_group: "Users who may resolve topics.",
  can_send_message_group: "Users who may post to the channel.",
  can_subscribe_group: "Users who may subscribe themselves, even if the channel is private.",
} as const;

/** Parameters for the permissions of a new channel. */
const newPermissionParams = {
  can_add_subscribers_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_add_subscribers_group),
  can_administer_channel_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_administer_channel_group),
  can_create_topic_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_create_topic_group),
  can_delete_any_message_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_delete_any_message_group),
  can_delete_own_message_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_delete_own_message_group),
  can_move_messages_out_of_channel_group: groupSettingParam(
    PERMISSION_DESCRIPTIONS.can_move_messages_out_of_channel_group,
  ),
  can_move_messages_within_channel_group: groupSettingParam(
    PERMISSION_DESCRIPTIONS.can_move_messages_within_channel_group,
  ),
  can_remove_subscribers_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_remove_subscribers_group),
  can_resolve_topics_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_resolve_topics_group),
  can_send_message_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_send_message_group),
  can_subscribe_group: groupSettingParam(PERMISSION_DESCRIPTIONS.can_subscribe_group),
};

/** Parameters for changes of a channel's permissions. */
const permissionUpdateParams = {
  can_add_subscribers_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_add_subscribers_group),
  can_administer_channel_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_administer_channel_group),
  can_create_topic_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_create_topic_group),
  can_delete_any_message_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_delete_any_message_group),
  can_delete_own_message_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_delete_own_message_group),
  can_move_messages_out_of_channel_group: groupSettingUpdateParam(
    PERMISSION_DESCRIPTIONS.can_move_messages_out_of_channel_group,
  ),
  can_move_messages_within_channel_group: groupSettingUpdateParam(
    PERMISSION_DESCRIPTIONS.can_move_messages_within_channel_group,
  ),
  can_remove_subscribers_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_remove_subscribers_group),
  can_resolve_topics_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_resolve_topics_group),
  can_send_message_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_send_message_group),
  can_subscribe_group: groupSettingUpdateParam(PERMISSION_DESCRIPTIONS.can_subscribe_group),
};

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
  ...newPermissionParams,
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
  ...permissionUpdateParams,
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
