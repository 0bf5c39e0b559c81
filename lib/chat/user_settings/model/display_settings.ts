import { text } from "@/lib/chat/params/param.ts";
import {
  booleanSetting,
  numberChoiceSetting,
  setting,
  sizeSetting,
  textChoiceSetting,
  validatedSetting,
} from "./setting.ts";

/** Returns a language's name in that language, or undefined when the code names none. */
export function languageName(code: string): string | undefined {
  try {
    return new Intl.DisplayNames([code, "en"], { type: "language", fallback: "none" }).of(code);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Styles of emoji with their names for users. */
export const EMOJI_STYLES = [
  { key: "google", text: "Standard" },
  { key: "twitter", text: "Alternative" },
  { key: "text", text: "Plain text" },
] as const;

/** Setting of the language of the user interface. */
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
