import type { ChatApp } from "@/lib/chat/app.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { listAllSubscriptions } from "@/lib/chat/channels/subscriptions/store.ts";
import type { MessageReader } from "@/lib/chat/messages/model.ts";
import { lazily } from "@/lib/core/lazily.ts";
import { isBelow, type Key, toValue } from "@/lib/store/key.ts";

/** Number of channels that are read singly; more come from the list of all, as do the reader's subscriptions. */
const MAX_SINGLE = 4;

/**
 * Returns the app for one request of a reader with other reads of channels and of the reader's subscriptions: from
 * many on, they come from lists. A key is expected to be read once.
 */
export function withListedChannels(app: ChatApp, { realm, user }: MessageReader): ChatApp {
  const channels = createListedReads(channelKeys.channels(realm.id), async () => {
    return (await readChannelList(app, realm.id)).byId;
  });
  const subscriptions = createListedReads(
    channelKeys.subscriptions(realm.id, user.id),
    () => listAllSubscriptions(app, realm.id, user.id),
  );
  const read = async <T>(key: Key): Promise<T | null> => {
    const listed = channels(key) ?? subscriptions(key);
    return listed === null ? await app.reads.read<T>(key) : toValue<T | null>(await listed);
  };
  return { ...app, reads: { read } };
}

/** Creates reads of the records below a prefix; null for a key that is to be read singly, and for other keys. */
function createListedReads(
  prefix: Key,
  list: () => Promise<ReadonlyMap<number, unknown>>,
): (key: Key) => Promise<unknown> | null {
  const readList = lazily(list);
  let count = 0;
  return (key) => {
    if (!isBelow(prefix, key) || ++count <= MAX_SINGLE) return null;
    return readList().then((byId) => byId.get(Number(key.at(-1))) ?? null);
  };
}
