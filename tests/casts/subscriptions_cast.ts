import { channelNames } from "@/lib/chat/channels/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { subscribe } from "@/lib/chat/channels/subscriptions/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";

/** Properties and subscribers of a stored channel. */
export interface StoredChannel extends Partial<Omit<ChannelRecord, "id">> {
  readonly subscribers?: readonly TestUser[];
}

/** Writes a channel to the store without any checks and returns its id. */
export async function putChannel(chat: TestChat, properties: StoredChannel = {}): Promise<number> {
  const { subscribers = [], ...rest } = properties;
  return await transact(chat.services.store, async (tx) => {
    const id = await tx.nextId("channel");
    const invite_only = properties.invite_only ?? false;
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
    tx.set(channelNames.key(chat.realm.id, channel.name), id);
    for (const { id: userId } of subscribers) await subscribe(tx, { realm: chat.realm }, { channel, userId });
    return id;
  });
}

/** Changes a stored channel without any checks. */
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

/** Reads a user's stored subscription, or null. */
export function readSubscription(
  chat: TestChat,
  { id }: TestUser,
  channelId: number,
): Promise<SubscriptionRecord | null> {
  return readRecord(chat.services.store.kv, channelKeys.subscription(chat.realm.id, id, channelId));
}
