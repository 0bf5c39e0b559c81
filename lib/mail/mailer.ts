import type { Clock } from "@/lib/core/clock.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Store } from "@/lib/kv/open.ts";
import {
  claimMail,
  countWaitingMail,
  finishMail,
  giveUpMail,
  listDueMail,
  postponeMail,
  type WaitingMail,
} from "./queue.ts";
import { failureReason, isPermanentRefusal } from "./refusal.ts";
import type { MailTransport } from "./transport.ts";

/**
 * Sends the mail that waits in the store, one at a time. Each is sent at least once: none is lost when the process is
 * killed after the commit that enqueued it, and one is sent twice when the process is killed after the server took it
 * and before it is removed from the store. What failed waits for its next time. Several processes may send from one
 * store.
 */
export interface Mailer extends Worker {
  /** How many mails wait or are being sent, counted up to 1,000. */
  pending(): Promise<number>;
}

/** Where the mailer tells what the operator should know: ids and codes, never addresses or content. */
export interface MailLog {
  event(level: "error" | "warn" | "info", message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What a mailer works with. */
export interface MailerParts {
  readonly store: Store;
  readonly transport: MailTransport;
  readonly clock: Clock;
  /** The From of every mail. */
  readonly from: string;
  readonly log: MailLog;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a claimed mail is kept from others; the transport gives up sooner. */
export const LEASE_MS = 2 * MINUTE_MS;
const FIRST_PAUSES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];
const LATER_PAUSE_MS = 4 * HOUR_MS;
const GIVE_UP_MS = 72 * HOUR_MS;
/** How often a started mailer looks by itself: for retries, and for what other processes left. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
const READ_AT_ONCE = 20;
const MOST_COUNTED = 1000;

/** A mailer that sends nothing until it is started or told to. */
export function createMailer(parts: MailerParts): Mailer {
  // While the store fails, the mail waits there.
  const report = (error: unknown) =>
    parts.log.event("warn", "The queue of mail cannot be used; it is tried again", {
      reason: failureReason(error),
    });
  const worker = createWorker((isStopped) => sendDue(parts, isStopped), { everyMs: LOOK_EVERY_MS, report });
  return { ...worker, pending: () => countWaitingMail(parts.store, MOST_COUNTED) };
}

async function sendDue(parts: MailerParts, isStopped: () => boolean): Promise<number> {
  for (let count = 0;;) {
    const due = await listDueMail(parts.store, parts.clock.now(), READ_AT_ONCE);
    for (const waiting of due) {
      if (isStopped()) return count;
      await send(parts, waiting);
      count++;
    }
    if (due.length < READ_AT_ONCE) return count;
  }
}

async function send(parts: MailerParts, waiting: WaitingMail): Promise<void> {
  const { store, transport, clock, from } = parts;
  const claimed = await claimMail(store, waiting, clock.now() + LEASE_MS);
  if (claimed === null) return;
  try {
    await transport.send(claimed.entry.value.mail, from, claimed.id);
  } catch (error) {
    return await fail(parts, claimed, error);
  }
  await finishMail(store, claimed);
}

async function fail({ store, clock, log }: MailerParts, claimed: WaitingMail, error: unknown): Promise<void> {
  const { value } = claimed.entry;
  const now = clock.now();
  const attempts = value.attempts + 1;
  const reason = failureReason(error);
  const fields = { mail: claimed.id, attempts, reason };
  const pause = FIRST_PAUSES_MS[attempts - 1];
  // A mail that grew old while no process ran still gets its first tries.
  const isTooOld = pause === undefined && now - value.created_at >= GIVE_UP_MS;
  if (isPermanentRefusal(error) || isTooOld) {
    const isMoved = await giveUpMail(store, claimed, { failed_at: now, reason });
    if (isMoved) log.event("error", "A mail was given up", fields);
    return;
  }
  const due = now + (pause ?? LATER_PAUSE_MS);
  const isMoved = await postponeMail(store, claimed, due) !== null;
  if (isMoved) log.event("warn", "A mail could not be sent; it is tried again", fields);
}
