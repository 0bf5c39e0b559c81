import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys } from "./channel.ts";

/** How many accounts are subscribed to a channel, deactivated ones among them. */
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

/** How many accounts are subscribed to each channel of an organization, by its id; where nobody ever was, none stands. */
export async function listSubscriberCounts(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const listing = store.kv.list({ prefix: [...channelKeys.subscriberCounts(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<Deno.KvU64>(entry);
    const [channelId, kind] = key.slice(-2);
    if (typeof channelId !== "number") continue;
    const amount = kind === "joined" ? Number(value.value) : -Number(value.value);
    counts.set(channelId, (counts.get(channelId) ?? 0) + amount);
  }
  return counts;
}
