import { callerOf } from "@/tests/casts/user_groups_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { addChannel, addSubscriptions } from "@/tests/seeding/seed_people.ts";

/** Public channels of the owner with the same description and subscribers. */
export interface SeededChannels {
  readonly names: readonly string[];
  readonly description: string;
  readonly subscribers: readonly number[];
}

/** Creates channels with subscribers, without notices and events of either, and returns the channels' ids. */
export async function seedChannels(
  chat: TestChat,
  { names, description, subscribers }: SeededChannels,
): Promise<number[]> {
  const { services, realm, owner } = chat;
  const caller = await callerOf(chat, owner);
  const ids: number[] = [];
  for (const name of names) {
    ids.push((await addChannel(services.chat, caller, { name, description })).id);
  }
  const subscriptions = ids.flatMap((channelId) =>
    subscribers.map((userId) => ({ channelId, userId, from: 1 }))
  );
  await addSubscriptions(services.store, realm, subscriptions);
  return ids;
}
