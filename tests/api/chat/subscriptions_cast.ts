import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "@/lib/chat/channels/channel.ts";
import { subscribe } from "@/lib/chat/channels/subscribe.ts";
import { transact } from "@/lib/kv/transact.ts";
import { readRecord } from "@/lib/kv/key.ts";
import type { Person, TestChat } from "@/tests/helpers/chat.ts";

/** What a test wants of a channel, and who is subscribed to it. */
export interface WantedChannel extends Partial<Omit<ChannelRecord, "id">> {
  readonly subscribers?: readonly Person[];
}

/** Puts a channel into the store as it stands, whoever could have made it, and gives its id. */
export async function putChannel(chat: TestChat, wanted: WantedChannel = {}): Promise<number> {
  const { subscribers = [], ...rest } = wanted;
  return await transact(chat.services.store, async (tx) => {
    const id = await tx.nextId("channel");
    const invite_only = wanted.invite_only ?? false;
    const channel: ChannelRecord = {
      id,
      name: `channel ${id}`,
      description: "",
      creator_id: null,
      date_created: chat.clock.time,
      invite_only,
      is_web_public: false,
      history_public_to_subscribers: !invite_only,
      message_retention_days: null,
      folder_id: null,
      is_archived: false,
      topics_policy: "inherit",
      permissions: {},
      ...rest,
    };
    tx.set(channelKeys.channel(chat.realm.id, id), channel);
    tx.set(channelKeys.byName(chat.realm.id, channel.name), id);
    for (const { id: userId } of subscribers) await subscribe(tx, { realm: chat.realm }, { channel, userId });
    return id;
  });
}

/** Changes a channel's record as it stands. */
export async function patchChannel(
  chat: TestChat,
  id: number,
  changes: Partial<ChannelRecord>,
): Promise<void> {
  await transact(chat.services.store, async (tx) => {
    const key = channelKeys.channel(chat.realm.id, id);
    tx.set(key, { ...await tx.get<ChannelRecord>(key), ...changes });
  });
}

/** Somebody's subscription as it is stored, or null. */
export function readSubscription(
  chat: TestChat,
  { id }: Person,
  channelId: number,
): Promise<SubscriptionRecord | null> {
  return readRecord(chat.services.store.kv, channelKeys.subscription(chat.realm.id, id, channelId));
}
