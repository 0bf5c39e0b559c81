import {
  type ChannelList,
  channelListOf,
  defaultChannelIds,
  findVisibleChannel,
  getVisibleChannel,
  listVisibleChannels,
} from "./store.ts";
import { type ChannelFilter, type ChannelView, toChannel } from "./api.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { AppError } from "@/lib/core/errors.ts";
import { appendMembers, JsonList } from "@/lib/core/json_pieces.ts";
import type { ChatApp } from "../organization/app.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import { type Caller, isBot, isGuest, type UserList } from "../organization/users/model.ts";
import { type ChannelViewer, hasContentAccess } from "../organization/channels/model/access.ts";
import { countSubscribers, listSubscribedChannelIds } from "./subscriptions/store.ts";
import { userListOf } from "../organization/users/store.ts";
import { channelKeys, type ChannelRecord } from "../organization/channels/model/channel.ts";

/** Number of channels that are serialized before the event loop takes its turn. */
const CHANNELS_AT_ONCE = 10;

interface ChannelText {
  readonly channel: ChannelRecord;
  readonly subscriberCount: number;
  readonly text: string;
}

/** The JSON texts of an organization's channels. */
interface ChannelTexts {
  readonly size: number;
  /** Channels and users that the texts were derived from; they also depend on the numbers of subscribers. */
  readonly list: ChannelList;
  readonly users: UserList;
  readonly byId: ReadonlyMap<number, ChannelText>;
}

/** Everything that the texts of channels are derived from. */
interface TextSource extends Pick<ChannelTexts, "list" | "users"> {
  readonly permissions: PermissionContext;
  readonly organization: Snapshot;
}

/**
 * Returns channels as `toChannels` does, serialized. The texts are the same for every user with metadata access,
 * and stay in memory while no channel, user or number of subscribers changes.
 */
export async function toChannelTexts(
  app: ChatApp,
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
): Promise<readonly string[]> {
  const organization = await app.readOrganization(permissions.realm.id);
  const list = channelListOf(organization);
  const source = { permissions, organization, list, users: userListOf(organization) };
  const texts = await readTexts(app, source);
  return await mapInSlices(channels, (channel) => {
    const found = texts.byId.get(channel.id);
    return found?.channel === channel ? found.text : toText(source, channel).text;
  });
}

async function readTexts(app: ChatApp, source: TextSource): Promise<ChannelTexts> {
  const { permissions, list, users, organization } = source;
  const name = `channel texts ${permissions.realm.id}`;
  const sources = [list, users, organization.rows(channelKeys.subscriberCounts(permissions.realm.id))];
  return await app.cache.get<ChannelTexts>(name, sources, async (previous) => {
    const isSame = previous?.list === list && previous.users === users;
    const former = isSame ? previous.byId : new Map<number, ChannelText>();
    const texts = await mapInSlices(list.channels, (channel) => {
      const known = former.get(channel.id);
      return known?.subscriberCount === countSubscribers(organization, channel.id)
        ? known
        : toText(source, channel);
    }, CHANNELS_AT_ONCE);
    const size = texts.reduce((sum, { text }) => sum + text.length, 0);
    return { size, list, users, byId: new Map(texts.map((text) => [text.channel.id, text])) };
  });
}

function toText(source: TextSource, channel: ChannelRecord): ChannelText {
  const subscriberCount = countSubscribers(source.organization, channel.id);
  const { permissions, users: { isActive } } = source;
  const text = JSON.stringify(toChannel(permissions, channel, { isActive, subscriberCount }));
  return { channel, subscriberCount, text };
}

/**
 * Returns a channel, archived or not, as the API returns it.
 * @throws AppError BAD_REQUEST without metadata access.
 */
export async function getChannel(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  channelId: number,
): Promise<ChannelView> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const channel = await getVisibleChannel({ get: app.reads.read }, permissions, { channelId, user });
  return toChannel(permissions, channel);
}

/**
 * Returns the id of the channel with a name, archived or not; letter case does not matter.
 * @throws AppError BAD_REQUEST without metadata access.
 */
export async function getChannelId(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  name: string,
): Promise<number> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const viewer = await findVisibleChannel({ get: app.reads.read }, permissions, { name, user });
  if (viewer === null) throw new AppError("BAD_REQUEST", `Invalid channel name '${name}'`);
  return viewer.channel.id;
}

/**
 * Refuses to return the email address of a channel: this server sends mail and receives none.
 * @throws AppError BAD_REQUEST; without metadata access, the same as for a channel that does not exist.
 */
export async function getEmailAddress(app: ChatApp, caller: Caller, channelId: number): Promise<never> {
  await getChannel(app, caller, channelId);
  throw new AppError("BAD_REQUEST", "Channels have no email addresses: this server does not receive email.");
}

/**
 * Lists the requested channels that the caller has metadata access to, by name; `include_default` adds
 * `is_default`.
 */
export async function listChannels(
  app: ChatApp,
  { realm, actingUser }: Caller,
  filter: ChannelFilter,
): Promise<JsonList> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const ownersChannels = filter.include_owner_subscribed && isBot(actingUser)
    ? await listSubscribedChannelIds(app, realm.id, actingUser.bot_owner_id)
    : new Set<number>();
  const visible = await listVisibleChannels(app, permissions, actingUser);
  const requested = visible.filter((viewer) => isRequested(permissions, viewer, { filter, ownersChannels }))
    .map(({ channel }) => channel);
  const texts = await toChannelTexts(app, permissions, requested);
  if (!filter.include_default) return new JsonList(texts);
  const defaults = new Set<number | undefined>(await defaultChannelIds.read(app, realm.id));
  return new JsonList(
    texts.map((text, at) => appendMembers(text, { is_default: defaults.has(requested[at]?.id) })),
  );
}

function isRequested(
  permissions: PermissionContext,
  viewer: ChannelViewer,
  { filter, ownersChannels }: { filter: ChannelFilter; ownersChannels: ReadonlySet<number> },
): boolean {
  const { channel, user, isSubscribed } = viewer;
  if (channel.is_archived && filter.exclude_archived) return false;
  return filter.include_all || filter.include_all_active ||
    (filter.include_subscribed && isSubscribed) ||
    (filter.include_public && !channel.invite_only && !isGuest(user)) ||
    (filter.include_web_public && channel.is_web_public) ||
    (filter.include_can_access_content && hasContentAccess(permissions, viewer)) ||
    ownersChannels.has(channel.id);
}
