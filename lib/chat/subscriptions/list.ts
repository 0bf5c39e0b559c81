import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { listSubscribers } from "../channels/audience.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "../channels/channel.ts";
import { toChannels } from "../channels/list.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { listUsers } from "../users/store.ts";
import { type ListedSubscribers, type ListedSubscription, toListedSubscription } from "./view.ts";

/** Subscribers of a large channel that are listed where only some are asked for. */
const MAX_PARTIAL = 250;

/** The channels that the caller is subscribed to as the API shows them, by id; archived ones where they are wanted. */
export async function listSubscriptions(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { includeArchived }: { includeArchived: boolean },
): Promise<readonly ListedSubscription[]> {
  const permissions = await peekPermissionContext(app, realm);
  const records = await readSubscriptions(app, realm.id, actingUser.id);
  const channels = await Promise.all(
    Array.from(records.keys(), (id) => app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id))),
  );
  const shown = channels.filter((channel) => channel !== null)
    .filter((channel) => includeArchived || !channel.is_archived);
  const views = await toChannels(app, permissions, shown);
  return views.flatMap((view) => {
    const record = records.get(view.stream_id);
    return record === undefined ? [] : [toListedSubscription(view, record)];
  });
}

/** How subscribers are listed: all of them, or of large channels only some. */
export interface SubscriberListing {
  readonly realmId: number;
  readonly active: ReadonlySet<number>;
  readonly isPartial: boolean;
}

/** Channels with the ids of the active accounts that are subscribed to each, ascending. */
export async function withSubscribers<T extends { readonly stream_id: number }>(
  app: ChatApp,
  { realmId, active, isPartial }: SubscriberListing,
  channels: readonly T[],
): Promise<readonly (T & ListedSubscribers)[]> {
  const listed: (T & ListedSubscribers)[] = [];
  for (const channel of channels) {
    const ids = (await listSubscribers(app, realmId, channel.stream_id)).filter((id) => active.has(id));
    const isCut = isPartial && ids.length > MAX_PARTIAL;
    listed.push({
      ...channel,
      ...(isCut ? { partial_subscribers: ids.slice(0, MAX_PARTIAL) } : { subscribers: ids }),
    });
  }
  return listed;
}

/** The channels in use that the caller is subscribed to, by id, with as many of their subscribers as are wanted. */
export async function listUsedSubscriptions(
  app: ChatApp,
  caller: Caller,
  subscribers: "true" | "false" | "partial",
): Promise<readonly ListedSubscription[]> {
  const own = await listSubscriptions(app, caller, { includeArchived: false });
  if (subscribers === "false") return own;
  const realmId = caller.realm.id;
  const listing = {
    realmId,
    active: await readActiveIds(app, realmId),
    isPartial: subscribers === "partial",
  };
  return await withSubscribers(app, listing, own);
}

/** The ids of an organization's active accounts. */
export async function readActiveIds(app: ChatApp, realmId: number): Promise<ReadonlySet<number>> {
  const users = await listUsers(app, realmId);
  return new Set(users.filter((user) => user.is_active).map(({ id }) => id));
}

/** The subscriptions of an account that hold, by their channels' ids, ascending. */
async function readSubscriptions(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const records = new Map<number, SubscriptionRecord>();
  const prefix = [...channelKeys.subscriptions(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SubscriptionRecord>(entry);
    const id = key.at(-1);
    if (value.is_active && typeof id === "number") records.set(id, value);
  }
  return records;
}
