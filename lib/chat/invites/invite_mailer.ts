import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { inviteKeys } from "./invite.ts";

const EVERY_MS = 30 * 1000;
const FIRST_MS = 5 * 1000;
/** Mailings that are read at once. */
const AT_ONCE = 100;

/**
 * Queues mails to those who are invited, in all organizations: what a server left behind when it ended, and reminders.
 * Several servers on one store may do so at the same time.
 */
export function createInviteMailer(app: ChatApp, report: (error: unknown) => void): Worker {
  const work = (isStopped: () => boolean) => sweepAll(app, { isStopped, report });
  return createWorker(work, { everyMs: EVERY_MS, firstMs: FIRST_MS, report });
}

interface SweepParts {
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

async function sweepAll(app: ChatApp, { isStopped, report }: SweepParts): Promise<number> {
  const end = app.clock.now() + 1;
  let start: Key = inviteKeys.mailings;
  let count = 0;
  for (;;) {
    const keys = await listDue(app, start, inviteKeys.mailing(end, 0, 0));
    for (const key of keys) {
      if (isStopped()) return count;
      // One that fails must not keep the others waiting; it is tried again next time.
      const { sendMailing } = await import("./send_mailing.ts");
      await sendMailing(app, key).then(() => count++, report);
      start = [...key, 0];
    }
    if (keys.length < AT_ONCE) return count;
  }
}

async function listDue({ store }: ChatApp, start: Key, end: Key): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const { key } of store.kv.list({ start: [...start], end: [...end] }, { limit: AT_ONCE })) {
    keys.push(key);
  }
  return keys;
}
