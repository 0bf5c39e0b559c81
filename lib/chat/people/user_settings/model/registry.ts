import {
  bool,
  choice,
  described,
  int,
  intChoice,
  optional,
  type Param,
  text,
} from "@/lib/chat/organization/params/param.ts";
import { timeZonesNames } from "@vvo/tzdb";
import { z } from "zod";
import { EMAIL_VISIBILITY } from "@/lib/chat/organization/users/model.ts";

export type SettingValue = boolean | number | string;

/** A setting: the parameter that changes it, its default value and its restrictions. */
export interface Setting<T extends SettingValue> extends Param<T | undefined> {
  readonly defaultValue: T;
  /** Whether only the user can change it, and no administrator. */
  readonly isPersonal: boolean;
  /** Returns the reason for refusing a value of the right type, or null when the value is valid. */
  findProblem?(value: T): string | null;
}

export function setting<T extends SettingValue>(
  param: Param<T>,
  defaultValue: NoInfer<T>,
  description: string,
): Setting<T> {
  return { ...described(optional(param), description), defaultValue, isPersonal: false };
}

export function booleanSetting(defaultValue: boolean, description: string): Setting<boolean> {
  return setting(bool(), defaultValue, description);
}

export function numberChoiceSetting<const N extends number>(
  choices: readonly N[],
  defaultValue: NoInfer<N>,
  description: string,
): Setting<N> {
  return setting(intChoice(choices), defaultValue, description);
}

export function textChoiceSetting<const T extends string>(
  choices: readonly T[],
  defaultValue: NoInfer<T>,
  description: string,
): Setting<T> {
  return setting(choice(choices), defaultValue, description);
}

/** Largest size; leaves room for any screen. */
const MAX_SIZE = 32_767;

/** Creates a setting that takes a size: an integer from 1 to 32,767. */
export function sizeSetting(defaultValue: number, description: string): Setting<number> {
  const sizes = int();
  const schema = sizes.schema
    .refine((value) => value >= 1 && value <= MAX_SIZE, { error: `Must be from 1 to ${MAX_SIZE}` })
    .meta({ minimum: 1, maximum: MAX_SIZE });
  return setting({ ...sizes, schema }, defaultValue, description);
}

/** Returns a copy of the setting that only the user can change. */
export function personalSetting<T extends SettingValue>(original: Setting<T>): Setting<T> {
  return { ...original, isPersonal: true };
}

/** Returns the setting with values that are refused once all parameters were read. */
export function validatedSetting<T extends SettingValue>(
  original: Setting<T>,
  findProblem: (value: T) => string | null,
): Setting<T> {
  return { ...original, findProblem };
}

