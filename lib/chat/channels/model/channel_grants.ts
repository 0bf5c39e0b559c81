import { byOwner, byRealm, findGrant, type PermissionGrant } from "@/lib/chat/permissions/model/grants.ts";
import type { HasPermissions, PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { ChannelRecord } from "./channel.ts";

/** Age in seconds of messages that members can still move to another topic: one week. */
export const MOVE_LIMIT_SECONDS = 7 * 24 * 60 * 60;

/** The parts of a channel that decide who has its permissions. */
export type GrantingChannel = HasPermissions & Pick<ChannelRecord, "invite_only" | "is_web_public">;

const MODERATORS: PermissionGrant = { by: "rule", group: "role:moderators", reason: "realm" };
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
  can_resolve_topics_group: [
    { by: "rule", group: "role:members", reason: "realm" },
    byOwner("can_resolve_topics_group"),
  ],
  can_move_messages_within_channel_group: [
    MODERATORS,
    byOwner("can_move_messages_within_channel_group"),
    { by: "rule", group: "role:members", reason: "realm", limitSeconds: MOVE_LIMIT_SECONDS },
  ],
  can_move_messages_out_of_channel_group: [MODERATORS, byOwner("can_move_messages_out_of_channel_group")],
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
