import type { ChannelView } from "@/lib/chat/channels/api/view.ts";
import type { SubscriptionEditResult, SubscriptionRecord } from "../model.ts";

/** Maximum number of subscribers in an event, which must fit into one record of the store. */
const MAX_EVENT_SUBSCRIBERS = 500;

/**
 * Returns a channel as events send it to its subscriber: with their settings and a limited list of
 * subscribers.
 */
export function toSubscription(
  channel: ChannelView,
  subscription: SubscriptionRecord,
  subscribers: readonly number[],
) {
  return { ...channel, ...toSubscriptionSettings(subscription), ...toSubscriberList(subscribers) };
}

/** Returns a subscriber's settings of a channel, with properties that older clients read. */
export function toSubscriptionSettings(
  { is_active: _active, periods: _periods, ...settings }: SubscriptionRecord,
) {
  return { ...settings, in_home_view: !settings.is_muted, email_address: "" as const };
}

/** Returns a channel's subscribers as events send them, limited to MAX_EVENT_SUBSCRIBERS. */
export function toSubscriberList(subscribers: readonly number[]) {
  if (subscribers.length <= MAX_EVENT_SUBSCRIBERS) return { subscribers };
  return { partial_subscribers: subscribers.slice(0, MAX_EVENT_SUBSCRIBERS) };
}

/** Names of the user settings that null settings of a subscription follow. */
const USER_SETTING_NAMES = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;

/** Replaces null settings with the user's own, for clients that do not know null. */
export function inheritSettings<T extends object>(
  subscription: T,
  settings: Readonly<Record<string, unknown>>,
): T {
  const inherited = Object.entries(USER_SETTING_NAMES)
    .filter(([setting]) => Reflect.get(subscription, setting) === null)
    .map(([setting, name]) => [setting, settings[name]]);
  return { ...subscription, ...Object.fromEntries(inherited) };
}

/** Returns the names of the channels that users were subscribed to, or already were, by user id. */
export function toSubscribeResult(
  { subscribed, unauthorized, isAnnounced }: Omit<SubscriptionEditResult, "unsubscribed">,
) {
  const toNames = (isNew: boolean): Record<string, string[]> => {
    const matching = subscribed.filter((result) => result.isNew === isNew);
    const byUser = Map.groupBy(matching, ({ userId }) => String(userId));
    return Object.fromEntries(
      Array.from(byUser, ([userId, results]) => [userId, results.map(({ channel }) => channel.name)]),
    );
  };
  return {
    subscribed: toNames(true),
    already_subscribed: toNames(false),
    ...(unauthorized === null ? {} : { unauthorized }),
    ...(isAnnounced === undefined ? {} : { new_subscription_messages_sent: isAnnounced }),
  };
}

/** Returns the names of the channels that users were unsubscribed from, or were not subscribed to. */
export function toUnsubscribeResult({ unsubscribed }: Pick<SubscriptionEditResult, "unsubscribed">) {
  const toNames = (wasSubscribed: boolean) => [
    ...new Set(
      unsubscribed.filter((result) => result.wasSubscribed === wasSubscribed)
        .map(({ channel }) => channel.name),
    ),
  ];
  return { removed: toNames(true), not_removed: toNames(false) };
}
