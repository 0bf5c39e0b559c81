import { serialize } from "node:v8";
import { AppError } from "@/lib/core/errors.ts";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { StoredIds, StoredNames } from "../organization/collection.ts";
import type { RealmRecord } from "../organization/organizations/model.ts";
import { copyPermissions } from "../organization/permissions/model/group_setting.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import type { UserRecord } from "../organization/users/model.ts";
import { getActingUser } from "../organization/users/store.ts";
import {
  canAdministerChannel,
  type ChannelViewer,
  hasContentAccess,
  hasMetadataAccess,
  invalidChannel,
  isOpenToSpectators,
} from "../organization/channels/model/access.ts";
import {
  channelKeys,
  type ChannelRecord,
  EMPTY_TOPIC_NAME,
  foldChannelName,
  MAX_CHANNEL_NAME,
  MAX_DEFAULT_CHANNELS,
  type TopicsPolicy,
} from "../organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "./subscriptions/model.ts";
import { listSubscribedChannelIds } from "./subscriptions/store.ts";

/** Number of channels whose access is decided before the event loop takes its turn. */
const CHANNELS_AT_ONCE = 200;
/** Maximum size of a stored channel, in bytes: an event of 64 KiB holds the channel and its audience. */
const MAX_RECORD_BYTES = 44 * 1024;

/** @throws AppError BAD_REQUEST if it exceeds the size of one record of the store. */
export function putChannel(tx: Tx, { realm }: PermissionContext, channel: ChannelRecord): void {
  const record = { ...channel, permissions: copyPermissions(channel.permissions) };
  if (serialize(record).length > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The channel would name too many users and groups.");
  }
  tx.set(channelKeys.channel(realm.id, channel.id), record);
}

/** Reads the id of the channel with a name, in any letter case; null if there is none. */
export async function readChannelId(
  tx: Pick<Tx, "get">,
  realmId: number,
  name: string,
): Promise<number | null> {
  // The name may be any text of a request; the store rejects keys that are too long.
  if (codePointLength(name.trim()) > MAX_CHANNEL_NAME) return null;
  return await channelNames.find(tx, realmId, name);
}

/** Reads a channel, and whether a user is subscribed to it; null if it does not exist. */
export async function readChannelViewer(
  tx: Pick<Tx, "get">,
  { realmId, channelId, user }: { realmId: number; channelId: number; user: UserRecord },
): Promise<ChannelViewer | null> {
  if (!Number.isSafeInteger(channelId)) return null;
  const [channel, subscription] = await Promise.all([
    tx.get<ChannelRecord>(channelKeys.channel(realmId, channelId)),
    tx.get<SubscriptionRecord>(channelKeys.subscription(realmId, user.id, channelId)),
  ]);
  return channel === null ? null : { channel, user, isSubscribed: subscription?.is_active === true };
}

/** Finds the channel with a name, in any letter case, that a user has metadata access to; null for any other. */
export async function findVisibleChannel(
  tx: Pick<Tx, "get">,
  permissions: PermissionContext,
  { name, user }: { name: string; user: UserRecord },
): Promise<ChannelViewer | null> {
  const { id: realmId } = permissions.realm;
  const channelId = await readChannelId(tx, realmId, name);
  const viewer = channelId === null ? null : await readChannelViewer(tx, { realmId, channelId, user });
  return viewer !== null && hasMetadataAccess(permissions, viewer) ? viewer : null;
}

/**
 * Returns a channel that a user has content access to and that is not archived.
 * @throws AppError BAD_REQUEST, the same without access as for a channel that does not exist.
 */
export async function getReadableChannel(
  tx: Pick<Tx, "get">,
  permissions: PermissionContext,
  { channelId, user }: { channelId: number; user: UserRecord },
): Promise<ChannelViewer> {
  const viewer = await readChannelViewer(tx, { realmId: permissions.realm.id, channelId, user });
  if (viewer === null || viewer.channel.is_archived || !hasContentAccess(permissions, viewer)) {
    throw invalidChannel();
  }
  return viewer;
}

/**
 * Returns a channel, archived or not, that the acting user can administer; reads both again in the
 * transaction.
 * @throws AppError BAD_REQUEST; without content access, the same as for a channel that does not exist.
 */
export async function getChannelToAdminister(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, actingUser }: { channelId: number; actingUser: UserRecord },
): Promise<ChannelViewer> {
  const user = await getActingUser(tx, permissions.realm.id, actingUser);
  const viewer = await readChannelViewer(tx, { realmId: permissions.realm.id, channelId, user });
  if (viewer === null) throw invalidChannel();
  if (canAdministerChannel(permissions, viewer)) return viewer;
  if (!hasContentAccess(permissions, viewer)) throw invalidChannel();
  throw new AppError("BAD_REQUEST", "You do not have permission to administer this channel.");
}

