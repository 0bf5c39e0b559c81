import { IntervalSet } from "@/lib/core/interval_set.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { isReadByMuting, readMutedUsers } from "../users/muted_user.ts";
import { messageKeys, type MessageRecord } from "./message.ts";

/**
 * Whether an account has read a message: unless it marked it as unread again, what it wrote itself, what somebody sent
 * whom it mutes, what is noted for the channel or lies below a mark of everything, and what is noted for the topic or the
 * conversation.
 */
export async function isMarkedRead(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<boolean> {
  const { id, channel_id, read_channel_id = channel_id } = message;
  const [unread, all, muted, channel, noted] = await Promise.all([
    app.reads.read<Uint8Array>(messageKeys.unread(realmId, userId)),
    app.reads.read<number>(messageKeys.readAll(realmId, userId)),
    readMutedUsers(app, realmId, userId),
    read_channel_id === null
      ? null
      : app.reads.read<Uint8Array>(messageKeys.readChannel(realmId, userId, read_channel_id)),
    app.reads.read<Uint8Array>(readKey(realmId, userId, message)),
  ]);
  if (toSet(unread).has(id)) return false;
  if (message.sender_id === userId || (all ?? 0) >= id || isReadByMuting(muted, message)) return true;
  return toSet(channel).has(id) || toSet(noted).has(id);
}

/** Where it is noted that an account has read a message: at the topic that it was first sent to. */
function readKey(realmId: number, userId: number, message: MessageRecord): Key {
  const { channel_id, conversation_id, read_bucket, read_channel_id } = message;
  return channel_id === null
    ? messageKeys.readInConversation(realmId, userId, conversation_id ?? 0)
    : messageKeys.readInTopic(realmId, userId, {
      channelId: read_channel_id ?? channel_id,
      bucket: read_bucket,
    });
}

/** A stored set of ids; empty where none is stored. */
export function toSet(stored: Uint8Array | null): IntervalSet {
  return stored === null ? IntervalSet.empty : IntervalSet.parse(stored);
}

/** Changes a stored set of ids; nothing is written where it stays as it is. */
export async function changeSet(tx: Tx, key: Key, change: (set: IntervalSet) => IntervalSet): Promise<void> {
  const before = toSet(await tx.get<Uint8Array>(key));
  const after = change(before);
  if (after.equals(before)) return;
  if (after.isEmpty) tx.delete(key);
  else tx.set(key, after.serialize());
}

/** Notes that an account has read some messages, or has not. */
export async function markMessages(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  { messages, isRead }: { messages: readonly MessageRecord[]; isRead: boolean },
): Promise<void> {
  const ids = IntervalSet.from(messages.map(({ id }) => id));
  const unread = messageKeys.unread(realmId, userId);
  await changeSet(tx, unread, (set) => isRead ? set.subtract(ids) : set.union(ids));
  if (!isRead) return;
  const byKey = Map.groupBy(messages, (message) => JSON.stringify(readKey(realmId, userId, message)));
  for (const group of byKey.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const own = IntervalSet.from(group.map(({ id }) => id));
    await changeSet(tx, readKey(realmId, userId, first), (set) => set.union(own));
  }
}
