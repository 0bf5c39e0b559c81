import { IntervalSet } from "@/lib/core/interval_set.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { messageHead } from "../channels/subscribe.ts";
import { sendEvent } from "../events/emit.ts";
import { messageKeys } from "../messages/message.ts";
import { changeSet, toSet } from "../messages/read_state.ts";
import type { Caller } from "../users/caller.ts";
import { MAX_MUTED } from "../users/muted_user.ts";
import { accessMuted, mutedQueue, putMuted } from "./access_muted.ts";

/** So many of somebody's latest messages are looked through for those that the muter had marked as unread. */
const MAX_LOOKED_AT = 10_000;
/** Rows that the store gives at once. */
const BATCH = 500;

/**
 * Mutes somebody for the caller alone: what he sent and will send counts as read, wherever it is, with one small write.
 * @throws AppError BAD_REQUEST for himself, nobody, somebody of whom the caller may not know or whom he mutes already,
 * and one more than MAX_MUTED.
 */
export async function muteUser(app: ChatApp, muter: Caller, userId: number): Promise<void> {
  await transact(app.store, async (tx) => {
    const { muted, read_through } = await accessMuted(app, tx, { muter, userId });
    if (muted.some(([id]) => id === userId)) throw new AppError("BAD_REQUEST", "User already muted");
    if (muted.length >= MAX_MUTED) {
      throw new AppError("BAD_REQUEST", `You can mute ${MAX_MUTED} people at most.`);
    }
    const timestamp = Math.floor(app.clock.now() / 1000);
    const record = {
      muted: [...muted, [userId, timestamp] as const],
      read_through: read_through.filter(([id]) => id !== userId),
    };
    putMuted(app, tx, { muter, record });
    await forgetUnread(app, tx, { muter, senderId: userId });
    await tell(app, tx, { muter, senderId: userId });
  }, mutedQueue(muter));
}

/** Takes a sender's messages off the list of those that were marked as unread again. */
async function forgetUnread(
  { store }: ChatApp,
  tx: Tx,
  { muter: { realm, actingUser }, senderId }: { muter: Caller; senderId: number },
): Promise<void> {
  const key = messageKeys.unread(realm.id, actingUser.id);
  const unread = toSet(await tx.get<Uint8Array>(key));
  if (unread.first === undefined || unread.last === undefined) return;
  const sent = messageKeys.sentBy(realm.id, senderId);
  const range = { start: [...sent, unread.first], end: [...sent, unread.last + 1] };
  const ids: number[] = [];
  for await (const entry of store.kv.list(range, { reverse: true, limit: MAX_LOOKED_AT, batchSize: BATCH })) {
    const id = Number(toEntry(entry).key.at(-1));
    if (unread.has(id)) ids.push(id);
  }
  await changeSet(tx, key, (set) => set.subtract(IntervalSet.from(ids)));
}

/** Which messages it is about is worked out for those who are told: there may be very many. */
async function tell(
  { clock }: ChatApp,
  tx: Tx,
  { muter: { realm, actingUser }, senderId }: { muter: Caller; senderId: number },
): Promise<void> {
  const up_to = await messageHead(tx);
  sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
    event: { type: "update_message_flags", op: "add", flag: "read", up_to, sender_id: senderId },
    audience: [actingUser.id],
  });
}
