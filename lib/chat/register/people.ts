import {
  canAccessAllUsers,
  filterAccessible,
  hasRealmPermission,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { z } from "zod";
import { toEventBot } from "@/lib/chat/people/users/bot_events.ts";
import { readMutedUsers, toMutedUsers } from "@/lib/chat/people/muted_users.ts";
import { changedPresencesSchema } from "@/lib/chat/people/presence/report_presence.ts";
import { listPresences } from "@/lib/chat/people/presence/list_presences.ts";
import { listFields, profileFieldSchema } from "@/lib/chat/people/profile_fields/api.ts";
import { EXTERNAL_ACCOUNTS } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import { FIELD_TYPE } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { listProfileData } from "@/lib/chat/people/profile_fields/store.ts";
import { listUserGroupTexts, userGroupSchema } from "@/lib/chat/organization/user_groups/api.ts";
import { listStatuses, userStatusSchema } from "@/lib/chat/people/user_status.ts";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { alertWordsSchema, readAlertWords, toAlertWords } from "../people/alert_words.ts";
import { hasProviderToken } from "../devices/calls.ts";
import { devicesSchema } from "../devices/register_for_push.ts";
import { listDevices } from "../devices/devices.ts";
import { EMOJI_STYLES, SOUNDS } from "../people/user_settings/model/registry.ts";
import {
  getSetting,
  legacyEventType,
  type LegacySettingEventType,
  settingNames,
} from "../people/user_settings/model/settings.ts";
import { readSettingsDefaults, readUserSettings } from "../people/user_settings/store.ts";
import { navigationViewList, navigationViewsSchema } from "../people/navigation_views.ts";
import {
  toAvatarUrl,
  toMediumAvatarUrl,
  toUserView,
  userListSchema,
  type UserViewOptions,
} from "@/lib/chat/people/users/api.ts";
import { listUserTexts } from "@/lib/chat/people/users/list_users.ts";
import { isAdmin, isBot, isGuest, isOwner, ROLE, toApiEmail } from "@/lib/chat/organization/users/model.ts";
import { getNotificationBot } from "@/lib/chat/people/put_user.ts";
import { spectatorPart, type StateContext, type StatePart, statePart } from "./model.ts";

const settingsSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, getSetting(name).schema])),
).meta({ id: "UserSettings" });

const ownSettingsSchema = settingsSchema.extend({
  available_notification_sounds: z.array(z.string()),
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
}).meta({ id: "OwnUserSettings" });

/** The caller's own settings, and the choices for some of them. */
export const ownSettings = statePart(
  "user_settings",
  z.object({ user_settings: ownSettingsSchema }),
  async ({ app, realm, user }) => ({
    user_settings: {
      ...await readUserSettings(app, realm.id, user),
      available_notification_sounds: SOUNDS,
      emojiset_choices: EMOJI_STYLES,
    },
  }),
);

function legacySettings(type: LegacySettingEventType): StatePart {
  const names = settingNames.filter((name) => legacyEventType(name) === type);
  const fields = Object.fromEntries(names.map((name) => [name, getSetting(name).schema.optional()]));
  const schema = z.object(fields).meta({ deprecated: true });
  return statePart(type, schema, async ({ app, realm, user, capabilities }) => {
    if (capabilities.includes("user_settings_object")) return {};
    const settings = await readUserSettings(app, realm.id, user);
    return Object.fromEntries(names.map((name) => [name, settings[name]]));
  });
}

/** The display settings as separate fields, for clients that do not know `user_settings`. */
export const legacyDisplaySettings = legacySettings("update_display_settings");

/** The notification settings as separate fields, for clients that do not know `user_settings`. */
export const legacyNotificationSettings = legacySettings("update_global_notifications");

export const devices = statePart("device", devicesSchema, async ({ app, realm, user }) => ({
  devices: await listDevices(app, { realm, actingUser: user }),
}));

/** Whether the caller has authorized this server to create video calls for them. */
export const videoCalls = statePart(
  "has_videoprovider_token",
  z.object({ has_videoprovider_token: z.boolean() }),
  async ({ app, realm, user }) => ({
    has_videoprovider_token: await hasProviderToken(app, realm.id, user.id),
  }),
);

export const alertWords = statePart(
  "alert_words",
  alertWordsSchema,
  async ({ app, realm, user }) => toAlertWords(await readAlertWords(app, realm.id, user.id)),
);