/** Returns a language's name in that language, or undefined when the code names none. */
export function languageName(code: string): string | undefined {
  try {
    return new Intl.DisplayNames([code, "en"], { type: "language", fallback: "none" }).of(code);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export const EMOJI_STYLES = [
  { key: "google", text: "Standard" },
  { key: "twitter", text: "Alternative" },
  { key: "text", text: "Plain text" },
] as const;

const defaultLanguage = validatedSetting(
  setting(
    text({ max: 35 }),
    "en",
    "Code of the language in which clients show their interface, such as `de` or `pt-BR`.",
  ),
  (code) => languageName(code) === undefined ? "Invalid default_language" : null,
);

/** Settings of appearance and keyboard behavior. */
export const DISPLAY_SETTINGS = {
  twenty_four_hour_time: booleanSetting(false, "Whether times are shown as 17:00 rather than 5:00 PM."),
  web_mark_read_on_scroll_policy: numberChoiceSetting(
    [1, 2, 3],
    1,
    "Whether scrolling marks messages as read: 1 always, 2 only in conversation views, 3 never.",
  ),
  web_channel_default_view: numberChoiceSetting(
    [1, 2, 4],
    1,
    "The view that opens when you click a channel: 1 its top topic, 2 all its messages, 4 its top unread " +
      "topic.",
  ),
  starred_message_counts: booleanSetting(true, "Whether the number of starred messages is shown."),
  receives_typing_notifications: booleanSetting(true, "Whether you see when other users are typing."),
  web_suggest_update_timezone: booleanSetting(
    true,
    "Whether you are asked to update your time zone when the browser reports a different one.",
  ),
  fluid_layout_width: booleanSetting(false, "Whether the app uses the full width of wide screens."),
  high_contrast_mode: booleanSetting(false, "Whether contrast is increased."),
  web_font_size_px: sizeSetting(16, "The web app's font size in pixels."),
  web_line_height_percent: sizeSetting(140, "The web app's line height in percent: 120 means 1.2."),
  color_scheme: numberChoiceSetting([1, 2, 3], 1, "The color scheme: 1 follows the system, 2 dark, 3 light."),
  enable_drafts_synchronization: booleanSetting(
    true,
    "Whether drafts are saved on the server; turning this off deletes the saved drafts.",
  ),
  translate_emoticons: booleanSetting(
    false,
    "Whether emoticons are converted to emoji before a message is sent.",
  ),
  display_emoji_reaction_users: booleanSetting(
    true,
    "Whether names are shown next to a reaction that few users added.",
  ),
  default_language: defaultLanguage,
  web_home_view: textChoiceSetting(
    ["recent", "inbox", "all_messages"],
    "inbox",
    "The home view: recent conversations, the inbox, or all messages.",
  ),
  web_escape_navigates_to_home_view: booleanSetting(true, "Whether the Escape key opens the home view."),
  left_side_userlist: booleanSetting(false, "Whether users are listed on the left in narrow windows."),
  emojiset: textChoiceSetting(
    ["text", "google", "twitter"],
    "google",
    "The emoji style: plain text, or one of two image sets.",
  ),
  demote_inactive_streams: numberChoiceSetting(
    [1, 2, 3],
    1,
    "Whether inactive channels are listed last: 1 when you have many channels, 2 always, 3 never.",
  ),
  user_list_style: numberChoiceSetting(
    [1, 2, 3],
    3,
    "The style of the user list: 1 compact, 2 with status, 3 with status and avatar.",
  ),
  enter_sends: booleanSetting(false, "Whether the Enter key sends a message."),
  web_animate_image_previews: textChoiceSetting(
    ["always", "on_hover", "never"],
    "on_hover",
    "When animated images play.",
  ),
  web_stream_unreads_count_display_policy: numberChoiceSetting(
    [1, 2, 3],
    2,
    "The channels that show unread counts: 1 all channels, 2 unmuted channels, 3 no channels.",
  ),
  web_left_sidebar_unreads_count_summary: booleanSetting(
    true,
    "Whether the left sidebar shows a summary of unread counts.",
  ),
  web_left_sidebar_show_channel_folders: booleanSetting(
    true,
    "Whether the left sidebar groups channels by folder.",
  ),
  web_inbox_show_channel_folders: booleanSetting(true, "Whether the inbox groups channels by folder."),
  web_navigate_to_sent_message: booleanSetting(
    true,
    "Whether the app opens the conversation of a message that you sent.",
  ),
  hide_ai_features: booleanSetting(false, "Whether features that use language models are hidden."),
};

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

const { everyone, members, admins, nobody, moderators } = EMAIL_VISIBILITY;

/** Current names of time zones, by which a user chooses one; `Intl` lists former ones, such as `Europe/Kiev`. */
export const TIME_ZONES: readonly string[] = [...new Set(timeZonesNames)].sort();

/** Maximum length of the name of a time zone; IANA names have 32 characters at most. */
const MAX_ZONE_NAME = 64;

/**
 * Returns a name of a time zone, current or former, in its IANA spelling; null for an unknown name. Names that
 * only `Intl` knows, such as `PST`, keep their spelling; the empty text stands for none.
 */
function spellTimeZone(name: string): string | null {
  if (name === "") return "";
  // Offsets and timestamps, which name no zone, begin with a sign or a digit.
  if (name.length > MAX_ZONE_NAME || !/^[a-z]/i.test(name)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return null;
  }
  try {
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId;
  } catch {
    return name;
  }
}

const zoneSchema = z.string()
  .refine((name) => spellTimeZone(name) !== null, { error: "Not a recognized time zone" })
  .overwrite((name) => spellTimeZone(name) ?? name);

const timezone = setting(
  { ...text(), schema: zoneSchema },
  "",
  "Your time zone by an IANA name, current or former, such as `Europe/Berlin` or `US/Pacific`; empty for none.",
);

/** Settings of what others can see of a user and of mail about the service, which only the user changes. */
export const PRIVACY_SETTINGS = {
  presence_enabled: personalSetting(booleanSetting(true, "Whether other users can see when you are active.")),
  enable_digest_emails: personalSetting(
    booleanSetting(true, "Whether you receive a digest by email after an absence."),
  ),
  enable_login_emails: personalSetting(
    booleanSetting(true, "Whether you receive an email about each new sign-in to your account."),
  ),
  enable_marketing_emails: personalSetting(
    booleanSetting(true, "Whether you receive email with news about the service."),
  ),
  send_stream_typing_notifications: personalSetting(
    booleanSetting(true, "Whether other users see you typing in channels."),
  ),
  send_private_typing_notifications: personalSetting(
    booleanSetting(true, "Whether other users see you typing direct messages."),
  ),
  send_read_receipts: personalSetting(
    booleanSetting(true, "Whether other users see which messages you have read."),
  ),
  allow_private_data_export: personalSetting(
    booleanSetting(false, "Whether administrators can export your private messages."),
  ),
  email_address_visibility: personalSetting(
    numberChoiceSetting(
      [everyone, members, admins, nobody, moderators],
      everyone,
      "The users who can see your email address: 1 everyone, 2 members and above, 3 administrators, 4 " +
        "nobody, 5 moderators and administrators.",
    ),
  ),
  timezone: personalSetting(timezone),
};
