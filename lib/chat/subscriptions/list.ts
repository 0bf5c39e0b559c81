import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { listSubscribers } from "../channels/audience.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "../channels/channel.ts";
import { toChannels } from "../channels/list.ts";
import { peekGroupWorld } from "../permissions/group_world.ts";
import { listUsers } from "../users/store.ts";
import type { SubscriptionCaller } from "./caller.ts";
import { toListedSubscription } from "./view.ts";

/** The channels in use that the caller is subscribed to as the API shows them, by id. */
export async function listSubscriptions(
  app: ChatApp,
  { realm, actingUser }: SubscriptionCaller,
  { includeSubscribers }: { includeSubscribers: boolean },
) {
  const world = await peekGroupWorld(app, realm);
  const records = await readSubscriptions(app, realm.id, actingUser.id);
  const channels = await Promise.all(
    Array.from(records.keys(), (id) => app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id))),
  );
  const used = channels.filter((channel) => channel !== null).filter((channel) => !channel.is_archived);
  const views = await toChannels(app, world, used);
  const active = includeSubscribers ? await readActiveIds(app, realm.id) : null;
  const listed = [];
  for (const view of views) {
    const record = records.get(view.stream_id);
    if (record === undefined) continue;
    const ids = active === null ? undefined : await listSubscribers(app, realm.id, view.stream_id);
    listed.push(toListedSubscription(view, record, ids?.filter((id) => active?.has(id))));
  }
  return listed;
}

/** The ids of an organization's active accounts. */
export async function readActiveIds(app: ChatApp, realmId: number): Promise<ReadonlySet<number>> {
  const users = await listUsers(app, realmId);
  return new Set(users.filter((user) => user.is_active).map(({ id }) => id));
}

/** The subscriptions of an account that hold, by their channels' ids, ascending. */
async function readSubscriptions(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  userId: number,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  const records = new Map<number, SubscriptionRecord>();
  const prefix = [...channelKeys.subscriptions(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SubscriptionRecord>(entry);
    const id = key.at(-1);
    if (value.is_active && typeof id === "number") records.set(id, value);
  }
  return records;
}
