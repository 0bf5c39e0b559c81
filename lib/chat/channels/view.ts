import type { ChatApp } from "../app.ts";
import type { GroupSetting } from "../group_setting.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import { systemGroupName } from "../permissions/system_groups.ts";
import { toWirePermissions } from "../permissions/wire_setting.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import type { ChannelRecord } from "./channel.ts";
import { renderChannelDescription } from "./rendered_description.ts";

/** Who may post, as clients were told it before there were groups. */
const POST_POLICY = { everyone: 1, admins: 2, fullMembers: 3, moderators: 4 } as const;

/** What a channel's record does not say. */
export interface ChannelContext {
  readonly isActive: (userId: number) => boolean;
  readonly subscriberCount: number;
}

/** A channel as the API shows it; without accounts that are not active. */
export function toChannel(
  world: GroupWorld,
  channel: ChannelRecord,
  { isActive, subscriberCount }: ChannelContext,
) {
  const permissions = toWirePermissions(world, { kind: "channel", owner: channel }, isActive);
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: renderChannelDescription(channel.description),
    creator_id: channel.creator_id,
    date_created: Math.floor(channel.date_created / 1000),
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    message_retention_days: channel.message_retention_days,
    first_message_id: null,
    folder_id: channel.folder_id,
    is_archived: channel.is_archived,
    is_recently_active: true,
    subscriber_count: subscriberCount,
    stream_weekly_traffic: null,
    topics_policy: channel.topics_policy,
    ...permissions,
    ...toOldPolicy(world, permissions["can_send_message_group"]),
  };
}

/** A channel as the API shows it. */
export type ChannelView = ReturnType<typeof toChannel>;

/** Who may post as older clients are told it, under both names that it had. */
export function toOldPolicy(world: GroupWorld, senders: GroupSetting | undefined) {
  const stream_post_policy = toPostPolicy(world, senders);
  return { stream_post_policy, is_announcement_only: stream_post_policy === POST_POLICY.admins };
}

/** The nearest of the old policies; of groups that somebody made they know nothing. */
function toPostPolicy({ realm }: GroupWorld, senders: GroupSetting | undefined): number {
  switch (typeof senders === "number" ? systemGroupName(realm, senders) : null) {
    case "role:nobody":
    case "role:owners":
    case "role:administrators":
      return POST_POLICY.admins;
    case "role:moderators":
      return POST_POLICY.moderators;
    case "role:fullmembers":
      return POST_POLICY.fullMembers;
    default:
      return POST_POLICY.everyone;
  }
}

/** Which of the accounts that channels' permissions name one by one are active. */
export async function readNamedUsers(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  channels: readonly ChannelRecord[],
): Promise<(userId: number) => boolean> {
  const named = new Set(
    channels.flatMap(({ permissions }) =>
      Object.values(permissions).flatMap((value) => typeof value === "number" ? [] : value.direct_members)
    ),
  );
  const users = await Promise.all(
    Array.from(named, (id) => app.reads.read<UserRecord>(userKeys.user(realmId, id))),
  );
  const active = new Set(users.filter((user) => user?.is_active === true).map((user) => user?.id));
  return (id) => active.has(id);
}
