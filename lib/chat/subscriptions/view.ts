import type { SubscriptionRecord } from "../channels/channel.ts";
import type { ChannelView } from "../channels/view.ts";
import type { Edited } from "./edit.ts";

/** A channel in its subscriber's list: with what he chose for it, and all its subscribers where they are given. */
export function toListedSubscription(
  channel: ChannelView,
  record: SubscriptionRecord,
  subscribers?: readonly number[],
) {
  const { is_active: _active, periods: _periods, ...chosen } = record;
  const shown = { ...channel, ...chosen, in_home_view: !record.is_muted };
  return subscribers === undefined ? shown : { ...shown, subscribers };
}

/** Who came into which channels, by users' ids and channels' names, and who was there before. */
export function toJoined({ joins, unauthorized }: Pick<Edited, "joins" | "unauthorized">) {
  const toNames = (isNew: boolean): Record<string, string[]> => {
    const byUser = Map.groupBy(joins.filter((join) => join.isNew === isNew), ({ userId }) => String(userId));
    return Object.fromEntries(
      Array.from(byUser, ([userId, of]) => [userId, of.map(({ channel }) => channel.name)]),
    );
  };
  const joined = { subscribed: toNames(true), already_subscribed: toNames(false) };
  return unauthorized === null ? joined : { ...joined, unauthorized };
}

/** The names of the channels that somebody left, and of those that somebody could not leave. */
export function toLeft({ leaves }: Pick<Edited, "leaves">) {
  const toNames = (wasSubscribed: boolean) => [
    ...new Set(
      leaves.filter((leave) => leave.wasSubscribed === wasSubscribed).map(({ channel }) => channel.name),
    ),
  ];
  return { removed: toNames(true), not_removed: toNames(false) };
}
