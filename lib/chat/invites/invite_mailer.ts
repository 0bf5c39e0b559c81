import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { inviteKeys } from "./invite.ts";

const EVERY_MS = 30 * 1000;
const FIRST_MS = 5 * 1000;
/** Rows that are read at once. */
const AT_ONCE = 100;

/**
 * Queues mails to those who are invited, in all organizations: what a server left behind when it ended, and reminders.
 * Several servers on one store may do so at the same time.
 */
export function createInviteMailer(app: ChatApp, report: Report): Worker {
  const deal = async (key: Key) => (await import("./send_mailing.ts")).sendMailing(app, key);
  return createDueWorker(app, { rows: inviteKeys.mailings, deal, report });
}

/** Gives newcomers what a server that ended had not given them yet, as `createInviteMailer` queues mails. */
export function createJoinFinisher(app: ChatApp, report: Report): Worker {
  const deal = async (key: Key) => (await import("./finish_joining.ts")).finishJoining(app, key);
  return createDueWorker(app, { rows: inviteKeys.joinings, deal, report });
}

type Report = (error: unknown) => void;

/** Rows that lie by when they are due, and what is done with one. */
interface DueWork {
  readonly rows: Key;
  readonly deal: (key: Key) => Promise<void>;
  readonly report: Report;
}

function createDueWorker(app: ChatApp, work: DueWork): Worker {
  const { report } = work;
  return createWorker((isStopped) => sweepDue(app, work, isStopped), {
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    report,
  });
}

async function sweepDue(
  app: ChatApp,
  { rows, deal, report }: DueWork,
  isStopped: () => boolean,
): Promise<number> {
  const end: Key = [...rows, app.clock.now() + 1];
  let start = rows;
  let count = 0;
  for (;;) {
    const keys = await listRows(app, start, end);
    for (const key of keys) {
      if (isStopped()) return count;
      // One that fails must not keep the others waiting; it is tried again next time.
      await deal(key).then(() => count++, report);
      start = [...key, 0];
    }
    if (keys.length < AT_ONCE) return count;
  }
}

async function listRows({ store }: ChatApp, start: Key, end: Key): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const { key } of store.kv.list({ start: [...start], end: [...end] }, { limit: AT_ONCE })) {
    keys.push(key);
  }
  return keys;
}
