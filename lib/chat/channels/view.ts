import type { PermissionContext } from "../permissions/group_world.ts";
import { toWirePermissions } from "../permissions/wire_setting.ts";
import type { ChannelRecord } from "./channel.ts";
import { toOldPolicy } from "./old_policy.ts";
import { renderChannelDescription } from "./rendered_description.ts";

/** What a channel's record does not say. */
export interface ChannelContext {
  readonly isActive: (userId: number) => boolean;
  readonly subscriberCount: number;
}

/** A channel as the API shows it; without accounts that are not active. */
export function toChannel(
  permissions: PermissionContext,
  channel: ChannelRecord,
  { isActive, subscriberCount }: ChannelContext,
) {
  const settings = toWirePermissions(permissions, { kind: "channel", owner: channel }, isActive);
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
    ...settings,
    ...toOldPolicy(permissions, settings["can_send_message_group"]),
  };
}

/** A channel as the API shows it. */
export type ChannelView = ReturnType<typeof toChannel>;
