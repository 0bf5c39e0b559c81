import { int, text } from "@/lib/chat/params/param.ts";
import {
  booleanSetting,
  numberChoiceSetting,
  setting,
  textChoiceSetting,
  validatedSetting,
} from "./setting.ts";

/** Sounds that clients can play. */
export const SOUNDS: readonly string[] = ["ding", "chime", "bell", "tap"];
const SILENCE = "none";
const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** Settings of notifications: their events, channels of delivery and contents. */
export const NOTIFICATION_SETTINGS = {
  enable_stream_desktop_notifications: booleanSetting(
    false,
    "Whether channel messages trigger desktop notifications.",
  ),
  enable_stream_email_notifications: booleanSetting(
    false,
    "Whether channel messages trigger email notifications.",
  ),
  enable_stream_push_notifications: booleanSetting(
    false,
    "Whether channel messages trigger push notifications.",
  ),
  enable_stream_audible_notifications: booleanSetting(false, "Whether channel messages play a sound."),
  wildcard_mentions_notify: booleanSetting(
    true,
    "Whether mentions of all users in a channel count as mentions of you.",
  ),
  enable_followed_topic_desktop_notifications: booleanSetting(
    true,
    "Whether messages in followed topics trigger desktop notifications.",
  ),
  enable_followed_topic_email_notifications: booleanSetting(
    true,
    "Whether messages in followed topics trigger email notifications.",
  ),
  enable_followed_topic_push_notifications: booleanSetting(
    true,
    "Whether messages in followed topics trigger push notifications.",
  ),
  enable_followed_topic_audible_notifications: booleanSetting(
    true,
    "Whether messages in followed topics play a sound.",
  ),
  enable_followed_topic_wildcard_mentions_notify: booleanSetting(
    true,
    "Whether mentions of all users in a followed topic count as mentions of you.",
  ),
  enable_desktop_notifications: booleanSetting(
    true,
    "Whether direct messages and mentions trigger desktop notifications.",
  ),
  enable_sounds: booleanSetting(true, "Whether direct messages and mentions play a sound."),
  enable_offline_email_notifications: booleanSetting(
    true,
    "Whether direct messages and mentions trigger email notifications while you are offline.",
  ),
  enable_offline_push_notifications: booleanSetting(
    true,
    "Whether direct messages and mentions trigger push notifications while you are offline.",
  ),
  enable_online_push_notifications: booleanSetting(
    true,
    "Whether direct messages and mentions trigger push notifications while you are online.",
  ),
  notification_sound: validatedSetting(
    setting(text(), "ding", `The notification sound: \`${[...SOUNDS, SILENCE].join("`, `")}\`.`),
    (sound) => SOUNDS.includes(sound) || sound === SILENCE ? null : `Invalid notification sound '${sound}'`,
  ),
  email_notifications_batching_period_seconds: validatedSetting(
    setting(
      int(),
      120,
      "Seconds for which messages are collected before an email notification is sent, at most a week.",
    ),
    (period) =>
      period > 0 && period <= WEEK_SECONDS ? null : `Invalid email batching period: ${period} seconds`,
  ),
  pm_content_in_desktop_notifications: booleanSetting(
    true,
    "Whether desktop notifications include the content of direct messages.",
  ),
  message_content_in_email_notifications: booleanSetting(
    true,
    "Whether email notifications include the content of messages.",
  ),
  realm_name_in_email_notifications_policy: numberChoiceSetting(
    [1, 2, 3],
    1,
    "Whether the subject of emails includes the organization's name: 1 when you belong to several, 2 " +
      "always, 3 never.",
  ),
  desktop_icon_count_display: numberChoiceSetting(
    [1, 2, 3, 4],
    1,
    "The count on the app's icon: 1 all unread messages, 2 direct messages, mentions and followed topics, " +
      "3 direct messages and mentions, 4 none.",
  ),
  automatically_follow_topics_policy: numberChoiceSetting(
    [1, 2, 3, 4],
    3,
    "The topics that you follow automatically: 1 those you participate in, 2 those you send messages to, 3 " +
      "those you start, 4 none.",
  ),
  automatically_unmute_topics_in_muted_streams_policy: numberChoiceSetting(
    [1, 2, 3, 4],
    2,
    "The topics in muted channels that are unmuted automatically: 1 those you participate in, 2 those you " +
      "send messages to, 3 those you start, 4 none.",
  ),
  automatically_follow_topics_where_mentioned: booleanSetting(
    true,
    "Whether you automatically follow topics in which you are mentioned.",
  ),
  resolved_topic_notice_auto_read_policy: textChoiceSetting(
    ["always", "except_followed", "never"],
    "except_followed",
    "When notices about resolved topics are marked as read automatically.",
  ),
};
