import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { readOrganizationWith } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  closePeriod,
  defaultSubscriptionColor,
  type NewSubscription,
  openPeriod,
  type SubscriptionRecord,
  type SubscriptionRef,
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
  const record: SubscriptionRecord = {
    is_active: true,
    color,
    is_muted: false,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
    periods: [{ from, to: null }],
  };
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
}

function subscriptionKey({ realm }: Pick<PermissionContext, "realm">, { channel, userId }: SubscriptionRef) {
  return channelKeys.subscription(realm.id, userId, channel.id);
}

/** Lists a user's active subscriptions by channel id, ascending. */
export async function listActiveSubscriptions(
  app: Pick<ChatApp, "readOrganization" | "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const records = await listAllSubscriptions(app, realmId, userId);
  return new Map([...records].filter(([, { is_active }]) => is_active));
}

/** Lists a user's subscriptions by channel id, ascending, those that ended included. */
export async function listAllSubscriptions(
  app: Pick<ChatApp, "readOrganization" | "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const prefix = channelKeys.subscriptions(realmId, userId);
  const organization = await readOrganizationWith(app, realmId, prefix);
  return toSubscriptionMap(organization.rows<SubscriptionRecord>(prefix));
}

const toSubscriptionMap = derived((
  table: Table<SubscriptionRecord>,
): ReadonlyMap<number, SubscriptionRecord> =>
  new Map(table.entries().map(([id, record]) => [Number(id), record]))
);

/** Lists the ids of the channels that a user is subscribed to; none for null. */
export async function listSubscribedChannelIds(
  app: Pick<ChatApp, "readOrganization" | "store">,
  realmId: number,
  userId: number | null,
): Promise<ReadonlySet<number>> {
  if (userId === null) return new Set();
  return new Set((await listActiveSubscriptions(app, realmId, userId)).keys());
}

/** Lists the ids of a channel's subscribers, deactivated ones included, ascending. */
export async function listSubscriberIds(
  app: Pick<ChatApp, "readOrganization" | "store">,
  realmId: number,
  channelId: number,
): Promise<readonly number[]> {
  const prefix = channelKeys.subscribers(realmId, channelId);
  const organization = await readOrganizationWith(app, realmId, prefix);
  return toIds(organization.rows<boolean>(prefix));
}

const toIds = derived((table: Table<boolean>): readonly number[] =>
  table.entries().map(([id]) => Number(id))
);

/** Reads the number of a channel's subscribers, deactivated ones included. */
export async function readSubscriberCount(
  { readOrganization }: Pick<ChatApp, "readOrganization">,
  realmId: number,
  channelId: number,
): Promise<number> {
  return countSubscribers(await readOrganization(realmId), channelId);
}

/** Returns the number of a channel's subscribers, deactivated ones included. */
export function countSubscribers(organization: Snapshot, channelId: number): number {
  const { realmId } = organization;
  const joined = organization.get<Deno.KvU64>(channelKeys.joinerCount(realmId, channelId));
  const left = organization.get<Deno.KvU64>(channelKeys.leaverCount(realmId, channelId));
  return Number((joined?.value ?? 0n) - (left?.value ?? 0n));
}
