import { IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, toEntry } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { UserRecord } from "../users/user.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import { noteRead } from "./push_job.ts";
import { markMessages } from "./read_state.ts";

/** A channel, or one of its topics where it is named: folded. */
export interface ReadPlace {
  readonly channelId: number;
  readonly bucket?: string;
}

/** Messages that one commit marks. */
const AT_ONCE = 400;
/** Of more messages that were moved away only the newest stay unread: a set of ids must fit into one record. */
const MAX_AWAY = 5000;

/**
 * Marks those messages of a place as read that were first sent to another one: what is noted for the place itself does
 * not count for them. Very many take several commits.
 */
export async function markMovedRead(
  app: ChatApp,
  { realmId, user }: { realmId: number; user: UserRecord },
  place: ReadPlace,
): Promise<void> {
  const prefix = prefixOf(messageKeys.movedInto(realmId, { bucket: "", ...place }), place);
  let ids: number[] = [];
  const mark = async () => {
    const read = await Promise.all(
      ids.map((id) => app.reads.read<MessageRecord>(messageKeys.message(realmId, id))),
    );
    ids = [];
    const messages = read.filter((message) => message !== null).filter((message) =>
      place.bucket !== undefined || message.read_channel_id !== undefined
    );
    if (messages.length === 0) return;
    await transact(app.store, async (tx) => {
      await markMessages(tx, { realmId, userId: user.id }, { messages, isRead: true });
      noteRead(tx, { realmId, user, now: app.clock.now() });
    });
  };
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: AT_ONCE })) {
    if (ids.push(Number(toEntry(entry).key.at(-1))) === AT_ONCE) await mark();
  }
  await mark();
}

/** The messages that were first sent to a place and are not in it any more. */
async function movedAwayFrom(app: ChatApp, realmId: number, place: ReadPlace): Promise<IntervalSet> {
  const prefix = prefixOf(messageKeys.movedOut(realmId, { bucket: "", ...place }), place);
  const ids: number[] = [];
  const options = { reverse: true, limit: MAX_AWAY, batchSize: AT_ONCE };
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, options)) {
    const { key, value } = toEntry<number>(entry);
    if (place.bucket !== undefined || value !== place.channelId) ids.push(Number(key.at(-1)));
  }
  return IntervalSet.from(ids);
}

/** Everything up to a message, but for what is elsewhere now. */
export async function upTo(
  app: ChatApp,
  realmId: number,
  { head, place }: { head: number; place: ReadPlace },
): Promise<IntervalSet> {
  return IntervalSet.of(0, head).subtract(await movedAwayFrom(app, realmId, place));
}

/** Of a whole channel, the key without the topic. */
function prefixOf(key: Key, { bucket }: ReadPlace): Key {
  return bucket === undefined ? key.slice(0, -1) : key;
}
