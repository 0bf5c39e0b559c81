import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import { isMarkedRead } from "@/lib/chat/messages/read_marks.ts";
import { readMessage } from "@/lib/chat/messages/store.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { getSendTarget, type PushRemovalSend, type PushSendJob, sendKeys, sentKeys } from "./model.ts";
import { createLookupCache, listReachableDeviceIds } from "./notification_reason.ts";
import { deleteDue } from "@/lib/store/due_worker.ts";
import { chunkRemovedIds } from "./payload.ts";

/** Name of the in-process lock for changes of sent notifications. */
const SENT_LOCK = "push sent";
/** Maximum number of messages recorded for one user: the newest ones. */
const MAX_SENT = 200;
/** Number of users per commit; each takes two reads. */
const USERS_AT_ONCE = 25;
/** Longer than any request that began before a user's first notification was recorded, in milliseconds. */
const SETTLED_MS = 60_000;

/** Finishes delivered jobs of an organization and records their messages in the same commit. */
export async function recordSent(app: ChatApp, jobs: readonly Entry<PushSendJob>[]): Promise<void> {
  const byUser = Map.groupBy(jobs, (job) => getSendTarget(job).userId);
  const sentToUsers = Array.from(byUser, ([userId, own]): SentToUser => {
    const targets = own.map(getSendTarget);
    const ids = [...new Set(targets.map(({ messageId }) => messageId))];
    return { realmId: targets[0]?.realmId ?? 0, userId, ids, keys: own.map(({ key }) => key) };
  });
  for (const batch of chunk(sentToUsers, USERS_AT_ONCE)) {
    await transact(app.store, async (tx) => {
      await Promise.all(batch.map((sent) => addSent(app, tx, sent)));
    }, SENT_LOCK);
    await Promise.all(batch.map((sent) => recheck(app, sent)));
  }
}

/** Messages that one user's devices were notified of. */
interface SentToUser {
  readonly realmId: number;
  readonly userId: number;
  readonly ids: readonly number[];
  readonly keys: readonly Key[];
}

async function addSent(app: ChatApp, tx: Tx, { realmId, userId, ids, keys }: SentToUser): Promise<void> {
  for (const key of keys) tx.delete(key);
  const before = await tx.get<readonly number[]>(sentKeys.sent(realmId, userId)) ?? [];
  const all = [...new Set([...before, ...ids])].sort((a, b) => a - b);
  const kept = all.slice(-MAX_SENT);
  for (const id of kept) if (ids.includes(id)) tx.set([...sentKeys.sentTo(realmId, id), userId], true);
  for (const id of all.slice(0, -MAX_SENT)) tx.delete([...sentKeys.sentTo(realmId, id), userId]);
  if (kept.length !== before.length || kept.some((id, at) => id !== before[at])) {
    tx.set(sentKeys.sent(realmId, userId), kept);
  }
  const user = await tx.get<UserRecord>(userKeys.user(realmId, userId));
  if (user === null || user.is_notified === true) return;
  await putUser(tx, realmId, { ...user, is_notified: true });
  // Requests that are already running have read the user without the flag.
  tx.set(pushJobKeys.reader(app.clock.now() + SETTLED_MS, realmId, userId), true);
}

/** Enqueues a retraction if a message was read or deleted during delivery, before it was recorded. */
async function recheck(app: ChatApp, { realmId, userId, ids }: SentToUser): Promise<void> {
  const obsolete = await Promise.all(ids.map((id) => isObsolete(app, realmId, { id, userId })));
  if (!obsolete.includes(true)) return;
  const key = pushJobKeys.reader(app.clock.now(), realmId, userId);
  await durably(app.store, () => app.store.kv.set([...key], true));
}

/** Returns whether a notification is obsolete because the user read the message or it was deleted. */
async function isObsolete(
  app: ChatApp,
  realmId: number,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const message = await readMessage(app, realmId, id);
  return message === null || await isMarkedRead(app, realmId, { message, userId });
}

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
    const now = app.clock.now();
    for (const deviceId of devices) {
      for (const removed of chunkRemovedIds(obsolete)) {
        const job: PushRemovalSend = { removed, attempts: 0, sent_at: now };
        const target = { realmId, userId, deviceId, messageId: removed[0] ?? 0 };
        tx.set(sendKeys.removal(now, target), job);
      }
    }
    if (devices.length > 0) return;
    // Reads of the user enqueue nothing until one of their devices is notified again.
    const user = await tx.get<UserRecord>(userKeys.user(realmId, userId));
    if (user?.is_notified !== true) return;
    const { is_notified: _, ...rest } = user;
    await putUser(tx, realmId, rest);
  }, SENT_LOCK);
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

/** Handles the job of a deleted message: enqueues one for each user whose devices were notified. */
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
