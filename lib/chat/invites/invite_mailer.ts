import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { inviteKeys } from "./invite.ts";

/** Queues mails to those who are invited: what a server left behind when it ended, and reminders. */
export interface InviteMailer {
  /** Looks every half minute, and soon after the start. */
  start(): void;
  /** Ends it; settles when the mailing at hand is done with. */
  stop(): Promise<void>;
  /** Queues everything that is due now, and gives the number of mailings. */
  sweep(): Promise<number>;
}

const EVERY_MS = 30 * 1000;
const FIRST_MS = 5 * 1000;
/** Mailings that are read at once. */
const AT_ONCE = 100;

/** Works for all organizations; several servers on one store may do so at the same time. */
export function createInviteMailer(app: ChatApp, report: (error: unknown) => void): InviteMailer {
  let isStopped = false;
  let running: Promise<number> = Promise.resolve(0);
  const timers: ReturnType<typeof setTimeout>[] = [];
  const parts = { isStopped: () => isStopped, report };
  const sweep = () => running = running.catch(() => 0).then(() => sweepAll(app, parts));
  const run = () => void sweep().catch(report);
  return {
    start() {
      timers.push(setTimeout(run, FIRST_MS), setInterval(run, EVERY_MS));
      for (const timer of timers) Deno.unrefTimer(timer);
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await running.catch(() => 0);
    },
    sweep,
  };
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
