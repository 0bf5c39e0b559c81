import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import { toChoices } from "../channels/subscription_view.ts";
import type { ChatEvent } from "../events/emit.ts";
import { can, type Receiver } from "./receiver.ts";

/** What is told to all subscribers of a channel at once is told to each with what he chose for the channel. */
export async function tellSubscription(receiver: Receiver, sent: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions, user } = receiver;
  const { is_return, ...event } = sent;
  // To some clients an archived channel was never gone.
  if (is_return === true && can(receiver, "archived_channels")) return [];
  const { op, subscriptions } = event;
  if (op !== "add" || !Array.isArray(subscriptions)) return [event];
  const told = await Promise.all(subscriptions.map(async (shown) => {
    if ("color" in shown) return shown;
    const key = channelKeys.subscription(permissions.realm.id, user.id, shown.stream_id);
    const record = await app.reads.read<SubscriptionRecord>(key);
    return record === null ? shown : { ...shown, ...toChoices(record) };
  }));
  return [{ ...event, subscriptions: told }];
}
