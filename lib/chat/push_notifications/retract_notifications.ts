import { durably } from "@/lib/store/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { deleteDue } from "@/lib/store/due_worker.ts";
import type { ChatApp } from "../app.ts";
import { pushJobKeys } from "../messages/push_jobs.ts";
import { userKeys, type UserRecord } from "../users/model.ts";
import { putUser } from "../users/store.ts";
import { createLookupCache } from "./lookup_cache.ts";
import { type PushRemovalSend, sendKeys, type SendTarget, sentKeys } from "./model.ts";
import { chunkRemovedIds } from "./payload.ts";
import { isObsolete, SENT_LOCK } from "./sent_notifications.ts";
import { listReachableDeviceIds } from "./store.ts";

/** Number of rows in one commit. */
const COMMIT_ROWS = 400;

/**
 * Handles the leased job of a user who has read messages: enqueues retractions, for each of their devices, of
 * messages that are read or deleted by now. The same commit removes their records, so each is retracted once.
 */
export async function retractNotifications(app: ChatApp, { key }: Entry<true>): Promise<void> {
  const [realmId = 0, userId = 0] = key.slice(2).map(Number);
  await transact(app.store, async (tx) => {
    // A checked read: if the user reads more at this moment, the transaction is retried.
    if (await tx.get(key) === null) return;
    tx.delete(key);
    const sent = await tx.get<readonly number[]>(sentKeys.sent(realmId, userId)) ?? [];
    const devices = await listReachableDeviceIds(app, realmId, userId);
    const obsolete = devices.length === 0 ? sent : await listObsolete(app, realmId, { sent, userId });
    const left = sent.filter((id) => !obsolete.includes(id));
    if (left.length === 0) tx.delete(sentKeys.sent(realmId, userId));
    else if (obsolete.length > 0) tx.set(sentKeys.sent(realmId, userId), left);
    for (const id of obsolete) tx.delete([...sentKeys.sentTo(realmId, id), userId]);
    for (const deviceId of devices) enqueueRemovals(app, tx, { realmId, userId, deviceId, obsolete });
    if (devices.length === 0) await clearNotifiedFlag(tx, realmId, userId);
  }, SENT_LOCK);
}

/** Clears `is_notified`: reads of the user enqueue nothing until one of their devices is notified again. */
async function clearNotifiedFlag(tx: Tx, realmId: number, userId: number): Promise<void> {
  const user = await tx.get<UserRecord>(userKeys.user(realmId, userId));
  if (user?.is_notified !== true) return;
  const { is_notified: _, ...rest } = user;
  await putUser(tx, realmId, rest);
}

async function listObsolete(
  app: ChatApp,
  realmId: number,
  { sent, userId }: { sent: readonly number[]; userId: number },
): Promise<number[]> {
  // Most messages need the same records.
  const cached = { ...app, reads: createLookupCache(app).reads };
  const flags = await Promise.all(sent.map((id) => isObsolete(cached, realmId, { id, userId })));
  return sent.filter((_, at) => flags[at] === true);
}

function enqueueRemovals(
  { clock }: ChatApp,
  tx: Tx,
  { obsolete, ...device }: Omit<SendTarget, "messageId"> & { readonly obsolete: readonly number[] },
): void {
  const now = clock.now();
  for (const removed of chunkRemovedIds(obsolete)) {
    const job: PushRemovalSend = { removed, attempts: 0, sent_at: now };
    tx.set(sendKeys.removal(now, { ...device, messageId: removed[0] ?? 0 }), job);
  }
}

/**
 * Handles the leased job of a deleted message: enqueues a job for each user whose devices were notified of
 * it.
 */
export async function retractDeletedMessage(app: ChatApp, claimed: Entry<true>): Promise<void> {
  const [realmId = 0, messageId = 0] = claimed.key.slice(2).map(Number);
  const { kv } = app.store;
  const now = app.clock.now();
  let readers: Key[] = [];
  const flush = async () => {
    const batch = readers;
    readers = [];
    await durably(app.store, () => {
      const atomic = kv.atomic();
      for (const reader of batch) atomic.set([...reader], true);
      return atomic.commit();
    });
  };
  const prefix = [...sentKeys.sentTo(realmId, messageId)];
  for await (const entry of kv.list({ prefix }, { batchSize: COMMIT_ROWS })) {
    const userId = Number(toEntry(entry).key.at(-1));
    if (readers.push(pushJobKeys.reader(now, realmId, userId)) === COMMIT_ROWS) await flush();
  }
  if (readers.length > 0) await flush();
  await deleteDue(app.store, [claimed]);
}
