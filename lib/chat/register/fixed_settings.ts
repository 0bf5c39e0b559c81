import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { MAX_ANNOUNCED_SUBSCRIBERS } from "@/lib/chat/channels/subscriptions/model.ts";
import { THUMBNAIL_FORMAT } from "@/lib/chat/organization/files/model.ts";
import { EMOJI_NAMES_PATH } from "@/lib/chat/organization/emoji.ts";
import { MOVE_LIMIT_SECONDS } from "@/lib/chat/organization/channels/model/access.ts";
import { iconUrl, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { NO_CHANNEL } from "@/lib/chat/organization/organizations/settings.ts";
import { FIXED_PERMISSIONS } from "@/lib/chat/organization/permissions/model/grants.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { spectatorPart, statePart } from "./model.ts";

/** A setting with a value that is always the same, and its schema. */
type FixedSetting = readonly [value: unknown, schema: z.ZodType];

const toFixed = (about: string) => ({ description: `Always the same. ${about}` });

function fixed(
  value: boolean | string | number | object | null,
  about: string,
  special?: z.ZodType,
): FixedSetting {
  const schema = typeof value === "boolean" ? z.boolean() : typeof value === "string" ? z.string() : z.int();
  return [value, (special ?? schema).meta(toFixed(about))];
}

/**
 * Settings that no organization can change: each value describes how the server behaves. Clients expect them
 * among the settings of an organization.
 */
const FIXED_SETTINGS: Readonly<Record<string, FixedSetting>> = {
  realm_allow_edit_history: fixed(true, "Edit history is visible.", z.boolean().meta({ deprecated: true })),
  realm_allow_message_editing: fixed(
    true,
    "Users can edit their messages, within `realm_message_content_edit_limit_seconds`.",
  ),
  realm_authentication_methods: fixed(
    { Email: { enabled: true, available: true } },
    "Users sign in by email address and password.",
    z.record(z.string(), z.object({ enabled: z.boolean(), available: z.boolean() })),
  ),
  realm_available_video_chat_providers: [
    { disabled: { name: "None", id: 0 } },
    z.record(z.string(), z.object({ name: z.string(), id: z.int() })),
  ],
  realm_avatar_changes_disabled: fixed(false, "Users can change their avatars."),
  realm_default_avatar_source: fixed("G", "`G`: the avatar is not uploaded."),
  realm_default_code_block_language: fixed("", "Code blocks have no default language."),
  realm_default_language: fixed("en", "Automatic messages are in English."),
  realm_digest_emails_enabled: fixed(false, "The server sends no digests."),
  realm_enable_guest_user_dm_warning: fixed(true, "For the user interface of clients."),
  realm_enable_guest_user_indicator: fixed(true, "For the user interface of clients."),
  realm_inline_image_preview: fixed(true, "Messages show previews of uploaded images."),
  realm_inline_url_embed_preview: fixed(false, "Linked pages have no previews."),
  realm_invite_required: fixed(true, "New users need an invitation."),
  realm_logo_source: fixed("D", "`D`: logos cannot be uploaded."),
  realm_mandatory_topics: fixed(false, "See `realm_topics_policy`.", z.boolean().meta({ deprecated: true })),
  realm_media_preview_size: fixed(100, "Height of previews, in percent of a client's usual one."),
  realm_message_content_allowed_in_email_notifications: fixed(
    false,
    "The server sends no notifications of messages by email.",
  ),
  realm_message_edit_history_visibility_policy: fixed("all", "`all`: all versions are visible."),
  realm_message_retention_days: fixed(-1, "-1: forever, unless a channel has its own period."),
  realm_move_messages_between_streams_limit_seconds: fixed(null, "Null: without limit.", z.int().nullable()),
  realm_move_messages_within_stream_limit_seconds: fixed(
    MOVE_LIMIT_SECONDS,
    "Age up to which users other than moderators can move messages to other topics.",
    z.int().nullable(),
  ),
  realm_night_logo_source: fixed("D", "`D`: logos cannot be uploaded."),
  realm_org_type: fixed(0, "0: organizations have no type."),
  realm_owner_full_content_access: fixed(false, "Private content is private from owners too."),
  realm_plan_type: fixed(1, "1: hosted by its operator."),
  realm_require_unique_names: fixed(false, "Users can have the same full name."),
  realm_send_channel_events_messages: fixed(true, "Changes of a channel are announced in it."),
  realm_send_welcome_emails: fixed(false, "New users receive no email after joining."),
  realm_signup_announcements_stream_id: fixed(NO_CHANNEL, "-1: new users are not announced."),
  realm_topics_policy: fixed("allow_empty_topic", "The policy of channels that inherit it."),
  realm_video_chat_provider: fixed(
    0,
    "0: none that clients integrate; calls are created by `POST /calls/videoprovider/create`.",
  ),
  realm_want_advertise_in_communities_directory: fixed(false, "There is no such directory."),
  development_environment: fixed(false, ""),
  max_bulk_new_subscription_messages: fixed(
    MAX_ANNOUNCED_SUBSCRIBERS,
    "Maximum number of users for `send_new_subscription_messages`.",
  ),
  max_logo_file_size_mib: fixed(0, "Logos cannot be uploaded."),
  server_can_summarize_topics: fixed(false, "The server summarizes no topics."),
  server_inline_image_preview: fixed(true, "Messages show previews of uploaded images."),
  server_inline_url_embed_preview: fixed(false, "Linked pages have no previews."),
  server_needs_upgrade: fixed(false, "Clients need not warn of an old version."),
  server_thumbnail_formats: fixed(
    [THUMBNAIL_FORMAT],
    "Thumbnails are never larger than their image.",
    z.array(z.object({
      name: z.string().meta({ description: "The end of a thumbnail's path." }),
      max_width: z.int(),
      max_height: z.int(),
      format: z.string(),
      animated: z.boolean(),
    })),
  ),
  settings_send_digest_emails: fixed(false, "The server sends no digests."),
};

const fixedSettingsSchema = z.object({
  ...mapValues(FIXED_SETTINGS, ([, schema]) => schema),
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
  ...mapValues(FIXED_SETTINGS, ([value]) => value),
  // Logos cannot be uploaded.
  realm_logo_url: iconUrl(app, { subdomain: realm.subdomain, icon: null }),
  realm_night_logo_url: iconUrl(app, { subdomain: realm.subdomain, icon: null }),
  server_emoji_data_url: `${realmUrl(app, realm)}${EMOJI_NAMES_PATH}`,
  realm_uuid: realm.uuid,
  server_generation: Math.floor(app.startedAt / 1000),
}));

const groupIdSchema = z.int().meta(toFixed("The id of a system group."));

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
      toFixed("There is nothing to pay."),
    ),
  }),
  () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
);
