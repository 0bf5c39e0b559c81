import { chunk } from "es-toolkit/array/chunk";
import { durably } from "@/lib/store/durably.ts";
import type { Entry, Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { pushJobKeys } from "../messages/push_jobs.ts";
import { isMarkedRead } from "../messages/read_marks.ts";
import { readMessage } from "../messages/store.ts";
import { userKeys, type UserRecord } from "../users/model.ts";
import { putUser } from "../users/store.ts";
import { getSendTarget, type PushSendJob, sentKeys } from "./model.ts";

/** Name of the in-process lock for changes of sent notifications. */
export const SENT_LOCK = "push sent";
/** Maximum number of messages recorded for one user: the newest ones. */
const MAX_SENT = 200;
/** Number of users per commit; each takes two reads. */
const USERS_AT_ONCE = 25;
/** Longer than any request that began before a user's first notification was recorded, in milliseconds. */
const SETTLED_MS = 60_000;

/**
 * Finishes delivered jobs of one organization and records, in the same commit, the messages they notified of.
 */
export async function recordSent(app: ChatApp, jobs: readonly Entry<PushSendJob>[]): Promise<void> {
  const byUser = Map.groupBy(jobs, (job) => getSendTarget(job).userId);
  const sentToUsers = Array.from(byUser, ([userId, own]) => toSentToUser(userId, own));
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
  /** Keys of the jobs. */
  readonly keys: readonly Key[];
}

function toSentToUser(userId: number, jobs: readonly Entry<PushSendJob>[]): SentToUser {
  const targets = jobs.map(getSendTarget);
  const ids = [...new Set(targets.map(({ messageId }) => messageId))];
  return { realmId: targets[0]?.realmId ?? 0, userId, ids, keys: jobs.map(({ key }) => key) };
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
export async function isObsolete(
  app: ChatApp,
  realmId: number,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const message = await readMessage(app, realmId, id);
  return message === null || await isMarkedRead(app, realmId, { message, userId });
}
