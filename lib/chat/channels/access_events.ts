import { serialize } from "node:v8";
import type { ActivationChange, ChatApp, MetadataAccessChange } from "@/lib/chat/organization/app.ts";
import { chunkIds, queueEndEvent, type StoredEvent } from "@/lib/chat/organization/events/model.ts";
import { listNamedGroups } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { listChangedPermissions, namesAny } from "../organization/permissions/store.ts";
import { hasMetadataAccess, METADATA_PERMISSIONS } from "../organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "../organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "./subscriptions/model.ts";
import { type ChannelView, toChannels, toPermissionDifferences } from "./api.ts";
import { listChannelAudiences } from "./events.ts";

/**
 * Maximum number of pairs of a channel and a user that are checked; beyond it, the users' event queues end.
 */
const MAX_PAIRS = 20_000;
/** Maximum size of the channels of one event, in bytes as stored. */
const MAX_EVENT_BYTES = 40 * 1024;

/** Returns the events of users who gain or lose metadata access to channels. */
export async function toMetadataAccessEvents(
  app: ChatApp,
  change: MetadataAccessChange,
): Promise<readonly StoredEvent[]> {
  const users = change.users.filter(({ after }) => after.is_active);
  if (users.length === 0) return [];
  const { groupIds, after: { realm } } = change;
  const organization = await app.readOrganization(realm.id);
  const channels = organization.rows<ChannelRecord>(channelKeys.channels(realm.id)).values()
    .filter((channel) => groupIds === undefined || isVisibleTo(channel, groupIds));
  if (users.length * channels.length > MAX_PAIRS) {
    return chunkIds(users.map(({ after }) => after.id)).map((ids) => queueEndEvent(["stream"], ids));
  }
  const diffs = await Promise.all(
    channels.map((channel) => diffChannelAudience(app, change, { channel, users })),
  );
  const gained = Map.groupBy(diffs.filter((diff) => diff.gained.length > 0), (diff) => diff.gained.join());
  const lost = Map.groupBy(diffs.filter((diff) => diff.lost.length > 0), (diff) => diff.lost.join());
  const events: StoredEvent[] = [];
  for (const group of gained.values()) {
    const views = await toChannels(change.after, group.map(({ channel }) => channel));
    for (const streams of chunkViews(views)) {
      events.push(...toEvents(group[0]?.gained ?? [], { op: "create", streams }));
    }
  }
  for (const group of lost.values()) {
    for (const stream_ids of chunkIds(group.map(({ channel }) => channel.id))) {
      const streams = stream_ids.map((stream_id) => ({ stream_id }));
      events.push(...toEvents(group[0]?.lost ?? [], { op: "delete", streams, stream_ids }));
    }
  }
  return events;
}

function toEvents(
  userIds: readonly number[],
  content: { readonly op: string; readonly [name: string]: unknown },
) {
  return chunkIds(userIds).map((audience) => ({ event: { type: "stream", ...content }, audience }));
}

function* chunkViews(views: readonly ChannelView[]): Generator<readonly ChannelView[]> {
  let chunk: ChannelView[] = [];
  let bytes = 0;
  for (const view of views) {
    const size = serialize(view).length;
    if (chunk.length > 0 && bytes + size > MAX_EVENT_BYTES) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(view);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

/** Returns the users who gain or lose metadata access to a channel, without subscribers, who always have it. */
async function diffChannelAudience(
  { reads }: Pick<ChatApp, "reads">,
  { before, after }: MetadataAccessChange,
  { channel, users }: { channel: ChannelRecord; users: MetadataAccessChange["users"] },
): Promise<{ channel: ChannelRecord; gained: readonly number[]; lost: readonly number[] }> {
  const gained: number[] = [];
  const lost: number[] = [];
  for (const user of users) {
    const had = hasMetadataAccess(before, { channel, user: user.before, isSubscribed: false });
    const has = hasMetadataAccess(after, { channel, user: user.after, isSubscribed: false });
    if (had === has) continue;
    const { id } = user.after;
    const key = channelKeys.subscription(after.realm.id, id, channel.id);
    if ((await reads.read<SubscriptionRecord>(key))?.is_active === true) continue;
    (has ? gained : lost).push(id);
  }
  return { channel, gained, lost };
}

function isVisibleTo({ invite_only, permissions }: ChannelRecord, groupIds: ReadonlySet<number>): boolean {
  return invite_only && METADATA_PERMISSIONS.some((setting) => {
    const value = permissions[setting];
    return value !== undefined && listNamedGroups(value).some((id) => groupIds.has(id));
  });
}

/** Maximum number of channels that are checked one by one; beyond it, all event queues end. */
const MAX_CHANNELS = 100;

/** Returns the events of channels whose permissions name users that are deactivated or reactivated. */
export async function toChannelActivationEvents(
  app: ChatApp,
  permissions: PermissionContext,
  change: ActivationChange,
): Promise<readonly StoredEvent[]> {
  const organization = await app.readOrganization(permissions.realm.id);
  const channels = organization.rows<ChannelRecord>(channelKeys.channels(permissions.realm.id)).values()
    .filter((channel) => namesAny(channel, change));
  if (channels.length > MAX_CHANNELS) return [queueEndEvent(["stream", "subscription"], "everyone")];
  const events: StoredEvent[] = [];
  for (const channel of channels) {
    const changed = listChangedPermissions(permissions, {
      kind: "channel",
      owner: channel,
      change,
    });
    if (changed.size === 0) continue;
    const { id: stream_id, name } = channel;
    const audiences = await listChannelAudiences(app, permissions, { channel });
    for (const [setting, shown] of changed) {
      for (const difference of toPermissionDifferences(permissions, setting, shown)) {
        const event = { type: "stream", op: "update", stream_id, name, ...difference };
        events.push(...audiences.map((audience) => ({ event, audience })));
      }
    }
  }
  return events;
}
