import { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import { MAX_ANNOUNCED_SUBSCRIBERS } from "@/lib/chat/channels/subscriptions/model.ts";
import { THUMBNAIL_FORMAT } from "@/lib/chat/files/model.ts";
import { EMOJI_NAMES_PATH } from "@/lib/chat/emoji/model.ts";
import { MOVE_LIMIT_SECONDS } from "@/lib/chat/channels/model/access.ts";
import { iconUrl, type RealmRecord, realmUrl } from "@/lib/chat/organizations/model.ts";
import { NO_CHANNEL } from "@/lib/chat/organizations/settings.ts";
import { FIXED_PERMISSIONS } from "@/lib/chat/permissions/model/grants.ts";
import { systemGroupId } from "@/lib/chat/permissions/model/system_groups.ts";
import { spectatorPart, statePart } from "./model.ts";

/**
 * Settings that no organization can change: each value describes how the server behaves. Clients expect them
 * among the settings of an organization.
 */
const FIXED_SETTINGS = {
  realm_allow_edit_history: true,
  realm_allow_message_editing: true,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_available_video_chat_providers: { disabled: { name: "None", id: 0 } },
  realm_avatar_changes_disabled: false,
  realm_default_avatar_source: "G",
  realm_default_code_block_language: "",
  realm_default_language: "en",
  realm_digest_emails_enabled: false,
  realm_enable_guest_user_dm_warning: true,
  realm_enable_guest_user_indicator: true,
  realm_inline_image_preview: true,
  realm_inline_url_embed_preview: false,
  realm_invite_required: true,
  realm_logo_source: "D",
  realm_mandatory_topics: false,
  realm_media_preview_size: 100,
  realm_message_content_allowed_in_email_notifications: false,
  realm_message_edit_history_visibility_policy: "all",
  realm_message_retention_days: -1,
  realm_move_messages_between_streams_limit_seconds: null,
  realm_move_messages_within_stream_limit_seconds: MOVE_LIMIT_SECONDS,
  realm_night_logo_source: "D",
  realm_org_type: 0,
  realm_owner_full_content_access: false,
  realm_plan_type: 1,
  realm_require_unique_names: false,
  realm_send_channel_events_messages: true,
  realm_send_welcome_emails: false,
  realm_signup_announcements_stream_id: NO_CHANNEL,
  realm_topics_policy: "allow_empty_topic",
  realm_video_chat_provider: 0,
  realm_want_advertise_in_communities_directory: false,
  development_environment: false,
  max_bulk_new_subscription_messages: MAX_ANNOUNCED_SUBSCRIBERS,
  max_logo_file_size_mib: 0,
  server_can_summarize_topics: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_needs_upgrade: false,
  server_thumbnail_formats: [THUMBNAIL_FORMAT],
  settings_send_digest_emails: false,
} as const;

const fixed = (description: string) => ({ description: `Always the same. ${description}` });

const fixedSettingsSchema = z.object({
  realm_allow_edit_history: z.boolean().meta({ deprecated: true, ...fixed("Edit history is visible.") }),
  realm_allow_message_editing: z.boolean().meta(
    fixed("Users can edit their messages, within `realm_message_content_edit_limit_seconds`."),
  ),
  realm_authentication_methods: z.record(
    z.string(),
    z.object({ enabled: z.boolean(), available: z.boolean() }),
  ).meta(fixed("Users sign in by email address and password.")),
  realm_available_video_chat_providers: z.record(z.string(), z.object({ name: z.string(), id: z.int() })),
  realm_avatar_changes_disabled: z.boolean().meta(fixed("Users can change their avatars.")),
  realm_default_avatar_source: z.string().meta(fixed("`G`: the avatar is not uploaded.")),
  realm_default_code_block_language: z.string().meta(fixed("Code blocks have no default language.")),
  realm_default_language: z.string().meta(fixed("Automatic messages are in English.")),
  realm_digest_emails_enabled: z.boolean().meta(fixed("The server sends no digests.")),
  realm_enable_guest_user_dm_warning: z.boolean().meta(fixed("For the user interface of clients.")),
  realm_enable_guest_user_indicator: z.boolean().meta(fixed("For the user interface of clients.")),
  realm_inline_image_preview: z.boolean().meta(fixed("Messages show previews of uploaded images.")),
  realm_inline_url_embed_preview: z.boolean().meta(fixed("Linked pages have no previews.")),
  realm_invite_required: z.boolean().meta(fixed("New users need an invitation.")),
  realm_logo_source: z.string().meta(fixed("`D`: logos cannot be uploaded.")),
  realm_mandatory_topics: z.boolean().meta({ deprecated: true, ...fixed("See `realm_topics_policy`.") }),
  realm_media_preview_size: z.int().meta(fixed("Height of previews, in percent of a client's usual one.")),
  realm_message_content_allowed_in_email_notifications: z.boolean().meta(
    fixed("The server sends no notifications of messages by email."),
  ),
  realm_message_edit_history_visibility_policy: z.string().meta(fixed("`all`: all versions are visible.")),
  realm_message_retention_days: z.int().meta(fixed("-1: forever, unless a channel has its own period.")),
  realm_move_messages_between_streams_limit_seconds: z.int().nullable().meta(fixed("Null: without limit.")),
  realm_move_messages_within_stream_limit_seconds: z.int().nullable().meta(
    fixed("Age up to which users other than moderators can move messages to other topics."),
  ),
  realm_night_logo_source: z.string().meta(fixed("`D`: logos cannot be uploaded.")),
  realm_org_type: z.int().meta(fixed("0: organizations have no type.")),
  realm_owner_full_content_access: z.boolean().meta(fixed("Private content is private from owners too.")),
  realm_plan_type: z.int().meta(fixed("1: hosted by its operator.")),
  realm_require_unique_names: z.boolean().meta(fixed("Users can have the same full name.")),
  realm_send_channel_events_messages: z.boolean().meta(fixed("Changes of a channel are announced in it.")),
  realm_send_welcome_emails: z.boolean().meta(fixed("New users receive no email after joining.")),
  realm_signup_announcements_stream_id: z.int().meta(fixed("-1: new users are not announced.")),
  realm_topics_policy: z.string().meta(fixed("The policy of channels that inherit it.")),
  realm_video_chat_provider: z.int().meta(
    fixed("0: none that clients integrate; calls are created by `POST /calls/videoprovider/create`."),
  ),
  realm_want_advertise_in_communities_directory: z.boolean().meta(fixed("There is no such directory.")),
  development_environment: z.boolean().meta(fixed("")),
  max_bulk_new_subscription_messages: z.int().meta(
    fixed("Maximum number of users for `send_new_subscription_messages`."),
  ),
  max_logo_file_size_mib: z.int().meta(fixed("Logos cannot be uploaded.")),
  server_can_summarize_topics: z.boolean().meta(fixed("The server summarizes no topics.")),
  server_inline_image_preview: z.boolean().meta(fixed("Messages show previews of uploaded images.")),
  server_inline_url_embed_preview: z.boolean().meta(fixed("Linked pages have no previews.")),
  server_needs_upgrade: z.boolean().meta(fixed("Clients need not warn of an old version.")),
  server_thumbnail_formats: z.array(z.object({
    name: z.string().meta({ description: "The end of a thumbnail's path." }),
    max_width: z.int(),
    max_height: z.int(),
    format: z.string(),
    animated: z.boolean(),
  })).meta(fixed("Thumbnails are never larger than their image.")),
  settings_send_digest_emails: z.boolean().meta(fixed("The server sends no digests.")),
  realm_logo_url: z.string().meta({ description: "The default icon: logos cannot be uploaded." }),
  realm_night_logo_url: z.string().meta({ description: "The default icon: logos cannot be uploaded." }),
  realm_uuid: z.string(),
  server_emoji_data_url: z.string().meta({
    description: "Address of a JSON object with the names of standard emoji by code, in `code_to_names`.",
  }),
  server_generation: z.int().meta({ description: "Start of the server, in seconds since 1970 UTC." }),
});

/** Settings that are the same in every organization, and addresses of the server. */
export const fixedSettings = spectatorPart("realm", fixedSettingsSchema, ({ app, realm }) => ({
  ...FIXED_SETTINGS,
  ...toFixedAddresses(app, realm),
  realm_uuid: realm.uuid,
  server_generation: Math.floor(app.startedAt / 1000),
}));

function toFixedAddresses(app: ChatApp, realm: RealmRecord) {
  const logo = iconUrl(app, { subdomain: realm.subdomain, icon: null });
  return {
    realm_logo_url: logo,
    realm_night_logo_url: logo,
    server_emoji_data_url: `${realmUrl(app, realm)}${EMOJI_NAMES_PATH}`,
  };
}

const groupIdSchema = z.int().meta(fixed("The id of a system group."));

/** Permissions that are the same in every organization, as the ids of system groups. */
export const fixedPermissions = statePart(
  "realm",
  z.object(Object.fromEntries(FIXED_PERMISSIONS.map(({ setting }) => [`realm_${setting}`, groupIdSchema]))),
  ({ realm }) =>
    Object.fromEntries(
      FIXED_PERMISSIONS.map(({ setting, group }) => [`realm_${setting}`, systemGroupId(realm, group)]),
    ),
);

/** Lists of what the server does not offer; always empty. */
const EMPTY_LISTS: Readonly<Record<string, string>> = {
  onboarding_steps: "onboarding_steps",
  stop_words: "stop_words",
  realm_default_stream_groups: "default_stream_groups",
  realm_embedded_bots: "realm_embedded_bots",
  realm_incoming_webhook_bots: "realm_incoming_webhook_bots",
};

/** Empty lists, each for clients that request its type. */
export const emptyLists = Object.entries(EMPTY_LISTS).map(([name, type]) =>
  statePart(
    type,
    z.object({ [name]: z.array(z.unknown()).meta({ description: "Always empty." }) }),
    () => ({ [name]: [] }),
  )
);

/** Whether a sponsorship was requested. */
export const billing = statePart(
  "realm_billing",
  z.object({
    realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }).meta(
      fixed("There is nothing to pay."),
    ),
  }),
  () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
);
