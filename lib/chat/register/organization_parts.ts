import { z } from "zod";
import type { ChatApp } from "../app.ts";
import { MAX_FOLDER_DESCRIPTION, MAX_FOLDER_NAME } from "../channel_folders/folder.ts";
import {
  EMPTY_TOPIC_NAME,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  MAX_TOPIC,
} from "../channels/channel.ts";
import { isPushConfigured } from "../devices/remote_bouncer.ts";
import { MAX_MESSAGE } from "../messages/message.ts";
import { openRealmViewSchema, realmViewSchema } from "../organizations/schema.ts";
import { toOpenRealmView, toRealmView } from "../organizations/view.ts";
import { type PermissionOwner, permissionsOf } from "../permissions/registry.ts";
import type { SystemGroupName } from "../permissions/system_groups.ts";
import { realmHost, type RealmRecord } from "../realm/realm.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_GUESSES, MIN_PASSWORD_LENGTH } from "../users/password_policy.ts";
import { openPart, part, type RegisterCall } from "./part.ts";

/** Bounds of channels, in code points. */
const CHANNEL_LIMITS = {
  max_stream_name_length: MAX_CHANNEL_NAME,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION,
} as const;
/** Bounds of channel folders, in code points. */
const FOLDER_LIMITS = {
  max_channel_folder_name_length: MAX_FOLDER_NAME,
  max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION,
} as const;
/** Bounds of messages, in code points. */
const MESSAGE_LIMITS = { max_topic_length: MAX_TOPIC, max_message_length: MAX_MESSAGE } as const;

/** What clients keep to when they tell of presence and typing; the reference's numbers. */
const TIMES = {
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
} as const;

const codePoints = z.int().meta({ description: "In code points." });
const channelLimitsSchema = z.object({
  max_stream_name_length: codePoints,
  max_stream_description_length: codePoints,
});
const folderLimitsSchema = z.object({
  max_channel_folder_name_length: codePoints,
  max_channel_folder_description_length: codePoints,
});

const permissionSchema = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  allowed_system_groups: z.array(z.string()).meta({ description: "Empty: all that are not ruled out." }),
}).meta({ id: "SupportedPermission" });
const permissionsSchema = z.record(z.string(), permissionSchema);

const serverSchema = z.object({
  ...channelLimitsSchema.shape,
  ...folderLimitsSchema.shape,
  max_topic_length: codePoints,
  max_message_length: codePoints,
  max_file_upload_size_mib: z.int(),
  password_min_length: codePoints,
  password_min_guesses: z.int().meta({ description: "How many guesses a password has to outlast." }),
  password_max_length: z.int(),
  realm_bot_domain: z.string(),
  realm_empty_topic_display_name: z.string().meta({
    description: "What the topic without a name is shown as; sent as a topic, it means that one.",
  }),
  realm_email_auth_enabled: z.boolean(),
  realm_push_notifications_enabled: z.boolean(),
  realm_push_notifications_enabled_end_timestamp: z.null().meta({ description: "No end is set." }),
  realm_require_e2ee_push_notifications: z.boolean().meta({
    description: "True: there are no others here.",
  }),
  realm_password_auth_enabled: z.boolean(),
  server_web_public_streams_enabled: z.boolean(),
  server_name_changes_disabled: z.boolean(),
  server_avatar_changes_disabled: z.boolean(),
  server_presence_ping_interval_seconds: z.int(),
  server_presence_offline_threshold_seconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_supported_permission_settings: z.object({
    realm: permissionsSchema,
    stream: permissionsSchema,
    group: permissionsSchema,
  }),
});

/** The organization, what it allows, and the server's bounds. */
export const organization = part(
  "realm",
  z.object({ ...realmViewSchema.shape, ...serverSchema.shape }),
  async ({ app, realm, permissions, users }) => ({
    ...toRealmView(app, permissions, await activeAmong(users)),
    ...toServerFields(app, realm),
  }),
);

/** What spectators are told of the organization: who it is and how large things may be, nothing of its people's rights. */
export const openOrganization = openPart(
  "realm",
  z.object({ ...openRealmViewSchema.shape, ...serverSchema.shape }),
  ({ app, realm }) => ({ ...toOpenRealmView(app, realm), ...toServerFields(app, realm) }),
);

function toServerFields(app: ChatApp, realm: RealmRecord) {
  return {
    ...toLimits(app),
    ...TIMES,
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
      realm: toSupported("realm"),
      stream: toSupported("channel"),
      group: toSupported("user_group"),
    },
  };
}

async function activeAmong(users: RegisterCall["users"]): Promise<(userId: number) => boolean> {
  const active = new Set((await users()).filter((user) => user.is_active).map(({ id }) => id));
  return (userId) => active.has(userId);
}

/** The bounds of channels, for who wants no more of the organization. */
export const channelLimits = openPart("stream", channelLimitsSchema, () => CHANNEL_LIMITS);

/** The bounds of channel folders, for who wants no more of the organization. */
export const folderLimits = openPart("channel_folders", folderLimitsSchema, () => FOLDER_LIMITS);

function toLimits({ config }: Pick<ChatApp, "config">) {
  return {
    ...CHANNEL_LIMITS,
    ...FOLDER_LIMITS,
    ...MESSAGE_LIMITS,
    max_file_upload_size_mib: config.uploadMaxMib,
    password_min_length: MIN_PASSWORD_LENGTH,
    password_min_guesses: MIN_PASSWORD_GUESSES,
    password_max_length: MAX_PASSWORD_LENGTH,
  };
}

/** Which groups each permission takes, by its name. */
function toSupported(owner: PermissionOwner): z.infer<typeof permissionsSchema> {
  return Object.fromEntries(
    permissionsOf(owner).map(({ setting, byDefault, refuses, takesOnly }) => {
      const takes = (name: SystemGroupName) =>
        !refuses.includes(name) && (takesOnly === undefined || takesOnly.includes(name));
      return [setting, {
        require_system_group: takesOnly !== undefined,
        allow_internet_group: false,
        allow_nobody_group: takes("role:nobody"),
        allow_everyone_group: takes("role:everyone"),
        default_group_name: byDefault === "creator" ? "channel_creator" : byDefault,
        allowed_system_groups: [...takesOnly ?? []],
      }];
    }),
  );
}
