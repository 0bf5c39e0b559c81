import { isActiveUser } from "../organization/permissions/store.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import {
  type GroupSetting,
  groupSettingParam,
  groupSettingSchema,
  groupSettingUpdateParam,
} from "../organization/permissions/model/group_setting.ts";
import {
  bool,
  described,
  exact,
  int,
  intList,
  optional,
  type ParamValues,
  scalar,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "../organization/params/param.ts";
import { PERMISSIONS } from "../organization/permissions/model/registry.ts";
import { type PermissionContext, toWirePermissions } from "../organization/permissions/model/membership.ts";
import { systemGroupName } from "../organization/permissions/model/system_groups.ts";
import { renderDescription } from "../organization/rendering/render_message.ts";
import {
  type ChannelRecord,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  normalizeDescription,
  TOPICS_POLICIES,
} from "../organization/channels/model/channel.ts";
import { countSubscribers } from "./subscriptions/store.ts";

const NAME = `The channel's name, of ${MAX_CHANNEL_NAME} characters at most.`;
const DESCRIPTION = "The channel's description; line breaks become spaces.";
const RETENTION = "Days after which messages are deleted, `realm_default` or `unlimited`. Owners only.";
const FOLDER = "The id of the channel folder, or null for none.";
const POLICY = "Policy on named topics and the empty topic.";
const HISTORY =
  "Whether subscribers can read messages sent before they subscribed. Only a private channel can have false.";

/** The pattern comes first because its error names the parameter and nothing else. */
const topicsPolicy = textOrJson(
  z.string().regex(new RegExp(`^(${TOPICS_POLICIES.join("|")})$`)).pipe(z.literal([...TOPICS_POLICIES])),
);
const retention = textOrJson(z.union([z.number(), z.string()]));
const folder = scalar(z.int().nullable());

export const createChannelParams = {
  name: described(exact(trimmed({ min: 1 })), NAME),
  description: described(withDefault(text({ max: MAX_CHANNEL_DESCRIPTION }), ""), DESCRIPTION),
  subscribers: described(
    intList(),
    "Ids of the first subscribers. You are subscribed only if listed.",
  ),
  announce: described(
    withDefault(bool(), false),
    "Whether to announce the channel in the organization's channel for announcements.",
  ),
  invite_only: described(withDefault(bool(), false), "Whether the channel is private."),
  is_web_public: described(withDefault(bool(), false), "Whether the channel can be read without an account."),
  is_default_stream: described(
    withDefault(bool(), false),
    "Whether new users are subscribed. Administrators only.",
  ),
  folder_id: described(withDefault(folder, null), FOLDER),
  topics_policy: described(withDefault(topicsPolicy, "inherit"), POLICY),
  history_public_to_subscribers: described(optional(bool()), HISTORY),
  message_retention_days: described(withDefault(retention, "realm_default"), RETENTION),
  ...mapValues(PERMISSIONS.channel, ({ about }) => groupSettingParam(about)),
};

export type NewChannel = ParamValues<typeof createChannelParams>;

export const updateChannelParams = {
  description: described(optional(text({ max: MAX_CHANNEL_DESCRIPTION })), DESCRIPTION),
  new_name: described(optional(exact(trimmed())), NAME),
  is_private: described(
    optional(bool()),
    "Whether the channel is private; by default, a private channel protects its history.",
  ),
  is_web_public: described(optional(bool()), "Whether the channel can be read without an account."),
  history_public_to_subscribers: described(optional(bool()), HISTORY),
  is_default_stream: described(
    optional(bool()),
    "Whether new users are subscribed. Administrators only.",
  ),
  message_retention_days: described(optional(retention), RETENTION),
  is_archived: described(
    optional(bool()),
    "False unarchives the channel; true has no effect.",
  ),
  folder_id: described(optional(folder), FOLDER),
  topics_policy: described(optional(topicsPolicy), POLICY),
  ...mapValues(PERMISSIONS.channel, ({ about }) => groupSettingUpdateParam(about)),
};

export type ChannelChanges = Partial<ParamValues<typeof updateChannelParams>>;

export const listChannelsParams = {
  include_public: described(
    withDefault(bool(), true),
    "Whether to list public channels; has no effect for guests.",
  ),
  include_web_public: described(withDefault(bool(), false), "Whether to list web-public channels."),
  include_subscribed: described(
    withDefault(bool(), true),
    "Whether to list the channels you are subscribed to.",
  ),
  exclude_archived: described(withDefault(bool(), true), "Whether to leave out archived channels."),
  include_all: described(
    withDefault(bool(), false),
    "Whether to list all channels that you can see.",
  ),
  include_all_active: described(withDefault(bool(), false), "Older name of `include_all`."),
  include_default: described(
    withDefault(bool(), false),
    "Whether to include `is_default` with each channel.",
  ),
  include_owner_subscribed: described(
    withDefault(bool(), false),
    "For bots: whether to list the channels that the bot's owner is subscribed to and the bot can see.",
  ),
  include_can_access_content: described(
    withDefault(bool(), false),
    "Whether to list all channels whose messages you can read.",
  ),
};

export type ChannelFilter = ParamValues<typeof listChannelsParams>;

export const channelIdParams = {
  stream: described(exact(text()), "The channel's name; letter case does not matter."),
};

export const defaultChannelParams = { stream_id: described(int(), "The channel's id.") };

export const emailAddressParams = {
  sender_id: described(optional(int()), "Id of the user who would be shown as the sender of the messages."),
};

export const channelSchema = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string().meta({ description: "HTML." }),
  creator_id: z.int().nullable(),
  date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
  invite_only: z.boolean().meta({ description: "Whether the channel is private." }),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable().meta({
    description: "Null follows the organization's setting; -1 keeps messages forever.",
  }),
  first_message_id: z.int().nullable(),
  folder_id: z.int().nullable(),
  is_archived: z.boolean(),
  is_recently_active: z.boolean(),
  subscriber_count: z.int(),
  stream_weekly_traffic: z.int().nullable(),
  topics_policy: z.literal([...TOPICS_POLICIES]),
  ...mapValues(PERMISSIONS.channel, () => groupSettingSchema),
  stream_post_policy: z.int().meta({ description: "For older clients: the nearest of the former policies." }),
  is_announcement_only: z.boolean().meta({
    description: "For older clients: whether `stream_post_policy` is administrators only.",
  }),
}).meta({ id: "Channel" });

