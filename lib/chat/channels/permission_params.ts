import { groupSetting, groupSettingUpdate } from "../group_setting.ts";

const DESCRIPTIONS = {
  can_add_subscribers_group: "Who may add others to the channel.",
  can_administer_channel_group: "Who may change the channel.",
  can_create_topic_group: "Who may start topics; everyone where the history is protected.",
  can_delete_any_message_group: "Who may delete everybody's messages.",
  can_delete_own_message_group: "Who may delete own messages.",
  can_move_messages_out_of_channel_group: "Who may move messages to other channels.",
  can_move_messages_within_channel_group: "Who may move messages to other topics.",
  can_remove_subscribers_group: "Who may remove others from the channel.",
  can_resolve_topics_group: "Who may mark topics as resolved.",
  can_send_message_group: "Who may write to the channel.",
  can_subscribe_group: "Who may subscribe himself, in a private channel too.",
} as const;

/** The permissions that a new channel starts with. */
export const newPermissionParams = {
  can_add_subscribers_group: groupSetting(DESCRIPTIONS.can_add_subscribers_group),
  can_administer_channel_group: groupSetting(DESCRIPTIONS.can_administer_channel_group),
  can_create_topic_group: groupSetting(DESCRIPTIONS.can_create_topic_group),
  can_delete_any_message_group: groupSetting(DESCRIPTIONS.can_delete_any_message_group),
  can_delete_own_message_group: groupSetting(DESCRIPTIONS.can_delete_own_message_group),
  can_move_messages_out_of_channel_group: groupSetting(DESCRIPTIONS.can_move_messages_out_of_channel_group),
  can_move_messages_within_channel_group: groupSetting(DESCRIPTIONS.can_move_messages_within_channel_group),
  can_remove_subscribers_group: groupSetting(DESCRIPTIONS.can_remove_subscribers_group),
  can_resolve_topics_group: groupSetting(DESCRIPTIONS.can_resolve_topics_group),
  can_send_message_group: groupSetting(DESCRIPTIONS.can_send_message_group),
  can_subscribe_group: groupSetting(DESCRIPTIONS.can_subscribe_group),
};

/** Changes of a channel's permissions. */
export const permissionUpdateParams = {
  can_add_subscribers_group: groupSettingUpdate(DESCRIPTIONS.can_add_subscribers_group),
  can_administer_channel_group: groupSettingUpdate(DESCRIPTIONS.can_administer_channel_group),
  can_create_topic_group: groupSettingUpdate(DESCRIPTIONS.can_create_topic_group),
  can_delete_any_message_group: groupSettingUpdate(DESCRIPTIONS.can_delete_any_message_group),
  can_delete_own_message_group: groupSettingUpdate(DESCRIPTIONS.can_delete_own_message_group),
  can_move_messages_out_of_channel_group: groupSettingUpdate(
    DESCRIPTIONS.can_move_messages_out_of_channel_group,
  ),
  can_move_messages_within_channel_group: groupSettingUpdate(
    DESCRIPTIONS.can_move_messages_within_channel_group,
  ),
  can_remove_subscribers_group: groupSettingUpdate(DESCRIPTIONS.can_remove_subscribers_group),
  can_resolve_topics_group: groupSettingUpdate(DESCRIPTIONS.can_resolve_topics_group),
  can_send_message_group: groupSettingUpdate(DESCRIPTIONS.can_send_message_group),
  can_subscribe_group: groupSettingUpdate(DESCRIPTIONS.can_subscribe_group),
};

/** The names of a channel's permissions. */
export const CHANNEL_PERMISSIONS: readonly (keyof typeof newPermissionParams)[] = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_create_topic_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_move_messages_out_of_channel_group",
  "can_move_messages_within_channel_group",
  "can_remove_subscribers_group",
  "can_resolve_topics_group",
  "can_send_message_group",
  "can_subscribe_group",
];

/** The permissions that decide over what is deleted; who sets them needs the organization's leave. */
export const DELETE_PERMISSIONS = ["can_delete_any_message_group", "can_delete_own_message_group"] as const;

/** The permissions that let people read a private channel; who sets them must be able to read it himself. */
export const READ_PERMISSIONS = ["can_add_subscribers_group", "can_subscribe_group"] as const;
