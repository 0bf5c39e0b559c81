import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { toEntry } from "@/lib/store/key.ts";
import { type Listing, readListing } from "@/lib/store/read_listing.ts";
import { readVersion } from "@/lib/store/read_version.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { channelKeys } from "../model/channel.ts";
import {
  closePeriod,
  defaultSubscriptionColor,
  type Membership,
  type NewSubscription,
  openPeriod,
  type SubscriptionRecord,
  type SubscriptionRef,
  toNewSubscriptionRecord,
} from "./model.ts";

/**
 * Subscribes a user to a channel; a former subscription keeps its properties, except for a color that is set
 * here. Returns the record, or null if the user already is subscribed: then nothing is written. Costs one
 * checked read and two writes. The caller checks permissions and users, and sends the events.
 */
export async function subscribe(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  subscription: NewSubscription,
): Promise<SubscriptionRecord | null> {
  const { channel, userId, color } = subscription;
  const before = await tx.get<SubscriptionRecord>(subscriptionKey(permissions, subscription));
  if (before?.is_active) return null;
  const from = await readMessageHead(tx) + 1;
  if (before === null) return writeFirstSubscription(tx, permissions, { channel, userId, color, from });
  const periods = openPeriod(before.periods, from);
  const record = { ...before, is_active: true, color: color ?? before.color, periods };
  writeActiveSubscription(tx, permissions, { ...subscription, record });
  return record;
}

/** Writes a user's first subscription to a channel that the same commit creates; reads nothing. */
export function writeFirstSubscription(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  { from, ...subscription }: NewSubscription & { from: number },
): SubscriptionRecord {
  const color = subscription.color ?? defaultSubscriptionColor(subscription.channel);
  const record = toNewSubscriptionRecord({ color, from });
  writeActiveSubscription(tx, permissions, { ...subscription, record });
  return record;
}

/**
 * Ends a user's subscription to a channel; its record stays. Returns the record, or null if the user is not
 * subscribed: then nothing is written. Costs one checked read and two writes.
 */
export async function unsubscribe(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  subscription: SubscriptionRef,
): Promise<SubscriptionRecord | null> {
  const { channel, userId } = subscription;
  const key = subscriptionKey(permissions, subscription);
  const before = await tx.get<SubscriptionRecord>(key);
  if (before?.is_active !== true) return null;
  const periods = closePeriod(before.periods, await readMessageHead(tx));
  const record = { ...before, is_active: false, periods };
  tx.set(key, record);
  tx.delete(channelKeys.subscriber(permissions.realm.id, channel.id, userId));
  tx.sum(channelKeys.leaverCount(permissions.realm.id, channel.id), 1n);
  tx.sum(channelKeys.subscriberVersion(permissions.realm.id), 1n);
  return record;
}

/** Reads the id of the last message of the server; 0 before the first. */
export async function readMessageHead(tx: Pick<Tx, "peek">): Promise<number> {
  return await tx.peek<number>(channelKeys.messageHead) ?? 0;
}

function writeActiveSubscription(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  { record, ...subscription }: NewSubscription & { record: SubscriptionRecord },
): void {
  const { channel, userId } = subscription;
  tx.set(subscriptionKey(permissions, subscription), record);
  tx.set(channelKeys.subscriber(permissions.realm.id, channel.id, userId), true);
  tx.sum(channelKeys.joinerCount(permissions.realm.id, channel.id), 1n);
  tx.sum(channelKeys.subscriberVersion(permissions.realm.id), 1n);
}

function subscriptionKey({ realm }: Pick<PermissionContext, "realm">, { channel, userId }: SubscriptionRef) {
  return channelKeys.subscription(realm.id, userId, channel.id);
}

/** Lists a user's active subscriptions by channel id, ascending. */
export async function listActiveSubscriptions(
  app: Pick<ChatApp, "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const records = await listAllSubscriptions(app, realmId, userId);
  return new Map([...records].filter(([, { is_active }]) => is_active));
}

