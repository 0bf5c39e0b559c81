import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { inviteKeys } from "./model.ts";

const INTERVAL_MS = 30 * 1000;
const FIRST_MS = 5 * 1000;
/** Number of rows read at once. */
const BATCH = 100;

/**
 * Creates the worker that composes the mails of due mailings in all organizations: reminders, and mails that
 * a server left behind when it stopped. Several servers may run it on one store at the same time.
 */
export function createInviteMailer(app: ChatApp, report: Report): Worker {
  const process = async (key: Key) => (await import("./email/send_mailing.ts")).sendMailing(app, key);
  return createDueWorker(app, { prefix: inviteKeys.mailings, process, report });
}

/** Creates the worker that completes joins which a server left behind when it stopped. */
export function createJoinWorker(app: ChatApp, report: Report): Worker {
  const process = async (key: Key) => (await import("./join/complete_join.ts")).completeJoin(app, key);
  return createDueWorker(app, { prefix: inviteKeys.joinings, process, report });
}

type Report = (error: unknown) => void;

/** Rows ordered by their due time, and the function that processes one of them. */
interface DueWork {
  readonly prefix: Key;
  readonly process: (key: Key) => Promise<void>;
  readonly report: Report;
}

function createDueWorker(app: ChatApp, work: DueWork): Worker {
  const { report } = work;
  return createWorker((isStopped) => sweepDue(app, work, isStopped), {
    everyMs: INTERVAL_MS,
    firstMs: FIRST_MS,
    report,
  });
}

/** Processes all due rows and returns how many succeeded. */
async function sweepDue(
  app: ChatApp,
  { prefix, process, report }: DueWork,
  isStopped: () => boolean,
): Promise<number> {
  const end: Key = [...prefix, app.clock.now() + 1];
  let start = prefix;
  let count = 0;
  for (;;) {
    const keys = await listKeys(app, start, end);
    for (const key of keys) {
      if (isStopped()) return count;
      // A row that fails does not delay the others; it is retried by the next sweep.
      await process(key).then(() => count++, report);
      start = [...key, 0];
    }
    if (keys.length < BATCH) return count;
  }
}

async function listKeys({ store }: ChatApp, start: Key, end: Key): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const { key } of store.kv.list({ start: [...start], end: [...end] }, { limit: BATCH })) {
    keys.push(key);
  }
  return keys;
}
