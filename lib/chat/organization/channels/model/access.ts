import {
  byOwner,
  byRealm,
  findGrant,
  type PermissionGrant,
} from "@/lib/chat/organization/permissions/model/grants.ts";
import {
  hasPermission,
  type HasPermissions,
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Configured } from "@/lib/chat/organization/config.ts";
import { allowsSpectators, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import type { ChannelRecord, TopicsPolicy } from "./channel.ts";

/** Age in seconds of messages that users below moderators can still move to another topic: one week. */
export const MOVE_LIMIT_SECONDS = 7 * 24 * 60 * 60;

/** The parts of a channel that decide who has its permissions. */
export type GrantingChannel = HasPermissions & Pick<ChannelRecord, "invite_only" | "is_web_public">;

const ADMINISTER: readonly PermissionGrant[] = [
  { by: "rule", group: "role:administrators", reason: "always" },
  byOwner("can_administer_channel_group"),
];
const SUBSCRIBE: readonly PermissionGrant[] = [
  byOwner("can_subscribe_group"),
  byOwner("can_add_subscribers_group"),
];

/** Grants of the permissions that not only the channel's own value decides; those without a limit first. */
const GRANTS: Readonly<Record<string, readonly PermissionGrant[]>> = {
  can_administer_channel_group: ADMINISTER,
  can_add_subscribers_group: [
    byRealm("can_add_subscribers_group"),
    byOwner("can_add_subscribers_group"),
    ...ADMINISTER,
  ],
  can_remove_subscribers_group: [...ADMINISTER, byOwner("can_remove_subscribers_group")],
  can_resolve_topics_group: [byRealm("can_resolve_topics_group"), byOwner("can_resolve_topics_group")],
  can_move_messages_within_channel_group: [
    byOwner("can_move_messages_within_channel_group"),
    byRealm("can_move_messages_between_topics_group", MOVE_LIMIT_SECONDS),
  ],
  can_move_messages_out_of_channel_group: [
    byRealm("can_move_messages_between_channels_group"),
    byOwner("can_move_messages_out_of_channel_group"),
  ],
  can_delete_own_message_group: [
    byRealm("can_delete_own_message_group"),
    byOwner("can_delete_own_message_group"),
  ],
  can_delete_any_message_group: [
    byRealm("can_delete_any_message_group"),
    byOwner("can_delete_any_message_group"),
  ],
};
const SUBSCRIBE_PUBLIC: readonly PermissionGrant[] = [
  { by: "rule", group: "role:members", reason: "public" },
  ...SUBSCRIBE,
];
const SUBSCRIBE_WEB: readonly PermissionGrant[] = [
  { by: "rule", group: "role:everyone", reason: "web" },
  ...SUBSCRIBE,
];

/** Returns the grants of a channel's permission; a user needs one of them. */
export function listChannelGrants(channel: GrantingChannel, setting: string): readonly PermissionGrant[] {
  if (setting !== "can_subscribe_group") return GRANTS[setting] ?? [byOwner(setting)];
  if (channel.is_web_public) return SUBSCRIBE_WEB;
  return channel.invite_only ? SUBSCRIBE : SUBSCRIBE_PUBLIC;
}

/** Returns the first grant that gives a user a channel's permission, or null. */
export function findChannelGrant(
  permissions: PermissionContext,
  { channel, user }: { readonly channel: GrantingChannel; readonly user: UserRecord },
  setting: string,
): PermissionGrant | null {
  const grants = listChannelGrants(channel, setting);
  return findGrant(permissions, { kind: "channel", owner: channel, grants }, user);
}

/** Permissions that include metadata access to a private channel. */
export const METADATA_PERMISSIONS = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_subscribe_group",
] as const;

/** A user, a channel, and whether the user is subscribed to it: the input of every access rule. */
export interface ChannelViewer {
  readonly channel: ChannelRecord;
  readonly user: UserRecord;
  readonly isSubscribed: boolean;
}

/**
 * Returns whether a user can read a channel's messages: subscribers, and those who may subscribe themselves.
 */
export function hasContentAccess(
  permissions: PermissionContext,
  { channel, user, isSubscribed }: ChannelViewer,
): boolean {
  return isSubscribed || isChannelPermitted(permissions, { channel, user }, "can_subscribe_group");
}

/** Returns whether a user can see that a channel exists: with content access, or as its administrator. */
export function hasMetadataAccess(permissions: PermissionContext, viewer: ChannelViewer): boolean {
  return hasContentAccess(permissions, viewer) || canAdministerChannel(permissions, viewer);
}

