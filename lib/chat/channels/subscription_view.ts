import type { SubscriptionRecord } from "./channel.ts";
import type { ChannelView } from "./view.ts";

/** The most subscribers that an event names: it must fit into one record of the store. */
const MAX_TOLD_SUBSCRIBERS = 500;

/** A channel as an event shows it to its subscriber: with what he chose for it; of very many subscribers only some. */
export function toSubscription(
  channel: ChannelView,
  subscription: SubscriptionRecord,
  subscribers: readonly number[],
) {
  return { ...channel, ...toChoices(subscription), ...toSubscribers(subscribers) };
}

/** What a subscriber chose for a channel. */
export function toChoices({ is_active: _active, periods: _periods, ...chosen }: SubscriptionRecord) {
  return { ...chosen, in_home_view: !chosen.is_muted };
}

/** The subscribers of a channel as an event names them; of very many only some. */
export function toSubscribers(subscribers: readonly number[]) {
  if (subscribers.length <= MAX_TOLD_SUBSCRIBERS) return { subscribers };
  return { partial_subscribers: subscribers.slice(0, MAX_TOLD_SUBSCRIBERS) };
}