/** Lists a user's subscriptions by channel id, ascending, those that ended included. */
export async function listAllSubscriptions(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const records = new Map<number, SubscriptionRecord>();
  const prefix = [...channelKeys.subscriptions(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SubscriptionRecord>(entry);
    const id = key.at(-1);
    if (typeof id === "number") records.set(id, value);
  }
  return records;
}

/** Estimated memory of a user without memberships, of a membership, and of each of its periods, in bytes. */
const USER_BYTES = 500;
const MEMBERSHIP_BYTES = 150;
const PERIOD_BYTES = 50;

/** Reads a user's memberships by channel id, ended ones included, from memory unless someone has joined or left. */
export async function readMemberships(
  app: Pick<ChatApp, "reads" | "records" | "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, Membership>> {
  const key = channelKeys.subscriptions(realmId, userId);
  const version = await readVersion(app.reads, channelKeys.subscriberVersion(realmId));
  const known = app.records.get<ReadonlyMap<number, Membership>>(key, version);
  if (known !== undefined) return known;
  const records = await listAllSubscriptions(app, realmId, userId);
  const memberships = new Map(
    Array.from(records, ([id, { is_active, periods }]) => [id, { is_active, periods }] as const),
  );
  app.records.keep(key, memberships, { version, countBytes });
  return memberships;
}

function countBytes(memberships: ReadonlyMap<number, Membership>): number {
  return memberships.values().reduce(
    (sum, { periods }) => sum + MEMBERSHIP_BYTES + PERIOD_BYTES * periods.length,
    USER_BYTES,
  );
}

/** Lists the ids of the channels that a user is subscribed to; none for null. */
export async function listSubscribedChannelIds(
  app: Pick<ChatApp, "store">,
  realmId: number,
  userId: number | null,
): Promise<ReadonlySet<number>> {
  if (userId === null) return new Set();
  return new Set((await listActiveSubscriptions(app, realmId, userId)).keys());
}

/** Lists the ids of a channel's subscribers, deactivated ones included, ascending. */
export async function listSubscriberIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  channelId: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  const prefix = [...channelKeys.subscribers(realmId, channelId)];
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) {
    const id = key.at(-1);
    if (typeof id === "number") ids.push(id);
  }
  return ids;
}

/**
 * Makes the transaction run again if a channel's subscribers change before it commits. Call it before listing
 * them: lists bypass the transaction.
 */
export async function watchSubscribers(
  tx: Pick<Tx, "get">,
  realmId: number,
  channelId: number,
): Promise<void> {
  await tx.get(channelKeys.joinerCount(realmId, channelId));
  await tx.get(channelKeys.leaverCount(realmId, channelId));
}

/** Reads the number of a channel's subscribers, deactivated ones included. */
export async function readSubscriberCount(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  channelId: number,
): Promise<number> {
  const [joined, left] = await Promise.all([
    reads.read<Deno.KvU64>(channelKeys.joinerCount(realmId, channelId)),
    reads.read<Deno.KvU64>(channelKeys.leaverCount(realmId, channelId)),
  ]);
  return Number((joined?.value ?? 0n) - (left?.value ?? 0n));
}

/** Numbers of subscribe and unsubscribe actions in a channel. */
export interface SubscriberActions {
  readonly joined: number;
  readonly left: number;
}

/** The subscribe and unsubscribe actions of an organization up to one moment. */
export interface SubscriberActionList extends Listing {
  /** By channel id; a channel that never had a subscriber is missing. */
  readonly byChannel: ReadonlyMap<number, SubscriberActions>;
}

/** Reads how often users joined and left channels from a cache that is rebuilt when someone did. */
export async function readSubscriberActions(app: ChatApp, realmId: number): Promise<SubscriberActionList> {
  const source = { name: `subscriber actions ${realmId}`, counter: channelKeys.subscriberVersion(realmId) };
  return await readListing(app, source, async () => ({
    byChannel: await listSubscriberActions(app, realmId),
  }));
}

async function listSubscriberActions(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlyMap<number, SubscriberActions>> {
  const byChannel = new Map<number, SubscriberActions>();
  const listing = store.kv.list({ prefix: [...channelKeys.subscriberCounts(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<Deno.KvU64>(entry);
    const [channelId, kind] = key.slice(-2);
    if (typeof channelId !== "number") continue;
    const actions = byChannel.get(channelId) ?? { joined: 0, left: 0 };
    const number = Number(value.value);
    byChannel.set(
      channelId,
      kind === "joined" ? { ...actions, joined: number } : { ...actions, left: number },
    );
  }
  return byChannel;
}

/** Lists the numbers of subscribers by channel id; a channel that never had one is missing. */
export async function listSubscriberCounts(
  app: ChatApp,
  realmId: number,
): Promise<ReadonlyMap<number, number>> {
  const { byChannel } = await readSubscriberActions(app, realmId);
  return new Map(Array.from(byChannel, ([id, { joined, left }]) => [id, joined - left]));
}