export function canAdministerChannel(
  permissions: PermissionContext,
  viewer: Pick<ChannelViewer, "channel" | "user">,
): boolean {
  return isChannelPermitted(permissions, viewer, "can_administer_channel_group");
}

/** Returns whether a user has a permission of a channel, granted by the channel, a role or the organization. */
export function isChannelPermitted(
  permissions: PermissionContext,
  viewer: Pick<ChannelViewer, "channel" | "user">,
  setting: string,
): boolean {
  return findChannelGrant(permissions, viewer, setting) !== null;
}

/** Returns whether a channel's own value of a permission includes a user. */
export function hasChannelPermission(
  permissions: PermissionContext,
  { channel, user }: Pick<ChannelViewer, "channel" | "user">,
  setting: string,
): boolean {
  return hasPermission(permissions, { kind: "channel", setting, owner: channel }, user);
}

/** Returns whether a channel can be read without an account. */
export function isOpenToSpectators(
  app: Configured,
  realm: Pick<RealmRecord, "settings" | "is_deactivated">,
  { is_web_public, is_archived }: Pick<ChannelRecord, "is_web_public" | "is_archived">,
): boolean {
  return is_web_public && !is_archived && allowsSpectators(app, realm);
}

/** Returns the error for a channel that does not exist or that the caller has no access to. */
export function invalidChannel(): AppError {
  return new AppError("BAD_REQUEST", "Invalid channel ID");
}

/** Attributes of a channel that decide who can read its messages, and from which one on. */
export interface ChannelPrivacy {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
}

/**
 * Rejects contradictory privacy: only a private channel can have a protected history, and a private channel
 * is neither web-public nor a default channel.
 * @throws AppError BAD_REQUEST.
 */
export function requireConsistentPrivacy(
  privacy: ChannelPrivacy,
  { isDefault }: { isDefault: boolean },
): void {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacy;
  if ((invite_only && is_web_public) || (!invite_only && !history_public_to_subscribers)) {
    throw new AppError("BAD_REQUEST", "Invalid parameters");
  }
  if (invite_only && isDefault) throw privateDefaultChannel();
}

export function privateDefaultChannel(): AppError {
  return new AppError("BAD_REQUEST", "A default channel cannot be private.", { field: "is_default_stream" });
}

/**
 * Rejects users without permission to create channels of this privacy.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanCreateChannel(
  permissions: PermissionContext,
  user: UserRecord,
  { invite_only }: Pick<ChannelPrivacy, "invite_only">,
): void {
  const setting = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!hasRealmPermission(permissions, setting, user)) throw insufficientPermission();
}

/**
 * Rejects users without permission to make channels web-public, and everyone if the server or the
 * organization does not allow web-public channels.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanMakeWebPublic(
  { config }: Configured,
  permissions: PermissionContext,
  user: UserRecord,
): void {
  if (!config.webPublicStreamsEnabled || !permissions.realm.settings.enable_spectator_access) {
    throw new AppError("BAD_REQUEST", "Web-public channels are not enabled.", { field: "is_web_public" });
  }
  if (!hasRealmPermission(permissions, "can_create_web_public_channel_group", user)) {
    throw insufficientPermission();
  }
}

/**
 * Rejects a protected history unless everyone can create topics: a user who cannot see whether a topic exists
 * could not know whether they may post to it.
 * @throws AppError BAD_REQUEST.
 */
export function requireTopicCreationForAll(
  { realm }: Pick<PermissionContext, "realm">,
  { history_public_to_subscribers }: Pick<ChannelPrivacy, "history_public_to_subscribers">,
  topicCreators: GroupSetting | undefined,
): void {
  const everyone = systemGroupId(realm, "role:everyone");
  if (history_public_to_subscribers || (topicCreators ?? everyone) === everyone) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw new AppError("BAD_REQUEST", `Unsupported parameter combination: ${parameters}`, {
    field: "history_public_to_subscribers",
    extra: { parameters },
  });
}

/**
 * Rejects users without permission to set a channel's topics policy; everyone can set `inherit`.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanSetTopicsPolicy(
  permissions: PermissionContext,
  user: UserRecord,
  policy: TopicsPolicy,
): void {
  if (policy === "inherit" || hasRealmPermission(permissions, "can_set_topics_policy_group", user)) return;
  throw insufficientPermission();
}
