import { defaultLanguage } from "./language.ts";
import { flag, oneOf, size, word } from "./setting.ts";

/** How things look, and what the keys do. */
export const DISPLAY_SETTINGS = {
  twenty_four_hour_time: flag(false, "Whether times are shown as 17:00 rather than 5:00 PM."),
  web_mark_read_on_scroll_policy: oneOf(
    [1, 2, 3],
    1,
    "Whether scrolling marks messages as read: 1 always, 2 in conversation views alone, 3 never.",
  ),
  web_channel_default_view: oneOf(
    [1, 2, 4],
    1,
    "Where a click on a channel leads: 1 its top topic, 2 all its messages, 4 its top unread topic.",
  ),
  starred_message_counts: flag(true, "Whether starred messages are counted."),
  receives_typing_notifications: flag(true, "Whether you are shown that somebody is typing."),
  web_suggest_update_timezone: flag(
    true,
    "Whether you are asked to change your time zone where the browser has another.",
  ),
  fluid_layout_width: flag(false, "Whether wide screens are used whole."),
  high_contrast_mode: flag(false, "Whether contrasts are stronger."),
  web_font_size_px: size(16, "The size of the web app's letters in pixels."),
  web_line_height_percent: size(140, "The web app's line height in percent: 120 means 1.2."),
  color_scheme: oneOf([1, 2, 3], 1, "Colours: 1 as the system has them, 2 dark, 3 light."),
  enable_drafts_synchronization: flag(
    true,
    "Whether drafts are kept on the server; turning it off deletes those that are.",
  ),
  translate_emoticons: flag(false, "Whether emoticons are turned into emoji before a message is sent."),
  display_emoji_reaction_users: flag(true, "Whether names stand beside a reaction that few people gave."),
  default_language: defaultLanguage,
  web_home_view: word(
    ["recent", "inbox", "all_messages"],
    "inbox",
    "What is shown first: recent conversations, the inbox, or all messages.",
  ),
  web_escape_navigates_to_home_view: flag(true, "Whether the Escape key leads to what is shown first."),
  left_side_userlist: flag(false, "Whether people are listed at the left in narrow windows."),
  emojiset: word(
    ["text", "google", "twitter"],
    "google",
    "How emoji look: as words, or as one of two sets of pictures.",
  ),
  demote_inactive_streams: oneOf(
    [1, 2, 3],
    1,
    "Whether channels without traffic move down: 1 where there are many channels, 2 always, 3 never.",
  ),
  user_list_style: oneOf([1, 2, 3], 3, "How people are listed: 1 closely, 2 with status, 3 with picture."),
  enter_sends: flag(false, "Whether the Enter key sends a message."),
  web_animate_image_previews: word(
    ["always", "on_hover", "never"],
    "on_hover",
    "When animated pictures move.",
  ),
  web_stream_unreads_count_display_policy: oneOf(
    [1, 2, 3],
    2,
    "Which channels show how many messages are unread: 1 all, 2 those that are not muted, 3 none.",
  ),
  web_left_sidebar_unreads_count_summary: flag(true, "Whether the left sidebar sums up what is unread."),
  web_left_sidebar_show_channel_folders: flag(true, "Whether the left sidebar shows channels by folder."),
  web_inbox_show_channel_folders: flag(true, "Whether the inbox shows channels by folder."),
  web_navigate_to_sent_message: flag(true, "Whether you are led to where your message was sent."),
  hide_ai_features: flag(false, "Whether features that use language models are hidden."),
};
