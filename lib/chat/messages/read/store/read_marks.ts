import { IntervalSet } from "@/lib/core/interval_set.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { isReadByMuting, readMutedUsers } from "@/lib/chat/muted_users.ts";
import { messageKeys, type MessageRecord } from "../../model.ts";
import { parseIdSet, updateIdSet } from "./id_sets.ts";
import {
  createThreadSetsReader,
  type MarksOwner,
  type ReadTarget,
  toThreadKey,
  updateThreadSet,
} from "./thread_sets.ts";

/**
 * Returns whether a user has read a message. An unread mark overrides everything else; otherwise their own
 * messages, messages of muted users, marks of everything, of the channel, and of the topic or conversation
 * count.
 */
export async function isMarkedRead(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<boolean> {
  const [isRead = false] = await createReadMarksReader(app, { realmId, userId })([message]);
  return isRead;
}

/** Returns for each message whether a user has read it, as `isMarkedRead` does. */
export type ReadMarksReader = (messages: readonly MessageRecord[]) => Promise<boolean[]>;

/** Creates a reader that reads each mark of a user once. */
export function createReadMarksReader(app: ChatApp, owner: MarksOwner): ReadMarksReader {
  const { realmId, userId } = owner;
  const readThreads = createThreadSetsReader(app, owner);
  const readOverall = () =>
    Promise.all([
      app.reads.read<Uint8Array>(messageKeys.unread(realmId, userId)).then(parseIdSet),
      app.reads.read<number>(messageKeys.readAll(realmId, userId)),
      readMutedUsers(app, realmId, userId),
    ]);
  let overall: ReturnType<typeof readOverall> | undefined;
  return async (messages) => {
    const [[unread, readAll, muted], sets] = await Promise.all([
      overall ??= readOverall(),
      readThreads(messages),
    ]);
    return messages.map((message, at) => {
      const { id, sender_id } = message;
      if (unread.has(id)) return false;
      if (sender_id === userId || (readAll ?? 0) >= id || isReadByMuting(muted, message)) return true;
      return sets[at]?.some((marked) => marked.has(id)) === true;
    });
  };
}

/** Writes that a user has read messages, or marked them as unread. */
export async function writeReadMarks(
  tx: Tx,
  owner: MarksOwner,
  { messages, isRead }: { messages: readonly ReadTarget[]; isRead: boolean },
): Promise<void> {
  const ids = IntervalSet.from(messages.map(({ id }) => id));
  const unread = messageKeys.unread(owner.realmId, owner.userId);
  await updateIdSet(tx, unread, (set) => isRead ? set.subtract(ids) : set.union(ids));
  if (!isRead) return;
  const byKey = Map.groupBy(messages, (message) => JSON.stringify(toThreadKey(owner, message)));
  for (const group of byKey.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const own = IntervalSet.from(group.map(({ id }) => id));
    await updateThreadSet(tx, owner, { key: toThreadKey(owner, first), change: (set) => set.union(own) });
  }
}
