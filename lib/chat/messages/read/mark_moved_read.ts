import { IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import { enqueueReadRetraction } from "../push_jobs.ts";
import { writeReadMarks } from "./store/read_marks.ts";

/** A channel, or one of its topics by folded name. */
export interface ReadScope {
  readonly channelId: number;
  readonly bucket?: string;
}

/** Number of messages that one commit marks. */
const MESSAGES_PER_COMMIT = 400;
/**
 * Maximum number of moved-out messages that stay unread, newest first, so that the id set fits into one
 * record.
 */
const MAX_MOVED_OUT = 5000;

/**
 * Marks messages in a scope as read that were first sent elsewhere, as their read state is stored under their
 * original topic. Very many messages take several commits.
 */
export async function markMovedMessagesRead(
  app: ChatApp,
  { realmId, user }: { realmId: number; user: UserRecord },
  scope: ReadScope,
): Promise<void> {
  const prefix = toScopePrefix(messageKeys.movedInto(realmId, { bucket: "", ...scope }), scope);
  let ids: number[] = [];
  const mark = async () => {
    const read = await Promise.all(
      ids.map((id) => app.reads.read<MessageRecord>(messageKeys.message(realmId, id))),
    );
    ids = [];
    const messages = read.filter((message) => message !== null).filter((message) =>
      scope.bucket !== undefined || message.read_channel_id !== undefined
    );
    if (messages.length === 0) return;
    await transact(app.store, async (tx) => {
      await writeReadMarks(tx, { realmId, userId: user.id }, { messages, isRead: true });
      enqueueReadRetraction(tx, { realmId, user, now: app.clock.now() });
    });
  };
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: MESSAGES_PER_COMMIT })) {
    if (ids.push(Number(toEntry(entry).key.at(-1))) === MESSAGES_PER_COMMIT) await mark();
  }
  await mark();
}

/** Lists the messages that were first sent to a scope and are in another one now. */
async function listMovedOutIds(app: ChatApp, realmId: number, scope: ReadScope): Promise<IntervalSet> {
  const prefix = toScopePrefix(messageKeys.movedOut(realmId, { bucket: "", ...scope }), scope);
  const ids: number[] = [];
  const options = { reverse: true, limit: MAX_MOVED_OUT, batchSize: MESSAGES_PER_COMMIT };
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, options)) {
    const { key, value } = toEntry<number>(entry);
    if (scope.bucket !== undefined || value !== scope.channelId) ids.push(Number(key.at(-1)));
  }
  return IntervalSet.from(ids);
}

/** Returns all ids up to a message, except those that were moved out of the scope. */
export async function computeReadIds(
  app: ChatApp,
  realmId: number,
  { head, scope }: { head: number; scope: ReadScope },
): Promise<IntervalSet> {
  return IntervalSet.of(0, head).subtract(await listMovedOutIds(app, realmId, scope));
}

/** Drops the topic from the key for a whole channel. */
function toScopePrefix(key: Key, { bucket }: ReadScope): Key {
  return bucket === undefined ? key.slice(0, -1) : key;
}
