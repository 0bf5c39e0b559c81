import type { Tx } from "@/lib/kv/transact.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { channelKeys, type ChannelRecord, type Period, type SubscriptionRecord } from "./channel.ts";

/** The colors that subscriptions start with: a channel's is the same for everybody. */
export const SUBSCRIPTION_COLORS = [
  "#c84141",
  "#8edc74",
  "#366ba1",
  "#c841a6",
  "#dcdc74",
  "#36a186",
  "#8541c8",
  "#dc8e74",
  "#36a136",
  "#4163c8",
  "#dc74a8",
  "#86a136",
  "#41c8c8",
  "#c274dc",
  "#a16b36",
  "#41c863",
  "#7474dc",
  "#a13650",
  "#85c841",
  "#74c2dc",
  "#a136a1",
  "#c8a641",
  "#74dca8",
  "#5036a1",
] as const;

/** The most periods that a record keeps; of more, the oldest are forgotten. */
const MAX_PERIODS = 1000;

/** An account that comes into a channel; without a color, the channel's first one is taken. */
export interface Joining {
  readonly channel: Pick<ChannelRecord, "id">;
  readonly userId: number;
  readonly color?: string | undefined;
}

/** An account and a channel that it leaves. */
export type Leaving = Omit<Joining, "color">;

/** The color that a channel's subscriptions start with. */
export function firstColor({ id }: Pick<ChannelRecord, "id">): string {
  return SUBSCRIPTION_COLORS[id % SUBSCRIPTION_COLORS.length] ?? SUBSCRIPTION_COLORS[0];
}

/** A first subscription: everything as the account's own settings have it, receiving from the message with id `from` on. */
function newSubscription({ color, from }: { color: string; from: number }): SubscriptionRecord {
  return {
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
}

/**
 * Subscribes an account to a channel and counts it; what it had chosen for the channel before holds again, but a color
 * that is given wins. Gives the record, or null for who is subscribed already: then nothing is written.
 * Costs one checked read and two writes; rights, accounts and events are the caller's business.
 */
export async function subscribe(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  joining: Joining,
): Promise<SubscriptionRecord | null> {
  const { channel, userId, color } = joining;
  const before = await tx.get<SubscriptionRecord>(subscriptionKey(permissions, joining));
  if (before?.is_active) return null;
  const from = await messageHead(tx) + 1;
  if (before === null) return writeFirst(tx, permissions, { channel, userId, color, from });
  const periods = reopen(before.periods, from);
  const record = { ...before, is_active: true, color: color ?? before.color, periods };
  writeActive(tx, permissions, { ...joining, record });
  return record;
}

/** Writes the subscription of an account to a channel that nobody can know of yet, without reading anything. */
export function writeFirst(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  { from, ...joining }: Joining & { from: number },
): SubscriptionRecord {
  const record = newSubscription({ color: joining.color ?? firstColor(joining.channel), from });
  writeActive(tx, permissions, { ...joining, record });
  return record;
}

/**
 * Ends an account's subscription to a channel; its record stays. Gives the record, or null for who is not subscribed:
 * then nothing is written. Costs one checked read and two writes.
 */
export async function unsubscribe(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  leaving: Leaving,
): Promise<SubscriptionRecord | null> {
  const { channel, userId } = leaving;
  const key = subscriptionKey(permissions, leaving);
  const before = await tx.get<SubscriptionRecord>(key);
  if (before?.is_active !== true) return null;
  const record = { ...before, is_active: false, periods: close(before.periods, await messageHead(tx)) };
  tx.set(key, record);
  tx.delete(channelKeys.subscriber(permissions.realm.id, channel.id, userId));
  tx.sum(channelKeys.leaverCount(permissions.realm.id, channel.id), 1n);
  return record;
}

/** The id of the last message of all; 0 before the first. */
export async function messageHead(tx: Pick<Tx, "peek">): Promise<number> {
  return await tx.peek<number>(channelKeys.messageHead) ?? 0;
}

function writeActive(
  tx: Tx,
  permissions: Pick<PermissionContext, "realm">,
  { record, ...joining }: Joining & { record: SubscriptionRecord },
): void {
  const { channel, userId } = joining;
  tx.set(subscriptionKey(permissions, joining), record);
  tx.set(channelKeys.subscriber(permissions.realm.id, channel.id, userId), true);
  tx.sum(channelKeys.joinerCount(permissions.realm.id, channel.id), 1n);
}

function subscriptionKey({ realm }: Pick<PermissionContext, "realm">, { channel, userId }: Leaving) {
  return channelKeys.subscription(realm.id, userId, channel.id);
}

/** Who comes back before anything was missed was never away. */
function reopen(periods: readonly Period[], from: number): readonly Period[] {
  const last = periods.at(-1);
  const isUnbroken = last !== undefined && last.to !== null && last.to + 1 >= from;
  return isUnbroken
    ? [...periods.slice(0, -1), { from: last.from, to: null }]
    : [...periods, { from, to: null }].slice(-MAX_PERIODS);
}

/** A time in which no message came is none. */
function close(periods: readonly Period[], to: number): readonly Period[] {
  const last = periods.at(-1);
  if (last === undefined) return periods;
  const before = periods.slice(0, -1);
  return last.from > to ? before : [...before, { from: last.from, to }];
}
