import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { hasPermission, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { allowsSpectators, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { ChannelRecord } from "./channel.ts";
import { findChannelGrant } from "./channel_grants.ts";

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

/** Returns whether a user can change a channel. */
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
  app: Pick<ChatApp, "config">,
  realm: Pick<RealmRecord, "settings" | "is_deactivated">,
  { is_web_public, is_archived }: Pick<ChannelRecord, "is_web_public" | "is_archived">,
): boolean {
  return is_web_public && !is_archived && allowsSpectators(app, realm);
}

/** Returns the error for a channel that does not exist or that the caller has no access to. */
export function invalidChannel(): AppError {
  return new AppError("BAD_REQUEST", "Invalid channel ID");
}
