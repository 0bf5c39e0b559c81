import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { MIN_PASSWORD_GUESSES, MIN_PASSWORD_LENGTH } from "@/lib/chat/people/auth/passwords.ts";
import { MAX_PASSWORD_LENGTH } from "@/lib/core/password.ts";
import { MAX_FOLDER_DESCRIPTION, MAX_FOLDER_NAME } from "@/lib/chat/channels/channel_folders.ts";
import {
  EMPTY_TOPIC_NAME,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  MAX_TOPIC,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { isPushConfigured } from "@/lib/chat/devices/devices.ts";
import { listRealmEmoji, realmEmojiSchema } from "@/lib/chat/organization/emoji.ts";
import { MIB } from "@/lib/chat/organization/files/model.ts";
import { realmLinkifiersSchema } from "@/lib/chat/messages/linkifiers/api.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";
import { MAX_MESSAGE_LENGTH } from "@/lib/chat/messages/model.ts";
import {
  realmDomainSchema,
  realmSchema,
  spectatorRealmSchema,
  toRealm,
  toSpectatorRealm,
} from "@/lib/chat/organization/organizations/api.ts";
import { realmHost, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { FIXED_PERMISSIONS } from "@/lib/chat/organization/permissions/model/grants.ts";
import { type PermissionOwner, permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import type { SystemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { MAX_PICTURE_BYTES } from "@/lib/chat/organization/pictures.ts";
import { playgroundList, realmPlaygroundsSchema } from "@/lib/chat/messages/playgrounds.ts";
import { REPORT_TYPES, reportTypesSchema } from "@/lib/chat/messages/reports.ts";
import { spectatorPart, statePart } from "./model.ts";

/** Maximum size of icons and avatars. */
const PICTURE_MIB = MAX_PICTURE_BYTES / MIB;
/** Limits of channels, in code points. */
const CHANNEL_LIMITS = {
  max_stream_name_length: MAX_CHANNEL_NAME,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION,
} as const;
/** Limits of channel folders, in code points. */
const FOLDER_LIMITS = {
  max_channel_folder_name_length: MAX_FOLDER_NAME,
  max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION,
} as const;
/** Limits of messages, in code points. */
const MESSAGE_LIMITS = { max_topic_length: MAX_TOPIC, max_message_length: MAX_MESSAGE_LENGTH } as const;

/** Intervals at which clients report presence and typing, as in the reference implementation. */
const INTERVALS = {
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
} as const;

const codePoints = z.int().meta({ description: "In code points." });
const channelLimitsSchema = z.object(mapValues(CHANNEL_LIMITS, () => codePoints));
const folderLimitsSchema = z.object(mapValues(FOLDER_LIMITS, () => codePoints));

const permissionSchema = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  allowed_system_groups: z.array(z.string()).meta({ description: "Empty: all that the other fields allow." }),
}).meta({ id: "SupportedPermission" });
const permissionsSchema = z.record(z.string(), permissionSchema);

const serverSchema = z.object({
  ...channelLimitsSchema.shape,
  ...folderLimitsSchema.shape,
  ...mapValues(MESSAGE_LIMITS, () => codePoints),
  max_file_upload_size_mib: z.int(),
  password_min_length: codePoints,
  password_min_guesses: z.int().meta({
    description: "Minimum number of guesses that a password has to withstand.",
  }),
  password_max_length: z.int(),
  realm_bot_domain: z.string(),
  realm_empty_topic_display_name: z.string().meta({
    description: "Display name of the topic without a name; sent as a topic, it means that topic.",
  }),
  realm_email_auth_enabled: z.boolean(),
  realm_push_notifications_enabled: z.boolean(),
  realm_push_notifications_enabled_end_timestamp: z.int().nullable().meta({
    description: "Always null: the service does not end.",
  }),
  realm_require_e2ee_push_notifications: z.boolean().meta({
    description: "Always true: unencrypted push notifications are not supported.",
  }),
  realm_password_auth_enabled: z.boolean(),
  server_web_public_streams_enabled: z.boolean(),
  server_name_changes_disabled: z.boolean(),
  server_avatar_changes_disabled: z.boolean(),
  ...mapValues(INTERVALS, () => z.int()),
  server_supported_permission_settings: z.object({
    realm: permissionsSchema,
    stream: permissionsSchema,
    group: permissionsSchema,
  }),
});

/** The organization with its settings, and the limits of the server. */
export const organization = statePart(
  "realm",
  z.object({ ...realmSchema.shape, ...serverSchema.shape }),
  async ({ app, realm, permissions, userList }) => {
    const { activeIds } = await userList();
    return { ...toRealm(app, permissions, (id) => activeIds.has(id)), ...toServerFields(app, realm) };
  },
);

/**
 * The public profile of the organization and the limits of the server, without settings that concern
 * accounts.
 */
export const spectatorOrganization = spectatorPart(
  "realm",
  z.object({ ...spectatorRealmSchema.shape, ...serverSchema.shape }),
  ({ app, realm }) => ({ ...toSpectatorRealm(app, realm), ...toServerFields(app, realm) }),
);

function toServerFields(app: ChatApp, realm: RealmRecord) {
  return {
    ...CHANNEL_LIMITS,
    ...FOLDER_LIMITS,
    ...MESSAGE_LIMITS,
    max_file_upload_size_mib: app.config.uploadMaxMib,
    password_min_length: MIN_PASSWORD_LENGTH,
    password_min_guesses: MIN_PASSWORD_GUESSES,
    password_max_length: MAX_PASSWORD_LENGTH,
    ...INTERVALS,
    realm_bot_domain: realmHost(app, realm),
    realm_empty_topic_display_name: EMPTY_TOPIC_NAME,
    realm_email_auth_enabled: true,
    realm_push_notifications_enabled: isPushConfigured(app),
    realm_push_notifications_enabled_end_timestamp: null,
    realm_require_e2ee_push_notifications: true,
    realm_password_auth_enabled: true,
    server_web_public_streams_enabled: app.config.webPublicStreamsEnabled,
    server_name_changes_disabled: false,
    server_avatar_changes_disabled: false,
    server_supported_permission_settings: {
      realm: { ...toSupported("realm"), ...toSupportedFixed() },
      stream: toSupported("channel"),
      group: toSupported("user_group"),
    },
  };
}

/** Limits of channels, for clients that do not request the organization. */
export const channelLimits = spectatorPart("stream", channelLimitsSchema, () => CHANNEL_LIMITS);

/** Limits of channel folders, for clients that do not request the organization. */
export const folderLimits = spectatorPart("channel_folders", folderLimitsSchema, () => FOLDER_LIMITS);

/** Returns the groups that each permission setting allows, by setting name. */
function toSupported(owner: PermissionOwner): z.infer<typeof permissionsSchema> {
  return Object.fromEntries(
    permissionRules(owner).map(
      ({ setting, defaultGroup, rejectedGroups, allowedGroups }) => {
        const allows = (name: SystemGroupName) =>
          !rejectedGroups.includes(name) && (allowedGroups === undefined || allowedGroups.includes(name));
        return [setting, {
          require_system_group: allowedGroups !== undefined,
          allow_internet_group: false,
          allow_nobody_group: allows("role:nobody"),
          allow_everyone_group: allows("role:everyone"),
          default_group_name: defaultGroup === "creator" ? "channel_creator" : defaultGroup,
          allowed_system_groups: [...allowedGroups ?? []],
        }];
      },
    ),
  );
}

/** Returns the only group that each permission which cannot be changed allows, by setting name. */
function toSupportedFixed(): z.infer<typeof permissionsSchema> {
  return Object.fromEntries(
    FIXED_PERMISSIONS.map(({ setting, group }) => [setting, {
      require_system_group: true,
      allow_internet_group: false,
      allow_nobody_group: group === "role:nobody",
      allow_everyone_group: group === "role:everyone",
      default_group_name: group,
      allowed_system_groups: [group],
    }]),
  );
}

/** The organization's linkifiers in order; empty for clients that do not know URL templates. */
export const linkifiers = spectatorPart(
  "realm_linkifiers",
  realmLinkifiersSchema,
  async ({ app, realm, capabilities }) => ({
    realm_linkifiers: capabilities.includes("linkifier_url_template")
      ? await listLinkifiers(app, realm.id)
      : [],
  }),
);

/** Older list of linkifiers; always empty, as its form does not allow URL templates. */
export const legacyLinkifiers = spectatorPart(
  "realm_filters",
  z.object({ realm_filters: z.array(z.unknown()).meta({ deprecated: true, description: "Always empty." }) }),
  () => ({ realm_filters: [] }),
);

/** The organization's code playgrounds, in the order of their creation. */
export const playgrounds = spectatorPart(
  "realm_playgrounds",
  realmPlaygroundsSchema,
  async ({ app, realm }) => ({ realm_playgrounds: await playgroundList.read(app, { realm }) }),
);

/** Upload quota of the organization and maximum size of its icon. */
export const uploadLimits = spectatorPart(
  "realm",
  z.object({
    realm_upload_quota_mib: z.int().nullable().meta({
      description: "Maximum total size of the organization's uploads; null when unlimited.",
    }),
    max_icon_file_size_mib: z.int(),
  }),
  ({ app }) => ({
    realm_upload_quota_mib: app.config.uploadQuotaMib === 0 ? null : app.config.uploadQuotaMib,
    max_icon_file_size_mib: PICTURE_MIB,
  }),
);

export const avatarLimit = spectatorPart(
  "realm_user",
  z.object({ max_avatar_file_size_mib: z.int() }),
  () => ({ max_avatar_file_size_mib: PICTURE_MIB }),
);

export const realmDomains = statePart(
  "realm_domains",
  z.object({ realm_domains: z.array(realmDomainSchema) }),
  ({ realm }) => ({ realm_domains: realm.settings.domains }),
);

/** The organization's custom emoji by id, including deactivated ones. */
export const realmEmoji = spectatorPart(
  "realm_emoji",
  z.object({ realm_emoji: realmEmojiSchema.shape.emoji }),
  async ({ app, realm }) => ({ realm_emoji: await listRealmEmoji(app, realm.id) }),
);

export const reportTypes = statePart(
  "realm",
  reportTypesSchema,
  () => ({ server_report_message_types: REPORT_TYPES }),
);
