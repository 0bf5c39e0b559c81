import { toEntry } from "@/lib/kv/key.ts";
import { listValues } from "@/lib/kv/list_values.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { readNamedUsers } from "../permissions/named_users.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { isBot, isGuest, type UserRecord } from "../users/user.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { type ChannelVisitor, hasContentAccess, hasMetadataAccess, isOpenToWeb } from "./access.ts";
import { channelKeys, type ChannelRecord, foldChannelName, type SubscriptionRecord } from "./channel.ts";
import { readDefaultChannels } from "./defaults.ts";
import type { ChannelFilter } from "./params.ts";
import { listSubscriberCounts } from "./subscriber_count.ts";
import { type ChannelView, toChannel } from "./view.ts";

/**
 * The channels that a caller asks for and may know of, by name; with include_default, each tells whether it is one.
 * @throws AppError UNAUTHORIZED_PRINCIPAL for include_all by anybody but administrators.
 */
export async function listChannels(
  app: ChatApp,
  { realm, actingUser }: Caller,
  filter: ChannelFilter,
): Promise<readonly ChannelView[]> {
  if (filter.include_all) requireAdmin(actingUser);
  const permissions = await peekPermissionContext(app, realm);
  const ownersChannels = filter.include_owner_subscribed && isBot(actingUser)
    ? await listSubscribedIds(app, realm.id, actingUser.bot_owner_id)
    : new Set<number>();
  const known = await listKnownChannels(app, permissions, actingUser);
  const wanted = known.filter((visitor) => isWanted(permissions, visitor, { filter, ownersChannels }))
    .map(({ channel }) => channel);
  const views = await toChannels(app, permissions, wanted);
  if (!filter.include_default) return views;
  const defaults = new Set(await readDefaultChannels(app, realm.id));
  return views.map((view) => ({ ...view, is_default: defaults.has(view.stream_id) }));
}

function isWanted(
  permissions: PermissionContext,
  visitor: ChannelVisitor,
  { filter, ownersChannels }: { filter: ChannelFilter; ownersChannels: ReadonlySet<number> },
): boolean {
  const { channel, user, isSubscribed } = visitor;
  if (channel.is_archived && filter.exclude_archived) return false;
  return filter.include_all ||
    (filter.include_subscribed && isSubscribed) ||
    (filter.include_public && !channel.invite_only && !isGuest(user)) ||
    (filter.include_web_public && channel.is_web_public) ||
    (filter.include_can_access_content && hasContentAccess(permissions, visitor)) ||
    ownersChannels.has(channel.id);
}

/** Every channel that an account may know of, archived ones among them, by name. */
export async function listKnownChannels(
  app: ChatApp,
  permissions: PermissionContext,
  user: UserRecord,
): Promise<readonly ChannelVisitor[]> {
  const subscribed = await listSubscribedIds(app, permissions.realm.id, user.id);
  const visitors = (await readChannels(app, permissions.realm.id))
    .map((channel) => ({ channel, user, isSubscribed: subscribed.has(channel.id) }))
    .filter((visitor) => hasMetadataAccess(permissions, visitor));
  return visitors.sort((one, other) => compareNames(one.channel, other.channel));
}

/** Every channel that is open to those without an account, by name. */
export async function listOpenChannels(app: ChatApp, realm: RealmRecord): Promise<readonly ChannelRecord[]> {
  const channels = await readChannels(app, realm.id);
  return channels.filter((channel) => isOpenToWeb(app, realm, channel)).sort(compareNames);
}

function readChannels({ store }: Pick<ChatApp, "store">, realmId: number): Promise<ChannelRecord[]> {
  return listValues<ChannelRecord>(store.kv, channelKeys.channels(realmId));
}

function compareNames(one: ChannelRecord, other: ChannelRecord): number {
  const [first, second] = [foldChannelName(one.name), foldChannelName(other.name)];
  return first < second ? -1 : Number(first > second);
}

/** The ids of the channels that an account is subscribed to; nobody has none. */
export async function listSubscribedIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  userId: number | null,
): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  if (userId === null) return ids;
  const prefix = [...channelKeys.subscriptions(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SubscriptionRecord>(entry);
    const id = key.at(-1);
    if (value.is_active && typeof id === "number") ids.add(id);
  }
  return ids;
}

/** Channels as the API shows them, in their order. */
export async function toChannels(
  app: ChatApp,
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
): Promise<readonly ChannelView[]> {
  const isActive = await readNamedUsers(app, permissions.realm.id, channels);
  return await toViews(app, permissions, { channels, isActive });
}

/** Channels as those without an account are shown them: no accounts are named in them. */
export async function toOpenChannels(
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
  const counts = await listSubscriberCounts(app, permissions.realm.id);
  return channels.map((channel) =>
    toChannel(permissions, channel, { isActive, subscriberCount: counts.get(channel.id) ?? 0 })
  );
}
