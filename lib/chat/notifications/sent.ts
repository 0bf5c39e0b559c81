import { durably } from "@/lib/kv/durably.ts";
import type { Entry, Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { readMessage } from "../messages/access.ts";
import { pushJobKeys } from "../messages/push_job.ts";
import { isMarkedRead } from "../messages/read_state.ts";
import { putUser } from "../users/store.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { placeOf, type PushSendJob } from "./push_queue.ts";

/** Where it lies of which messages the devices of an account were told, and what was not taken back from them. */
export const sentKeys = {
  /** The ids of the messages, ascending. */
  sent: (realmId: number, userId: number): Key => [realmId, "push_sent", userId],
  /** The accounts whose devices were told of a message. */
  sentTo: (realmId: number, messageId: number): Key => [realmId, "push_sent_to", messageId],
} as const;

/** The line in which changes of what was sent wait for each other within this process. */
export const SENT_QUEUE = "push sent";
/** Messages of one account that are kept in mind: the newest ones. */
const MAX_SENT = 200;
/** Accounts in one commit: each is read by two keys. */
const AT_ONCE = 25;
/** Longer than any request lasts that began when its account's devices had never been told of anything. */
const SETTLED_MS = 60_000;

/**
 * Ends jobs of one organization of which devices have been told, and notes in the same commit what they were told of.
 */
export async function noteSent(app: ChatApp, jobs: readonly Entry<PushSendJob>[]): Promise<void> {
  const byUser = [...Map.groupBy(jobs, (job) => placeOf(job).userId)];
  for (let at = 0; at < byUser.length; at += AT_ONCE) {
    const some = byUser.slice(at, at + AT_ONCE).map(([userId, own]) => toSent(userId, own));
    await transact(app.store, async (tx) => {
      await Promise.all(some.map((sent) => addSent(app, tx, sent)));
    }, SENT_QUEUE);
    await Promise.all(some.map((sent) => recheck(app, sent)));
  }
}

/** Messages of which the devices of one account were told. */
interface Sent {
  readonly realmId: number;
  readonly userId: number;
  readonly ids: readonly number[];
  /** Where the jobs lie. */
  readonly keys: readonly Key[];
}

function toSent(userId: number, jobs: readonly Entry<PushSendJob>[]): Sent {
  const places = jobs.map(placeOf);
  const ids = [...new Set(places.map(({ messageId }) => messageId))];
  return { realmId: places[0]?.realmId ?? 0, userId, ids, keys: jobs.map(({ key }) => key) };
}

async function addSent(app: ChatApp, tx: Tx, { realmId, userId, ids, keys }: Sent): Promise<void> {
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
  // Requests that are under way do not know it yet.
  tx.set(pushJobKeys.reader(app.clock.now() + SETTLED_MS, realmId, userId), true);
}

/** What was read or deleted while it was on its way found nothing that was noted. */
async function recheck(app: ChatApp, { realmId, userId, ids }: Sent): Promise<void> {
  const are = await Promise.all(ids.map((id) => isOver(app, realmId, { id, userId })));
  if (!are.includes(true)) return;
  const key = pushJobKeys.reader(app.clock.now(), realmId, userId);
  await durably(app.store, () => app.store.kv.set([...key], true));
}

/** Whether an account need not be told of a message any more: it was read or deleted. */
export async function isOver(
  app: ChatApp,
  realmId: number,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const message = await readMessage(app, realmId, id);
  return message === null || await isMarkedRead(app, realmId, { message, userId });
}
