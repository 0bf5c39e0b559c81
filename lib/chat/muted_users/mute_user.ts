import { AppError } from "@/lib/core/errors.ts";
import { IntervalSet } from "@/lib/core/interval_set.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { messageKeys } from "../messages/model.ts";
import { parseIdSet, updateIdSet } from "../messages/read_marks.ts";
import type { Caller } from "../users/model.ts";
import { sendMutedUsersEvent, sendSenderReadEvent } from "./events.ts";
import { MAX_MUTED_USERS, mutedUsersKey, mutedUsersLock } from "./model.ts";
import { accessMutedUsers } from "./store.ts";

/** Number of the muted user's latest messages that are searched for messages marked as unread. */
const MAX_SCANNED_MESSAGES = 10_000;
/** Entries per read of the store. */
const BATCH = 500;

/**
 * Mutes a user for the caller: all their past and future messages count as read, without a write per message.
 * @throws AppError BAD_REQUEST for the caller, an unknown, inaccessible or already muted user, and too many
 * muted users.
 */
export async function muteUser(app: ChatApp, caller: Caller, userId: number): Promise<void> {
  const { realm, actingUser } = caller;
  await transact(app.store, async (tx) => {
    const { muted, read_through } = await accessMutedUsers(app, tx, { caller, userId });
    if (muted.some(([id]) => id === userId)) throw new AppError("BAD_REQUEST", "User already muted");
    if (muted.length >= MAX_MUTED_USERS) {
      throw new AppError("BAD_REQUEST", `You can mute ${MAX_MUTED_USERS} people at most.`);
    }
    const timestamp = Math.floor(app.clock.now() / 1000);
    const record = {
      muted: [...muted, [userId, timestamp] as const],
      read_through: read_through.filter(([id]) => id !== userId),
    };
    tx.set(mutedUsersKey(realm.id, actingUser.id), record);
    sendMutedUsersEvent(app, tx, { caller, record });
    await clearUnreadMarks(app, tx, { caller, senderId: userId });
    await sendSenderReadEvent(app, tx, { caller, senderId: userId });
  }, mutedUsersLock(caller));
}

/** Removes the sender's messages from those that the caller has marked as unread. */
async function clearUnreadMarks(
  { store }: ChatApp,
  tx: Tx,
  { caller: { realm, actingUser }, senderId }: { caller: Caller; senderId: number },
): Promise<void> {
  const key = messageKeys.unread(realm.id, actingUser.id);
  const unread = parseIdSet(await tx.get<Uint8Array>(key));
  if (unread.first === undefined || unread.last === undefined) return;
  const sent = messageKeys.sentBy(realm.id, senderId);
  const range = { start: [...sent, unread.first], end: [...sent, unread.last + 1] };
  const options = { reverse: true, limit: MAX_SCANNED_MESSAGES, batchSize: BATCH };
  const ids: number[] = [];
  for await (const entry of store.kv.list(range, options)) {
    const id = Number(toEntry(entry).key.at(-1));
    if (unread.has(id)) ids.push(id);
  }
  await updateIdSet(tx, key, (set) => set.subtract(IntervalSet.from(ids)));
}