/** Response with a list of channels; `is_default` is present on request. */
export const channelsSchema = z.object({
  streams: z.array(
    channelSchema.extend({ is_default: z.boolean().optional() }).meta({ id: "ListedChannel" }),
  ),
});

export const oneChannelSchema = z.object({ stream: channelSchema });

export const createdChannelSchema = z.object({ id: z.int() });

export const channelIdSchema = z.object({ stream_id: z.int() });

/** Values that a view of a channel shows in place of those in the organization. */
export interface ChannelViewContext {
  readonly isActive?: (userId: number) => boolean;
  readonly subscriberCount?: number;
}

/** Returns a channel as the API returns it; its permissions leave out inactive users. */
export function toChannel(
  permissions: PermissionContext,
  channel: ChannelRecord,
  {
    isActive = (id) => isActiveUser(permissions, id),
    subscriberCount = countSubscribers(permissions.organization, channel.id),
  }: ChannelViewContext = {},
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

/**
 * Returns the changed properties of a permission: the permission to post includes its former names if those
 * changed.
 */
export function toPermissionDifferences(
  permissions: PermissionContext,
  setting: string,
  { before, after }: { before: GroupSetting | undefined; after: GroupSetting },
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
 * takes, because responses contain all channels.
 */
const MAX_RENDERED_DESCRIPTION = 6 * MAX_CHANNEL_DESCRIPTION;

/** Renders the Markdown of a channel's description as HTML; blank descriptions have none. */
export function renderChannelDescription(description: string): string {
  // Descriptions mention no one and show no pictures, so the address of the organization has no effect.
  return description.trim() === "" ? "" : renderDescription(description, "", MAX_RENDERED_DESCRIPTION);
}

/** @throws AppError BAD_REQUEST for a character that overrides the direction of text. */
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
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
  context: ChannelViewContext = {},
): Promise<readonly ChannelView[]> {
  const views: ChannelView[] = [];
  let work = 0;
  for (const channel of channels) {
    // Descriptions of earlier versions are rendered here, which takes up to a few milliseconds each.
    work += channel.rendered_description === undefined ? RENDERING_WORK : 1;
    if (work > SLICE_WORK) {
      work = 0;
      await yieldToEventLoop();
    }
    views.push(toChannel(permissions, channel, context));
  }
  return views;
}

/** Returns channels as spectators see them: without any users. */
export async function toSpectatorChannels(
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
): Promise<readonly ChannelView[]> {
  const views = await toChannels(permissions, channels, { isActive: () => false });
  return views.map((view) => ({ ...view, creator_id: null }));
}
