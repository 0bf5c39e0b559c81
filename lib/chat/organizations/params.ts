import { z } from "zod";
import { groupSettingUpdate } from "../group_setting.ts";
import {
  bool,
  described,
  int,
  json,
  optional,
  type ParamValues,
  text,
  textOrJson,
  trimmed,
} from "../params/param.ts";
import { MAX_REALM_NAME } from "./create.ts";

/** The longest description of an organization, in code points. */
export const MAX_REALM_DESCRIPTION = 1000;
/** The longest text that those who join are told first, in code points. */
export const MAX_WELCOME_TEXT = 8000;
/** Days of the longest waiting period: a hundred years. */
export const MAX_WAITING_DAYS = 36_500;
/** What stands for no channel on the wire. */
export const NO_CHANNEL = -1;

const permissionParams = {
  can_access_all_users_group: groupSettingUpdate("Who sees all accounts of the organization."),
  can_add_subscribers_group: groupSettingUpdate("Who adds others to channels."),
  can_create_groups: groupSettingUpdate("Who creates user groups. Owners only."),
  can_create_private_channel_group: groupSettingUpdate("Who creates private channels."),
  can_create_public_channel_group: groupSettingUpdate("Who creates public channels."),
  can_create_web_public_channel_group: groupSettingUpdate("Who creates channels that are open to the web."),
  can_invite_users_group: groupSettingUpdate("Who sends invitations. Owners only."),
  can_manage_all_groups: groupSettingUpdate("Who manages every user group. Owners only."),
  can_set_delete_message_policy_group: groupSettingUpdate("Who decides in a channel who deletes messages."),
  can_set_topics_policy_group: groupSettingUpdate("Who decides in a channel how topics are used."),
  create_multiuse_invite_group: groupSettingUpdate("Who makes reusable invitation links. Owners only."),
};

/** The names of those parameters that are permissions. */
export const PERMISSION_PARAMS: readonly (keyof typeof permissionParams)[] = [
  "can_access_all_users_group",
  "can_add_subscribers_group",
  "can_create_groups",
  "can_create_private_channel_group",
  "can_create_public_channel_group",
  "can_create_web_public_channel_group",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_set_delete_message_policy_group",
  "can_set_topics_policy_group",
  "create_multiuse_invite_group",
];

/** Parameters of a change of the organization, all of which may be left out. */
export const realmParams = {
  name: described(optional(trimmed({ max: MAX_REALM_NAME, min: 1 })), "The organization's name."),
  description: described(optional(text({ max: MAX_REALM_DESCRIPTION })), "What the organization is for."),
  waiting_period_threshold: described(
    optional(json(z.int().min(0).max(MAX_WAITING_DAYS))),
    "Days after which a member is a full member. Owners only.",
  ),
  enable_spectator_access: described(
    optional(bool()),
    "Whether channels can be opened to people without an account.",
  ),
  message_content_edit_limit_seconds: described(
    optional(textOrJson(z.union([z.int(), z.string()]))),
    "Seconds for which a message can be edited, or `unlimited`.",
  ),
  name_changes_disabled: described(optional(bool()), "Whether only administrators change names."),
  email_changes_disabled: described(optional(bool()), "Whether only administrators change addresses."),
  presence_disabled: described(optional(bool()), "Whether nobody is told who is there."),
  new_stream_announcements_stream_id: described(
    optional(int()),
    "The channel in which new channels are announced; -1 is none.",
  ),
  emails_restricted_to_domains: described(
    optional(bool()),
    "Whether only addresses of the organization's own domains may have accounts. Owners only.",
  ),
  disallow_disposable_email_addresses: described(
    optional(bool()),
    "Whether addresses of services that give them out for minutes are refused. Owners only.",
  ),
  welcome_message_custom_text: described(
    optional(text({ max: MAX_WELCOME_TEXT })),
    "What those who join are told first; empty: nothing.",
  ),
  ...permissionParams,
};

/** A change of the organization as it was sent. */
export type RealmChanges = ParamValues<typeof realmParams>;

const allowSubdomains = described(bool(), "Whether its subdomains count as the domain.");

/** Parameters of a domain of the organization. */
export const addDomainParams = {
  domain: described(text(), "The domain, such as `example.com`."),
  allow_subdomains: allowSubdomains,
};

/** Parameters of a change of a domain. */
export const changeDomainParams = { allow_subdomains: allowSubdomains };
