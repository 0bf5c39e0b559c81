import type { ChatApp } from "@/lib/chat/app.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { cacheReads } from "@/lib/chat/messages/read/cache_reads.ts";
import { isBelow, type Key, toValue } from "@/lib/store/key.ts";
import { readSubscriptions } from "./channel_state.ts";
import type { StateContext } from "./model.ts";

/**
 * Returns the app with a read cache as `cacheReads` does, in which the organization's channels and the caller's
 * subscriptions are those of the state, so that checking messages does not read them again.
 */
export async function withKnownReads({ app, realm, user, share }: StateContext): Promise<ChatApp> {
  const [{ byId }, subscriptions] = await Promise.all([
    readChannelList(app, realm.id),
    share(readSubscriptions),
  ]);
  const channelPrefix = channelKeys.channels(realm.id);
  const subscriptionPrefix = channelKeys.subscriptions(realm.id, user.id);
  const read = <T>(key: Key): Promise<T | null> => {
    const id = Number(key.at(-1));
    if (isBelow(subscriptionPrefix, key)) {
      return Promise.resolve(toValue<T | null>(subscriptions.get(id) ?? null));
    }
    const channel = isBelow(channelPrefix, key) ? byId.get(id) : undefined;
    return channel === undefined ? app.reads.read<T>(key) : Promise.resolve(toValue<T>(channel));
  };
  return cacheReads({ ...app, reads: { read } });
}
