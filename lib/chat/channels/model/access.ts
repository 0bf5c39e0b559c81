import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { hasPermission } from "@/lib/chat/permissions/model/membership.ts";
import { allowsSpectators, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import { isAdmin, isGuest, type UserRecord } from "@/lib/chat/users/model.ts";
import type { ChannelRecord } from "./channel.ts";

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
 * Returns whether a user can read a channel's messages: subscribers can, everyone if it is web-public, and
 * all but guests if it is public or they may subscribe themselves or others.
 */
export function hasContentAccess(
  permissions: PermissionContext,
  { channel, user, isSubscribed }: ChannelViewer,
): boolean {
  if (isSubscribed || channel.is_web_public) return true;
  if (isGuest(user)) return false;
  return !channel.invite_only ||
    ["can_subscribe_group", "can_add_subscribers_group"].some((setting) =>
      hasChannelPermission(permissions, { channel, user }, setting)
    );
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
  return isAdmin(viewer.user) || hasChannelPermission(permissions, viewer, "can_administer_channel_group");
}

/** Returns whether a user has a permission of a channel. */
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
