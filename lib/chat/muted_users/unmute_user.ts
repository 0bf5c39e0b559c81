import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { messageHead } from "../channels/subscribe.ts";
import { messageKeys } from "../messages/message.ts";
import type { Caller } from "../users/caller.ts";
import { accessMuted, mutedQueue, putMuted } from "./access_muted.ts";

/** Of more people who were muted once, what the first of them had sent until then is no longer known to be read. */
const MAX_REMEMBERED = 1000;

/**
 * Ends it that the caller mutes somebody: what came until now stays read, what comes from now on does not.
 * @throws AppError BAD_REQUEST for himself, nobody, and somebody of whom the caller may not know or whom he does not mute.
 */
export async function unmuteUser(app: ChatApp, muter: Caller, userId: number): Promise<void> {
  const { realm, actingUser } = muter;
  await transact(app.store, async (tx) => {
    const { muted, read_through } = await accessMuted(app, tx, { muter, userId });
    if (!muted.some(([id]) => id === userId)) throw new AppError("BAD_REQUEST", "User is not muted");
    // What lies below a mark of everything is read anyway.
    const readAll = await tx.peek<number>(messageKeys.readAll(realm.id, actingUser.id)) ?? 0;
    const kept = read_through.filter(([, messageId]) => messageId > readAll);
    const record = {
      muted: muted.filter(([id]) => id !== userId),
      read_through: [...kept, [userId, await messageHead(tx)] as const].slice(-MAX_REMEMBERED),
    };
    putMuted(app, tx, { muter, record });
  }, mutedQueue(muter));
}