export const settingsDefaults = statePart(
  "realm_user_settings_defaults",
  z.object({ realm_user_settings_defaults: settingsSchema }),
  async ({ app, realm }) => ({ realm_user_settings_defaults: await readSettingsDefaults(app, realm.id) }),
);

export const navigationViews = statePart(
  "navigation_views",
  navigationViewsSchema,
  async ({ app, realm, user }) => ({
    navigation_views: await navigationViewList.read(app, { realm, actingUser: user }),
  }),
);

const accountsSchema = userListSchema.shape.members;

const ownSchema = z.object({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string(),
  full_name: z.string(),
  avatar_url: z.string().nullable(),
  avatar_url_medium: z.string().meta({ description: "The avatar in a larger size." }),
  avatar_source: z.string().meta({ description: "`U` for an uploaded avatar, otherwise `G`." }),
  is_admin: z.boolean().meta({ description: "Also true for owners." }),
  is_owner: z.boolean(),
  is_moderator: z.boolean(),
  is_guest: z.boolean(),
  can_create_streams: z.boolean().meta({ deprecated: true }),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  can_subscribe_other_users: z.boolean(),
  can_invite_others_to_realm: z.boolean(),
});

const peopleSchema = ownSchema.extend({
  realm_users: accountsSchema.meta({ description: "Active accounts that the caller can access, by id." }),
  realm_non_active_users: accountsSchema,
  cross_realm_bots: z.array(accountsSchema.element.extend({ is_system_bot: z.boolean() })).meta({
    description: "The notification bot, which posts automatic messages and is in no other list.",
  }),
});

/** The accounts that the caller can access, and the caller's own account. */
export const people = statePart("realm_user", peopleSchema, async (context) => {
  const { app, realm, permissions, user: actingUser } = context;
  const options = { client_gravatar: context.drawsAvatars, include_custom_profile_fields: true };
  const systemBot = await getNotificationBot(app, realm);
  const viewer = { realm, actingUser, options, getProfile: () => undefined };
  return {
    ...toOwnFields(context),
    ...canAccessAllUsers(permissions, actingUser)
      ? await listAllAccounts(context, options)
      : await listAccessibleAccounts(context, options),
    cross_realm_bots: [{ ...toUserView(app, viewer, systemBot), is_system_bot: true }],
  };
});

async function listAllAccounts({ app, realm, user, userList }: StateContext, options: UserViewOptions) {
  const list = await userList();
  const caller = { realm, actingUser: user };
  return {
    realm_users: await listUserTexts(app, caller, { list, selection: "active", options }),
    realm_non_active_users: await listUserTexts(app, caller, { list, selection: "inactive", options }),
  };
}

/** Lists the accounts that a caller can access who cannot access all, which are few. */
async function listAccessibleAccounts(
  { app, realm, permissions, user: actingUser, users }: StateContext,
  options: UserViewOptions,
) {
  const accessible = filterAccessible(permissions, actingUser, await users());
  const profiles = await listProfileData(app, realm.id);
  const viewer = { realm, actingUser, options, getProfile: (id: number) => profiles.get(id) };
  const toAccounts = (isActive: boolean) =>
    mapInSlices(
      accessible.filter((user) => user.is_active === isActive),
      (user) => toUserView(app, viewer, user),
    );
  return { realm_users: await toAccounts(true), realm_non_active_users: await toAccounts(false) };
}

function toOwnFields({ app, realm, permissions, user }: StateContext) {
  // The caller's own avatar always has an address.
  const avatar = toAvatarUrl(user, { app, realm, viewer: user });
  const isAllowed = (setting: string) => hasRealmPermission(permissions, setting, user);
  const canCreatePublic = isAllowed("can_create_public_channel_group");
  const canCreatePrivate = isAllowed("can_create_private_channel_group");
  return {
    user_id: user.id,
    email: toApiEmail(app, realm, user),
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    avatar_url: avatar,
    avatar_url_medium: toMediumAvatarUrl(user, { app, realm }),
    avatar_source: user.avatar === null ? "G" : "U",
    is_admin: isAdmin(user),
    is_owner: isOwner(user),
    is_moderator: user.role === ROLE.moderator,
    is_guest: isGuest(user),
    can_create_streams: canCreatePublic || canCreatePrivate,
    can_create_public_streams: canCreatePublic,
    can_create_private_streams: canCreatePrivate,
    can_create_web_public_streams: isAllowed("can_create_web_public_channel_group"),
    can_subscribe_other_users: isAllowed("can_add_subscribers_group"),
    can_invite_others_to_realm: isAllowed("can_invite_users_group"),
  };
}

