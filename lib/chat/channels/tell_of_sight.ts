import { serialize } from "node:v8";
import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { StoredEvent } from "../events/emit.ts";
import { chunkIds } from "../events/in_events.ts";
import { queueEndEvent } from "../events/tell_together.ts";
import { groupsOf } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import { hasMetadataAccess, METADATA_PERMISSIONS } from "./access.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "./channel.ts";
import { toChannels } from "./list.ts";
import type { ChannelView } from "./view.ts";

/** Channels and accounts whose relation is looked at one by one, at most: beyond, clients begin anew. */
const MAX_PAIRS = 20_000;
/** The most room that the channels of one event take, in bytes as stored. */
const MAX_BYTES = 40 * 1024;

/** An account before and after a change of what it may see; the same record where groups alone changed. */
export interface Viewer {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/** What changed: groups, accounts, or both. */
export interface SightChange {
  readonly before: PermissionContext;
  readonly after: PermissionContext;
  readonly viewers: readonly Viewer[];
  /** Only channels that some of these groups may know of; all where it is missing. */
  readonly groupIds?: ReadonlySet<number>;
}

/** That accounts may know of channels that they could not know of before, or no longer may. */
export async function toSightEvents(app: ChatApp, change: SightChange): Promise<readonly StoredEvent[]> {
  const viewers = change.viewers.filter(({ after }) => after.is_active);
  if (viewers.length === 0) return [];
  const channels = await listConcerned(app, change);
  if (viewers.length * channels.length > MAX_PAIRS) {
    return chunkIds(viewers.map(({ after }) => after.id)).map((ids) => queueEndEvent(["stream"], ids));
  }
  const seen = await Promise.all(channels.map((channel) => sort(app, change, { channel, viewers })));
  const gained = Map.groupBy(seen.filter((one) => one.gained.length > 0), (one) => one.gained.join());
  const lost = Map.groupBy(seen.filter((one) => one.lost.length > 0), (one) => one.lost.join());
  const told: StoredEvent[] = [];
  for (const some of gained.values()) {
    const views = await toChannels(app, change.after, some.map(({ channel }) => channel));
    for (const streams of inRoom(views)) {
      told.push(...toEvents(some[0]?.gained ?? [], { op: "create", streams }));
    }
  }
  for (const some of lost.values()) {
    for (const stream_ids of chunkIds(some.map(({ channel }) => channel.id))) {
      const streams = stream_ids.map((stream_id) => ({ stream_id }));
      told.push(...toEvents(some[0]?.lost ?? [], { op: "delete", streams, stream_ids }));
    }
  }
  return told;
}

function toEvents(
  userIds: readonly number[],
  news: { readonly op: string; readonly [name: string]: unknown },
) {
  return chunkIds(userIds).map((audience) => ({ event: { type: "stream", ...news }, audience }));
}

function* inRoom(views: readonly ChannelView[]): Generator<readonly ChannelView[]> {
  let some: ChannelView[] = [];
  let bytes = 0;
  for (const view of views) {
    const size = serialize(view).length;
    if (some.length > 0 && bytes + size > MAX_BYTES) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(view);
    bytes += size;
  }
  if (some.length > 0) yield some;
}

interface Sorted {
  readonly channel: ChannelRecord;
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

/** Who is subscribed knows of a channel anyway. */
async function sort(
  { reads }: Pick<ChatApp, "reads">,
  { before, after }: SightChange,
  { channel, viewers }: { channel: ChannelRecord; viewers: readonly Viewer[] },
): Promise<Sorted> {
  const gained: number[] = [];
  const lost: number[] = [];
  for (const viewer of viewers) {
    const had = hasMetadataAccess(before, { channel, user: viewer.before, isSubscribed: false });
    const has = hasMetadataAccess(after, { channel, user: viewer.after, isSubscribed: false });
    if (had === has) continue;
    const { id } = viewer.after;
    const key = channelKeys.subscription(after.realm.id, id, channel.id);
    if ((await reads.read<SubscriptionRecord>(key))?.is_active === true) continue;
    (has ? gained : lost).push(id);
  }
  return { channel, gained, lost };
}

async function listConcerned(
  { store }: Pick<ChatApp, "store">,
  { after, groupIds }: SightChange,
): Promise<readonly ChannelRecord[]> {
  const channels: ChannelRecord[] = [];
  const prefix = [...channelKeys.channels(after.realm.id)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { value } = toEntry<ChannelRecord>(entry);
    if (groupIds === undefined || isOpenTo(value, groupIds)) channels.push(value);
  }
  return channels;
}

function isOpenTo({ invite_only, permissions }: ChannelRecord, groupIds: ReadonlySet<number>): boolean {
  return invite_only && METADATA_PERMISSIONS.some((setting) => {
    const value = permissions[setting];
    return value !== undefined && groupsOf(value).some((id) => groupIds.has(id));
  });
}
