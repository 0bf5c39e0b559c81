import { int, text } from "../params/param.ts";
import { flag, judged, oneOf, setting, word } from "./setting.ts";

/** Sounds that clients play. */
const SOUNDS: readonly string[] = ["ding", "chime", "bell", "tap"];
const SILENCE = "none";
const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** What a user is told of, and how. */
export const NOTIFICATION_SETTINGS = {
  enable_stream_desktop_notifications: flag(false, "Whether messages in channels are shown on the desktop."),
  enable_stream_email_notifications: flag(false, "Whether messages in channels are sent by e-mail."),
  enable_stream_push_notifications: flag(false, "Whether messages in channels are sent to your devices."),
  enable_stream_audible_notifications: flag(false, "Whether messages in channels can be heard."),
  wildcard_mentions_notify: flag(true, "Whether mentions of everybody in a channel count as yours."),
  enable_followed_topic_desktop_notifications: flag(
    true,
    "Whether messages in followed topics are shown on the desktop.",
  ),
  enable_followed_topic_email_notifications: flag(
    true,
    "Whether messages in followed topics are sent by e-mail.",
  ),
  enable_followed_topic_push_notifications: flag(
    true,
    "Whether messages in followed topics are sent to your devices.",
  ),
  enable_followed_topic_audible_notifications: flag(
    true,
    "Whether messages in followed topics can be heard.",
  ),
  enable_followed_topic_wildcard_mentions_notify: flag(
    true,
    "Whether mentions of everybody in a followed topic count as yours.",
  ),
  enable_desktop_notifications: flag(
    true,
    "Whether direct messages and mentions are shown on the desktop.",
  ),
  enable_sounds: flag(true, "Whether direct messages and mentions can be heard."),
  enable_offline_email_notifications: flag(
    true,
    "Whether direct messages and mentions are sent by e-mail while you are away.",
  ),
  enable_offline_push_notifications: flag(
    true,
    "Whether direct messages and mentions are sent to your devices while you are away.",
  ),
  enable_online_push_notifications: flag(
    true,
    "Whether direct messages and mentions are sent to your devices while you are there.",
  ),
  notification_sound: judged(
    setting(text(), "ding", `What is heard: \`${[...SOUNDS, SILENCE].join("`, `")}\`.`),
    (sound) => SOUNDS.includes(sound) || sound === SILENCE ? null : `Invalid notification sound '${sound}'`,
  ),
  email_notifications_batching_period_seconds: judged(
    setting(
      int(),
      120,
      "Seconds for which messages are gathered before they are sent by e-mail, a week at most.",
    ),
    (period) =>
      period > 0 && period <= WEEK_SECONDS ? null : `Invalid email batching period: ${period} seconds`,
  ),
  pm_content_in_desktop_notifications: flag(
    true,
    "Whether notifications on the desktop show what a direct message says.",
  ),
  message_content_in_email_notifications: flag(true, "Whether mails show what a message says."),
  realm_name_in_email_notifications_policy: oneOf(
    [1, 2, 3],
    1,
    "Whether mails name the organization in their subject: 1 where you belong to several, 2 always, 3 never.",
  ),
  desktop_icon_count_display: oneOf(
    [1, 2, 3, 4],
    1,
    "What the app's icon counts: 1 all that is unread, 2 direct messages, mentions and followed topics, 3 direct " +
      "messages and mentions, 4 nothing.",
  ),
  automatically_follow_topics_policy: oneOf(
    [1, 2, 3, 4],
    3,
    "Which topics you follow by yourself: 1 those you take any part in, 2 those you write in, 3 those you begin, 4 none.",
  ),
  automatically_unmute_topics_in_muted_streams_policy: oneOf(
    [1, 2, 3, 4],
    2,
    "Which topics in muted channels are unmuted for you: 1 those you take any part in, 2 those you write in, 3 those " +
      "you begin, 4 none.",
  ),
  automatically_follow_topics_where_mentioned: flag(true, "Whether you follow topics that mention you."),
  resolved_topic_notice_auto_read_policy: word(
    ["always", "except_followed", "never"],
    "except_followed",
    "When notices that a topic was resolved are marked as read.",
  ),
};