const botSchema = z.object({
  user_id: z.int(),
  full_name: z.string(),
  bot_type: z.int(),
  email: z.string(),
  is_active: z.boolean(),
  owner_id: z.int().nullable(),
  services: z.array(z.unknown()),
  avatar_url: z.string(),
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
});

/** The bots whose events the caller receives: their own, or all for administrators. Contains no API keys. */
export const bots = statePart(
  "realm_bot",
  z.object({ realm_bots: z.array(botSchema) }),
  async ({ app, realm, user, users }) => {
    const all = (await users()).filter(isBot);
    const visible = isAdmin(user) ? all : all.filter(({ bot_owner_id }) => bot_owner_id === user.id);
    return { realm_bots: visible.map((bot) => toEventBot(app, realm, bot)) };
  },
);

/** The user groups, including system groups; deactivated ones for clients that know them. */
export const userGroups = statePart(
  "realm_user_groups",
  z.object({ realm_user_groups: z.array(userGroupSchema) }),
  async ({ app, realm, user, capabilities }) => ({
    realm_user_groups: await listUserGroupTexts(app, { realm, actingUser: user }, {
      includeDeactivated: capabilities.includes("include_deactivated_groups"),
    }),
  }),
);

/** Types of profile fields by the names that clients use. */
const FIELD_TYPES = {
  SHORT_TEXT: { id: FIELD_TYPE.shortText, name: "Text (short)" },
  LONG_TEXT: { id: FIELD_TYPE.longText, name: "Text (long)" },
  DATE: { id: FIELD_TYPE.date, name: "Date" },
  URL: { id: FIELD_TYPE.link, name: "Link" },
  EXTERNAL_ACCOUNT: { id: FIELD_TYPE.externalAccount, name: "External account" },
  PRONOUNS: { id: FIELD_TYPE.pronouns, name: "Pronouns" },
  SELECT: { id: FIELD_TYPE.choice, name: "List of options" },
  USER: { id: FIELD_TYPE.people, name: "Users" },
} as const;

const externalAccountsSchema = z.record(
  z.string(),
  z.object({ text: z.string(), url_pattern: z.string(), name: z.string(), hint: z.string() }),
).meta({ description: "External accounts that are known by default, by subtype." });

const fieldsSchema = z.object({
  custom_profile_fields: z.array(profileFieldSchema),
  custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
  realm_default_external_accounts: externalAccountsSchema,
});

/** The profile fields in order, and the types of fields. */
export const profileFields = spectatorPart("custom_profile_fields", fieldsSchema, async ({ app, realm }) => ({
  custom_profile_fields: await listFields(app, realm.id),
  custom_profile_field_types: FIELD_TYPES,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS,
}));

/** The known external accounts, for clients that request only the organization. */
export const externalAccounts = spectatorPart(
  "realm",
  z.object({ realm_default_external_accounts: externalAccountsSchema }),
  () => ({ realm_default_external_accounts: EXTERNAL_ACCOUNTS }),
);

/** Recent presence of users, and the position from which to request changes. */
export const presence = statePart(
  "presence",
  changedPresencesSchema,
  ({ app, realm, user, presence }) => listPresences(app, { realm, actingUser: user }, presence),
);

const statusesSchema = z.object({
  user_status: z.record(z.string(), userStatusSchema)
    .meta({ description: "By user id; users without a status are omitted." }),
});

export const userStatuses = statePart(
  "user_status",
  statusesSchema,
  async ({ app, realm, user, permissions, users }) => {
    const statuses = await listStatuses(app, realm.id);
    if (statuses.size === 0) return { user_status: {} };
    const visible = filterAccessible(permissions, user, await users()).filter((visibleUser) =>
      visibleUser.is_active
    );
    return {
      user_status: Object.fromEntries(
        visible.flatMap(({ id }) => {
          const status = statuses.get(id);
          return status === undefined ? [] : [[String(id), status]];
        }),
      ),
    };
  },
);

const mutedUserSchema = z.object({
  id: z.int(),
  timestamp: z.int().meta({ description: "Time of the mute, in seconds since 1970 UTC." }),
});

export const mutedUsers = statePart(
  "muted_users",
  z.object({ muted_users: z.array(mutedUserSchema) }),
  async ({ app, realm, user }) => ({
    muted_users: toMutedUsers(await readMutedUsers(app, realm.id, user.id)),
  }),
);
