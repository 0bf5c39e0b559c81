import { durably } from "@/lib/kv/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { pushJobKeys } from "../messages/push_job.ts";
import { putUser } from "../users/store.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { createLookups } from "./lookups.ts";
import { inRemovals } from "./payload.ts";
import { finish, type PushRemovalSend, sendKeys, type SendPlace } from "./push_queue.ts";
import { listDevices } from "./receivers.ts";
import { isOver, SENT_QUEUE, sentKeys } from "./sent.ts";

/** Rows that one commit writes. */
const AT_ONCE = 400;

/**
 * Makes, of one claimed account that has read something, a job for each of its devices: to take back what it was told of
 * messages that are read or deleted by now. What is taken back is forgotten in the same commit, so that it is once.
 */
export async function retractNotification(app: ChatApp, { key }: Entry<true>): Promise<void> {
  const [realmId = 0, userId = 0] = key.slice(2).map(Number);
  await transact(app.store, async (tx) => {
    // Checked: whoever reads more at this moment has it looked for once more.
    if (await tx.get(key) === null) return;
    tx.delete(key);
    const sent = await tx.get<readonly number[]>(sentKeys.sent(realmId, userId)) ?? [];
    const devices = await listDevices(app, realmId, userId);
    const over = devices.length === 0 ? sent : await listOver(app, realmId, { sent, userId });
    const left = sent.filter((id) => !over.includes(id));
    if (left.length === 0) tx.delete(sentKeys.sent(realmId, userId));
    else if (over.length > 0) tx.set(sentKeys.sent(realmId, userId), left);
    for (const id of over) tx.delete([...sentKeys.sentTo(realmId, id), userId]);
    for (const deviceId of devices) noteRemovals(app, tx, { realmId, userId, deviceId, over });
    if (devices.length === 0) await forgetNotified(tx, realmId, userId);
  }, SENT_QUEUE);
}

/** From now on what an account reads is noted no more, until one of its devices is told of something again. */
async function forgetNotified(tx: Tx, realmId: number, userId: number): Promise<void> {
  const user = await tx.get<UserRecord>(userKeys.user(realmId, userId));
  if (user?.is_notified !== true) return;
  const { is_notified: _, ...rest } = user;
  await putUser(tx, realmId, rest);
}

async function listOver(
  app: ChatApp,
  realmId: number,
  { sent, userId }: { sent: readonly number[]; userId: number },
): Promise<number[]> {
  // Most of them ask for the same.
  const remembering = { ...app, reads: createLookups(app).reads };
  const are = await Promise.all(sent.map((id) => isOver(remembering, realmId, { id, userId })));
  return sent.filter((_, at) => are[at] === true);
}

function noteRemovals(
  { clock }: ChatApp,
  tx: Tx,
  { over, ...owner }: Omit<SendPlace, "messageId"> & { readonly over: readonly number[] },
): void {
  const now = clock.now();
  for (const removed of inRemovals(over)) {
    const job: PushRemovalSend = { removed, attempts: 0, sent_at: now };
    tx.set(sendKeys.removal(now, { ...owner, messageId: removed[0] ?? 0 }), job);
  }
}

/** Has those looked for whose devices were told of a claimed message that was deleted. */
export async function retractNotificationFromAll(app: ChatApp, claimed: Entry<true>): Promise<void> {
  const [realmId = 0, messageId = 0] = claimed.key.slice(2).map(Number);
  const { kv } = app.store;
  const now = app.clock.now();
  let readers: Key[] = [];
  const write = async () => {
    const some = readers;
    readers = [];
    await durably(app.store, () => {
      const atomic = kv.atomic();
      for (const reader of some) atomic.set([...reader], true);
      return atomic.commit();
    });
  };
  const prefix = [...sentKeys.sentTo(realmId, messageId)];
  for await (const entry of kv.list({ prefix }, { batchSize: AT_ONCE })) {
    const userId = Number(toEntry(entry).key.at(-1));
    if (readers.push(pushJobKeys.reader(now, realmId, userId)) === AT_ONCE) await write();
  }
  if (readers.length > 0) await write();
  await finish(app.store, [claimed]);
}
