import { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import {
  bool,
  choice,
  described,
  exact,
  int,
  optional,
  type ParamValues,
  scalar,
  text,
  textOrJson,
  trimmed,
} from "@/lib/chat/params/param.ts";
import { groupSettingSchema, groupSettingUpdateParam } from "@/lib/chat/permissions/api.ts";
import type { GroupSetting } from "@/lib/chat/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { permissionRules } from "@/lib/chat/permissions/model/registry.ts";
import { toWirePermissions } from "@/lib/chat/permissions/model/wire_setting.ts";
import { legacyPoliciesSchema, toLegacyPolicies } from "./legacy_policies.ts";
import {
  allowsSpectators,
  EMAIL_CONFIRMATIONS,
  getDeleteLimit,
  getEmailConfirmation,
  iconUrl,
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
  MAX_WAITING_DAYS,
  MAX_WELCOME_TEXT,
  NO_CHANNEL,
  type RealmRecord,
  realmUrl,
} from "../model.ts";

const permissionParams = {
  can_access_all_users_group: groupSettingUpdateParam("Users who can see all users of the organization."),
  can_add_subscribers_group: groupSettingUpdateParam("Users who can add other users to channels."),
  can_create_groups: groupSettingUpdateParam("Users who can create user groups. Owners only."),
  can_create_private_channel_group: groupSettingUpdateParam("Users who can create private channels."),
  can_create_public_channel_group: groupSettingUpdateParam("Users who can create public channels."),
  can_create_web_public_channel_group: groupSettingUpdateParam("Users who can create web-public channels."),
  can_delete_any_message_group: groupSettingUpdateParam("Users who can delete any message, at any time."),
  can_delete_own_message_group: groupSettingUpdateParam(
    "Users who can delete their own messages, within `message_content_delete_limit_seconds`.",
  ),
  can_mention_many_users_group: groupSettingUpdateParam(
    "Users who can mention all subscribers of channels with more than 15 of them.",
  ),
  can_invite_users_group: groupSettingUpdateParam("Users who can send invitations. Owners only."),
  can_manage_all_groups: groupSettingUpdateParam("Users who can manage all user groups. Owners only."),
  can_set_delete_message_policy_group: groupSettingUpdateParam(
    "Users who can change a channel's permissions for deleting messages.",
  ),
  can_set_topics_policy_group: groupSettingUpdateParam("Users who can change a channel's topics policy."),
  create_multiuse_invite_group: groupSettingUpdateParam(
    "Users who can create reusable invitation links. Owners only.",
  ),
};

/** Names of the parameters that are permissions. */
export const PERMISSION_PARAMS: readonly (keyof typeof permissionParams)[] = [
  "can_access_all_users_group",
  "can_add_subscribers_group",
  "can_create_groups",
  "can_create_private_channel_group",
  "can_create_public_channel_group",
  "can_create_web_public_channel_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_mention_many_users_group",
  "can_set_delete_message_policy_group",
  "can_set_topics_policy_group",
  "create_multiuse_invite_group",
];

/** Parameters of PATCH /realm; all are optional. */
export const realmParams = {
  name: described(optional(exact(trimmed({ max: MAX_REALM_NAME, min: 1 }))), "Name of the organization."),
  description: described(optional(text({ max: MAX_REALM_DESCRIPTION })), "Description of the organization."),
  waiting_period_threshold: described(
    optional(scalar(z.int().min(0).max(MAX_WAITING_DAYS))),
    "Days after which a member becomes a full member. Owners only.",
  ),
  enable_spectator_access: described(
    optional(bool()),
    "Whether web-public channels can be read without an account.",
  ),
  message_content_edit_limit_seconds: described(
    optional(textOrJson(z.union([z.int(), z.string()]))),
    "Seconds for which a message can be edited, or `unlimited`.",
  ),
  message_content_delete_limit_seconds: described(
    optional(textOrJson(z.union([z.int(), z.string()]))),
    "Seconds for which users can delete their own messages, or `unlimited`.",
  ),
  name_changes_disabled: described(optional(bool()), "Whether only administrators can change names."),
  email_changes_disabled: described(
    optional(bool()),
    "Whether only administrators can change email addresses.",
  ),
  presence_disabled: described(optional(bool()), "Whether presence is hidden from everyone."),
  enable_read_receipts: described(optional(bool()), "Whether users can see who has read a message."),
  new_stream_announcements_stream_id: described(
    optional(int()),
    "Channel in which new channels are announced; -1 for none.",
  ),
  moderation_request_channel_id: described(
    optional(int()),
    "Private channel that receives reports of messages; -1 for none.",
  ),
  emails_restricted_to_domains: described(
    optional(bool()),
    "Whether accounts require an address in one of the organization's domains. Owners only.",
  ),
  disallow_disposable_email_addresses: described(
    optional(bool()),
    "Whether addresses from disposable mail services are rejected. Owners only.",
  ),
  email_confirmation: described(
    optional(choice(EMAIL_CONFIRMATIONS)),
    "Whether people who open a reusable invitation link must confirm their address by email; `automatic`: where the " +
      "server delivers email. Owners only.",
  ),
  welcome_message_custom_text: described(
    optional(text({ max: MAX_WELCOME_TEXT })),
    "Text of the first message to a new user; empty for none.",
  ),
  ...permissionParams,
};

/** Parsed parameters of PATCH /realm. */
export type RealmUpdate = ParamValues<typeof realmParams>;

const allowSubdomains = described(bool(), "Whether subdomains of the domain count as well.");

/** Parameters of POST /realm/domains. */
export const addDomainParams = {
  domain: described(exact(text()), "The domain, such as `example.com`."),
  allow_subdomains: allowSubdomains,
};

/** Parameters of PATCH /realm/domains/{domain}. */
export const updateDomainParams = { allow_subdomains: allowSubdomains };

/** An organization as spectators see it. */
export const spectatorRealmSchema = z.object({
  realm_name: z.string(),
  realm_description: z.string(),
  realm_url: z.string(),
  realm_uri: z.string().meta({ deprecated: true, description: "The same as `realm_url`." }),
  realm_icon_url: z.string(),
  realm_icon_source: z.enum(["G", "U"]).meta({ description: "`U` for an uploaded icon, otherwise `G`." }),
  realm_date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
  realm_enable_spectator_access: z.boolean(),
  realm_web_public_access_enabled: z.boolean(),
});

/** An organization in the register response. */
export const realmSchema = spectatorRealmSchema.extend({
  realm_waiting_period_threshold: z.int(),
  realm_message_content_edit_limit_seconds: z.int().nullable().meta({
    description: "Null means without limit.",
  }),
  realm_message_content_delete_limit_seconds: z.int().nullable().meta({
    description: "Null means without limit.",
  }),
  realm_name_changes_disabled: z.boolean(),
  realm_email_changes_disabled: z.boolean(),
  realm_presence_disabled: z.boolean(),
  realm_enable_read_receipts: z.boolean(),
  realm_new_stream_announcements_stream_id: z.int().meta({ description: "-1 for none." }),
  realm_moderation_request_channel_id: z.int().meta({ description: "-1 for none." }),
  realm_emails_restricted_to_domains: z.boolean(),
  realm_disallow_disposable_email_addresses: z.boolean(),
  realm_email_confirmation: z.enum(EMAIL_CONFIRMATIONS),
  realm_welcome_message_custom_text: z.string(),
  ...Object.fromEntries(
    permissionRules("realm").map(({ setting }) => [`realm_${setting}`, groupSettingSchema]),
  ),
  ...legacyPoliciesSchema.shape,
});

/** Response with the icon's new address. */
export const iconSchema = z.object({ icon_url: z.string() });

/** A domain of an organization. */
export const realmDomainSchema = z.object({ domain: z.string(), allow_subdomains: z.boolean() });

/** Response with the organization's domains. */
export const realmDomainsSchema = z.object({ domains: z.array(realmDomainSchema) });

/**
 * Converts an organization for the register response; times are in seconds since 1970 UTC. Users for whom
 * `isActive` is false are left out of permissions.
 */
export function toRealm(
  app: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  isActive: (userId: number) => boolean = () => true,
) {
  const { realm } = permissions;
  const { settings } = realm;
  return {
    ...toSpectatorRealm(app, realm),
    realm_waiting_period_threshold: settings.waiting_period_threshold,
    realm_message_content_edit_limit_seconds: settings.message_content_edit_limit_seconds,
    realm_message_content_delete_limit_seconds: getDeleteLimit(settings),
    realm_name_changes_disabled: settings.name_changes_disabled,
    realm_email_changes_disabled: settings.email_changes_disabled,
    realm_presence_disabled: settings.presence_disabled,
    realm_enable_read_receipts: settings.enable_read_receipts,
    realm_new_stream_announcements_stream_id: settings.new_stream_announcements_stream_id ?? NO_CHANNEL,
    realm_moderation_request_channel_id: settings.moderation_request_channel_id ?? NO_CHANNEL,
    realm_emails_restricted_to_domains: settings.emails_restricted_to_domains,
    realm_disallow_disposable_email_addresses: settings.disallow_disposable_email_addresses,
    realm_email_confirmation: getEmailConfirmation(settings),
    realm_welcome_message_custom_text: settings.welcome_message_custom_text,
    ...toPermissions(permissions, isActive),
  };
}

/** Converts an organization for spectators; times are in seconds since 1970 UTC. */
export function toSpectatorRealm(app: Pick<ChatApp, "config">, realm: RealmRecord) {
  const url = realmUrl(app, realm);
  return {
    realm_name: realm.name,
    realm_description: realm.description,
    realm_url: url,
    realm_uri: url,
    realm_icon_url: iconUrl(app, realm),
    realm_icon_source: realm.icon ? "U" : "G",
    realm_date_created: Math.floor(realm.date_created / 1000),
    realm_enable_spectator_access: realm.settings.enable_spectator_access,
    realm_web_public_access_enabled: allowsSpectators(app, realm),
  };
}

/** Returns every permission of the organization, also in the older forms, with `realm_` before each name. */
function toPermissions(
  permissions: PermissionContext,
  isActive: (userId: number) => boolean,
): Record<`realm_${string}`, GroupSetting> {
  const settings = toWirePermissions(permissions, { kind: "realm", owner: permissions.realm }, isActive);
  const all = { ...settings, ...toLegacyPolicies(permissions.realm, settings) };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`realm_${name}`, value]));
}
