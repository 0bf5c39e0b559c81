import type { GroupSetting } from "@/lib/chat/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { toWirePermissions } from "@/lib/chat/permissions/model/wire_setting.ts";
import { renderDescription } from "@/lib/chat/rendering/render_message.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { type ChannelRecord, MAX_CHANNEL_DESCRIPTION, normalizeDescription } from "../model/channel.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { readActiveNamedUsers } from "@/lib/chat/permissions/store.ts";
import { countSubscribers } from "../subscriptions/store.ts";

/** Data to show a channel with that its record does not hold. */
export interface ChannelViewContext {
  readonly isActive: (userId: number) => boolean;
  readonly subscriberCount: number;
}

/** Returns a channel as the API returns it; its permissions leave out inactive users. */
export function toChannel(
  permissions: PermissionContext,
  channel: ChannelRecord,
  { isActive, subscriberCount }: ChannelViewContext,
) {
  const settings = toWirePermissions(permissions, { kind: "channel", owner: channel }, isActive);
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.rendered_description ?? renderChannelDescription(channel.description),
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
    ...toLegacyPostPolicy(permissions, settings["can_send_message_group"]),
  };
}

/** A channel as the API returns it. */
export type ChannelView = ReturnType<typeof toChannel>;

/** Posting policies from before channels had permissions. */
const POST_POLICY = { everyone: 1, admins: 2, fullMembers: 3, moderators: 4 } as const;

/** Returns the permission to post for older clients, under both of its former names. */
function toLegacyPostPolicy(permissions: PermissionContext, setting: GroupSetting | undefined) {
  const stream_post_policy = toPostPolicy(permissions, setting);
  return { stream_post_policy, is_announcement_only: stream_post_policy === POST_POLICY.admins };
}

/** The nearest former policy; groups that are no system groups have none. */
function toPostPolicy({ realm }: PermissionContext, setting: GroupSetting | undefined): number {
  switch (typeof setting === "number" ? systemGroupName(realm, setting) : null) {
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

/** A channel's permission before and after a change. */
export interface ChangedPermission {
  readonly before: GroupSetting | undefined;
  readonly after: GroupSetting;
}

/**
 * Returns the changed properties of a permission: the permission to post includes its former names if those
 * changed.
 */
export function toPermissionDifferences(
  permissions: PermissionContext,
  setting: string,
  { before, after }: ChangedPermission,
): readonly { readonly property: string; readonly value: GroupSetting | boolean }[] {
  const difference = { property: setting, value: after };
  if (setting !== "can_send_message_group") return [difference];
  const old: Readonly<Record<string, unknown>> = toLegacyPostPolicy(permissions, before);
  const changed = Object.entries(toLegacyPostPolicy(permissions, after))
    // Clients may have another value of an anonymous group, whose inactive members are left out.
    .filter(([name, value]) => typeof before !== "number" || old[name] !== value);
  return [difference, ...changed.map(([property, value]) => ({ property, value }))];
}

/**
 * Maximum length of the HTML of a description, in UTF-16 units: no more than a description without Markdown
 * takes, because answers contain all channels.
 */
const MAX_RENDERED_DESCRIPTION = 6 * MAX_CHANNEL_DESCRIPTION;

/** Renders the Markdown of a channel's description as HTML; blank descriptions have none. */
export function renderChannelDescription(description: string): string {
  // Descriptions mention no one and show no pictures, so the address of the organization has no effect.
  return description.trim() === "" ? "" : renderDescription(description, "", MAX_RENDERED_DESCRIPTION);
}

/**
 * Returns a sent description as it is stored, with its HTML.
 * @throws AppError BAD_REQUEST for a character that overrides the direction of text.
 */
export function toDescription(sent: string): Pick<ChannelRecord, "description" | "rendered_description"> {
  const description = normalizeDescription(sent);
  return { description, rendered_description: renderChannelDescription(description) };
}

/** Number of channels that are converted before the event loop takes its turn. */
const SLICE_WORK = 100;
/** Number of channels that are converted in the time that rendering one description takes. */
const RENDERING_WORK = 13;

/** Returns channels as the API returns them, in the given order. */
export async function toChannels(
  app: ChatApp,
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
): Promise<readonly ChannelView[]> {
  const isActive = await readActiveNamedUsers(app, permissions.realm.id, channels);
  return await toViews(app, permissions, { channels, isActive });
}

/** Returns channels as spectators see them: without any users. */
export async function toSpectatorChannels(
  app: ChatApp,
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
): Promise<readonly ChannelView[]> {
  const views = await toViews(app, permissions, { channels, isActive: () => false });
  return views.map((view) => ({ ...view, creator_id: null }));
}

async function toViews(
  app: ChatApp,
  permissions: PermissionContext,
  { channels, isActive }: { channels: readonly ChannelRecord[]; isActive: (userId: number) => boolean },
): Promise<readonly ChannelView[]> {
  const organization = await app.readOrganization(permissions.realm.id);
  const views: ChannelView[] = [];
  let work = 0;
  for (const channel of channels) {
    // Descriptions of earlier versions are rendered here, which takes up to a few milliseconds each.
    work += channel.rendered_description === undefined ? RENDERING_WORK : 1;
    if (work > SLICE_WORK) {
      work = 0;
      await yieldToEventLoop();
    }
    const subscriberCount = countSubscribers(organization, channel.id);
    views.push(toChannel(permissions, channel, { isActive, subscriberCount }));
  }
  return views;
}
