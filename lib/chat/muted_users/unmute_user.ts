import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { readMessageHead } from "../channels/subscriptions/store.ts";
import { messageKeys } from "../messages/model.ts";
import type { Caller } from "../users/model.ts";
import { sendMutedUsersEvent } from "./events.ts";
import { mutedUsersKey, mutedUsersLock, type MutedUsersRecord } from "./model.ts";
import { accessMutedUsers } from "./store.ts";

/** Maximum number of formerly muted users whose earlier messages stay read; the oldest are dropped. */
const MAX_FORMERLY_MUTED = 1000;

/**
 * Unmutes a user for the caller: their earlier messages stay read, new ones are unread.
 * @throws AppError BAD_REQUEST for the caller, an unknown or inaccessible user, and a user who is not muted.
 */
export async function unmuteUser(app: ChatApp, caller: Caller, userId: number): Promise<void> {
  const { realm, actingUser } = caller;
  await transact(app.store, async (tx) => {
    const { muted, read_through } = await accessMutedUsers(app, tx, { caller, userId });
    if (!muted.some(([id]) => id === userId)) throw new AppError("BAD_REQUEST", "User is not muted");
    // Messages up to `readAll` are read anyway.
    const readAll = await tx.peek<number>(messageKeys.readAll(realm.id, actingUser.id)) ?? 0;
    const remaining = read_through.filter(([, messageId]) => messageId > readAll);
    const record: MutedUsersRecord = {
      muted: muted.filter(([id]) => id !== userId),
      read_through: [...remaining, [userId, await readMessageHead(tx)] as const].slice(-MAX_FORMERLY_MUTED),
    };
    tx.set(mutedUsersKey(realm.id, actingUser.id), record);
    sendMutedUsersEvent(app, tx, { caller, record });
  }, mutedUsersLock(caller));
}
