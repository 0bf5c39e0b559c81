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
  const { is_active: _active, periods: _periods, ...chosen } = subscription;
  const shown = { ...channel, ...chosen, in_home_view: !subscription.is_muted };
  if (subscribers.length <= MAX_TOLD_SUBSCRIBERS) return { ...shown, subscribers };
  return { ...shown, partial_subscribers: subscribers.slice(0, MAX_TOLD_SUBSCRIBERS) };
}
