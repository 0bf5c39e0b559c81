import { getVisibleChannel, listVisibleChannels, readChannelList } from "../store.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type Caller,
  noSuchUser,
  type UserList,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { findAccessibleUser, getAccessibleUser, readUserList } from "@/lib/chat/organization/users/store.ts";
import { appendMembers, JsonList } from "@/lib/core/json_pieces.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { toChannelTexts } from "../list_channels.ts";
import { invalidChannel } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { listActiveSubscriptions, listSubscribedChannelIds, listSubscriberIds } from "./store.ts";
import { toSubscriptionSettings } from "./api.ts";
import type { SubscriptionRecord } from "./model.ts";

/** Maximum number of subscribers in a partial list. */
const MAX_PARTIAL_SUBSCRIBERS = 250;
/** Characters of the lists after which the event loop takes its turn. */
const CHARACTERS_AT_ONCE = 20_000;
/** Characters of a list in the time that finding it takes. */
const FINDING_WORK = 50;

/** A listing of subscribers; partial lists are limited for large channels. */
interface SubscriberListing {
  readonly realmId: number;
  readonly users: UserList;
  readonly isPartial: boolean;
}

/**
 * Returns the JSON text of each channel with the ids of its active subscribers, ascending. Each list stays in memory
 * while no one joins or leaves the channel and no user changes.
 */
export async function appendSubscribers(
  app: ChatApp,
  listing: SubscriberListing,
  channels: readonly { readonly id: number; readonly text: string }[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  let work = 0;
  for (const { id, text } of channels) {
    const subscribers = await readSubscriberText(app, listing, id);
    texts.push(`${text.slice(0, -1)},${subscribers.text}}`);
    work += FINDING_WORK + subscribers.text.length;
    if (work < CHARACTERS_AT_ONCE) continue;
    work = 0;
    await yieldToEventLoop();
  }
  return texts;
}

/** Returns the member with a channel's subscribers. */
async function readSubscriberText(
  app: ChatApp,
  { realmId, users, isPartial }: SubscriberListing,
  channelId: number,
): Promise<{ size: number; text: string }> {
  const ids = await listSubscriberIds(app, realmId, channelId);
  return await app.cache.get(`subscribers ${realmId} ${channelId} ${isPartial}`, [ids, users], () => {
    const active = ids.filter((id) => users.activeIds.has(id));
    const text = isPartial && active.length > MAX_PARTIAL_SUBSCRIBERS
      ? `"partial_subscribers":${JSON.stringify(active.slice(0, MAX_PARTIAL_SUBSCRIBERS))}`
      : `"subscribers":${JSON.stringify(active)}`;
    return Promise.resolve({ text, size: text.length });
  });
}

export async function listUnarchivedSubscriptions(
  app: ChatApp,
  { realm, actingUser }: Caller,
  subscribers: "true" | "false" | "partial",
): Promise<JsonList> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const records = await listActiveSubscriptions(app, realm.id, actingUser.id);
  const { byId } = await readChannelList(app, realm.id);
  const shown = Array.from(records, ([id, record]) => ({ record, channel: byId.get(id) }))
    .flatMap(({ record, channel }) => channel?.is_archived === false ? [{ record, channel }] : []);
  const texts = await toChannelTexts(app, permissions, shown.map(({ channel }) => channel));
  const own = shown.map(({ record, channel: { id } }, at) => {
    return { id, text: appendMembers(texts[at] ?? "{}", toSubscriptionSettings(record)) };
  });
  if (subscribers === "false") return new JsonList(own.map(({ text }) => text));
  const users = await readUserList(app, realm.id);
  const isPartial = subscribers === "partial";
  return new JsonList(await appendSubscribers(app, { realmId: realm.id, users, isPartial }, own));
}

/**
 * Lists the ids of a channel's active subscribers, ascending.
 * @throws AppError BAD_REQUEST if the channel is archived or the caller has no metadata access to it.
 */
export async function listChannelSubscribers(
  app: ChatApp,
  { realm, actingUser }: Caller,
  channelId: number,
): Promise<readonly number[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  await requireVisibleChannel(app, permissions, { channelId, actingUser });
  const { activeIds } = await readUserList(app, realm.id);
  return (await listSubscriberIds(app, realm.id, channelId)).filter((id) => activeIds.has(id));
}

/** @throws AppError BAD_REQUEST if the caller has no access to the user or the channel. */
export async function isUserSubscribed(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { userId, channelId }: { userId: number; channelId: number },
): Promise<boolean> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const user = await findAccessibleUser(app, { realm, actingUser }, userId);
  if (user === null) throw noSuchUser();
  if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  await requireVisibleChannel(app, permissions, { channelId, actingUser });
  const key = channelKeys.subscription(realm.id, userId, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.is_active === true;
}

async function requireVisibleChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { channelId, actingUser }: { channelId: number; actingUser: UserRecord },
): Promise<void> {
  const asked = { channelId, user: actingUser };
  if ((await getVisibleChannel({ get: app.reads.read }, permissions, asked)).is_archived) {
    throw invalidChannel();
  }
}

/**
 * Lists the ids of the active channels that a user is subscribed to and to which the caller has metadata access,
 * ascending; those of private channels of others stay hidden.
 * @param name Id or email address of the user.
 * @throws AppError BAD_REQUEST for a user whom the caller cannot access.
 */
export async function listUserChannels(
  app: ChatApp,
  caller: Caller,
  name: string,
): Promise<readonly number[]> {
  const user = await getAccessibleUser(app, caller, name);
  const permissions = permissionsOf(await app.readOrganization(caller.realm.id), app.clock);
  const [subscribed, visible] = await Promise.all([
    listSubscribedChannelIds(app, caller.realm.id, user.id),
    listVisibleChannels(app, permissions, caller.actingUser),
  ]);
  return visible.filter(({ channel }) => !channel.is_archived && subscribed.has(channel.id))
    .map(({ channel }) => channel.id).sort((a, b) => a - b);
}
