import type { SubscriptionRecord } from "../channels/channel.ts";
import { toChoices } from "../channels/subscription_view.ts";
import type { ChannelView } from "../channels/view.ts";
import type { Edited } from "./edit.ts";

/** A channel in its subscriber's list: with what he chose for it. */
export function toListedSubscription(channel: ChannelView, record: SubscriptionRecord) {
  return { ...channel, ...toChoices(record) };
}

/** A channel in its subscriber's list. */
export type ListedSubscription = ReturnType<typeof toListedSubscription>;

/** Who is subscribed to a channel: all, or of very many some. */
export type ListedSubscribers =
  | { readonly subscribers: readonly number[] }
  | { readonly partial_subscribers: readonly number[] };

/** The user's own setting that holds where he chose nothing for a channel. */
const BY_DEFAULT = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;

/** Subscriptions for clients that do not know that nothing may be chosen: what holds then stands there. */
export function withoutNulls(
  subscriptions: readonly ListedSubscription[],
  settings: Readonly<Record<string, unknown>>,
): readonly ListedSubscription[] {
  const held = Object.entries(BY_DEFAULT).map(([choice, name]) => [choice, settings[name]] as const);
  return subscriptions.map((shown) => ({
    ...shown,
    ...Object.fromEntries(held.filter(([choice]) => Reflect.get(shown, choice) === null)),
  }));
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
