import { channelNames } from "@/lib/chat/channels/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { toEntry } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import {
  BATCH,
  compareIndex,
  type Complain,
  indexBelow,
  sumsBelow,
} from "@/lib/chat/organization/check_index.ts";

/**
 * Compares names, subscribers and subscriber counts with an organization's channels and subscriptions;
 * returns the channels.
 */
export async function checkChannels(
  kv: Kv,
  realmId: number,
  complain: Complain,
): Promise<readonly ChannelRecord[]> {
  const channels = await listValues<ChannelRecord>(kv, channelKeys.channels(realmId));
  await channelNames.check(kv, { realmId, named: channels }, complain);
  await checkSubscribers(kv, realmId, { complain, channelIds: new Set(channels.map(({ id }) => id)) });
  return channels;
}

async function checkSubscribers(
  kv: Kv,
  realmId: number,
  { complain, channelIds }: { complain: Complain; channelIds: ReadonlySet<number> },
): Promise<void> {
  const wanted: [string, true][] = [];
  const counts = new Map<number, number>();
  for await (const entry of kv.list({ prefix: [realmId, "subscription"] }, { batchSize: BATCH })) {
    const { key, value } = toEntry<SubscriptionRecord>(entry);
    const [userId, channelId] = [Number(key[2]), Number(key[3])];
    if (!channelIds.has(channelId)) {
      complain(`user ${userId} is subscribed to channel ${channelId}, which does not exist.`);
    }
    if (!value.is_active) continue;
    wanted.push([`${channelId} ${userId}`, true]);
    counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
  }
  const found = await indexBelow(kv, [realmId, "subscriber"]);
  compareIndex(complain, "lists of subscribers", { wanted, found });
  compareIndex(complain, "numbers of subscribers", {
    wanted: [...counts].map(([channelId, count]) => [String(channelId), count]),
    found: await subscriberCounts(kv, realmId),
  });
}

/** Subscriptions minus unsubscriptions by channel, where the difference is not 0. */
async function subscriberCounts(kv: Kv, realmId: number): Promise<[string, unknown][]> {
  const counts = new Map<string, number>();
  for (const [name, sum] of await sumsBelow(kv, channelKeys.subscriberCounts(realmId))) {
    const [channelId = "", kind] = name.split(" ");
    counts.set(channelId, (counts.get(channelId) ?? 0) + (kind === "joined" ? 1 : -1) * Number(sum));
  }
  return [...counts].filter(([, count]) => count !== 0);
}