/**
 * Returns a channel, archived or not, that a user has metadata access to.
 * @throws AppError BAD_REQUEST, the same without access as for a channel that does not exist.
 */
export async function getVisibleChannel(
  tx: Pick<Tx, "get">,
  permissions: PermissionContext,
  { channelId, user }: { channelId: number; user: UserRecord },
): Promise<ChannelRecord> {
  const viewer = await readChannelViewer(tx, { realmId: permissions.realm.id, channelId, user });
  if (viewer === null || !hasMetadataAccess(permissions, viewer)) throw invalidChannel();
  return viewer.channel;
}

export async function readChannelAsSpectator(
  app: Pick<ChatApp, "config" | "reads">,
  realm: RealmRecord,
  channelId: number,
): Promise<ChannelRecord | null> {
  const channel = Number.isSafeInteger(channelId)
    ? await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, channelId))
    : null;
  return channel !== null && isOpenToSpectators(app, realm, channel) ? channel : null;
}

/** Lists the channels that a user has metadata access to, archived ones included, by name. */
export async function listVisibleChannels(
  app: ChatApp,
  permissions: PermissionContext,
  user: UserRecord,
): Promise<readonly ChannelViewer[]> {
  const subscribed = await listSubscribedChannelIds(app, permissions.realm.id, user.id);
  return await listChannelsVisibleTo(app, permissions, { user, subscribed });
}

/** Lists the channels as `listVisibleChannels` does for a user whose subscriptions are known. */
export async function listChannelsVisibleTo(
  app: ChatApp,
  permissions: PermissionContext,
  { user, subscribed }: { user: UserRecord; subscribed: ReadonlySet<number> },
): Promise<readonly ChannelViewer[]> {
  const { channels } = await readChannelList(app, permissions.realm.id);
  const viewers = await mapInSlices(channels, (channel) => {
    const viewer = { channel, user, isSubscribed: subscribed.has(channel.id) };
    return hasMetadataAccess(permissions, viewer) ? viewer : null;
  }, CHANNELS_AT_ONCE);
  return viewers.filter((viewer) => viewer !== null);
}

export async function listSpectatorChannels(
  app: ChatApp,
  realm: RealmRecord,
): Promise<readonly ChannelRecord[]> {
  const { channels } = await readChannelList(app, realm.id);
  return channels.filter((channel) => isOpenToSpectators(app, realm, channel));
}

export interface ChannelList {
  /** All channels, archived ones included, by name. */
  readonly channels: readonly ChannelRecord[];
  readonly byId: ReadonlyMap<number, ChannelRecord>;
}

export async function readChannelList(app: ChatApp, realmId: number): Promise<ChannelList> {
  return channelListOf(await app.readOrganization(realmId));
}

export function channelListOf(organization: Snapshot): ChannelList {
  return toChannelList(organization.rows<ChannelRecord>(channelKeys.channels(organization.realmId)));
}

const toChannelList = derived((table: Table<ChannelRecord>): ChannelList => {
  const stored = table.values();
  // Each name is folded once.
  const channels = stored.map((channel) => ({ channel, name: foldChannelName(channel.name) }))
    .sort((a, b) => a.name < b.name ? -1 : Number(a.name > b.name))
    .map(({ channel }) => channel);
  return { channels, byId: new Map(stored.map((channel) => [channel.id, channel])) };
});

/** The ids of the default channels of each organization. */
export const defaultChannelIds = new StoredIds<number>({
  key: channelKeys.defaults,
  max: MAX_DEFAULT_CHANNELS,
  full: (max) => `There can be ${max} default channels at most.`,
  fullDetails: { field: "is_default_stream" },
});

/** The names of all channels, archived ones included; letter case does not matter. */
export const channelNames = new StoredNames({
  name: "channel",
  plural: "channels",
  fold: foldChannelName,
  taken: (name) =>
    new AppError("CHANNEL_ALREADY_EXISTS", `Channel '${name}' already exists`, {
      field: "name",
      extra: { channel_name: name },
    }),
});

/**
 * Rejects the policy `empty_topic_only` for a channel that has messages in named topics; the transaction runs
 * again if such a message arrives before it commits.
 * @throws AppError BAD_REQUEST.
 */
export async function requireNoNamedTopics(
  tx: Tx,
  { realmId, channelId, policy }: { realmId: number; channelId: number; policy: TopicsPolicy },
): Promise<void> {
  if (policy !== "empty_topic_only") return;
  const named = await tx.get<Deno.KvU64>(channelKeys.namedTopicCount(realmId, channelId));
  if (named === null || named.value === 0n) return;
  throw new AppError(
    "BAD_REQUEST",
    `To enable this configuration, all messages in this channel must be in the ${EMPTY_TOPIC_NAME} ` +
      "topic. Consider renaming or deleting other topics.",
    { field: "topics_policy", extra: { empty_topic_display_name: EMPTY_TOPIC_NAME } },
  );
}
