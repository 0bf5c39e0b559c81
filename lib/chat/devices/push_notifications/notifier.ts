import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { backOff } from "@/lib/store/retry.ts";
import { pushJobKeys, type PushMessageJob } from "@/lib/chat/messages/push_jobs.ts";
import { listDue, moveDue } from "@/lib/store/due_worker.ts";
import { FAN_OUT_LEASE_MS, type PushSendJob, sendKeys } from "./model.ts";
import type { NotifierParts } from "./send_batch.ts";

const EVERY_MS = 5000;
const MESSAGES_AT_ONCE = 50;
/** Number of users, and of deleted messages, whose retractions are processed at once. */
const REMOVALS_AT_ONCE = 40;
/** Number of jobs for devices read at once. */
const SENDS_AT_ONCE = 400;
/** Number of concurrent calls to the bouncer. */
const BATCHES_AT_ONCE = 8;
/** Number of rounds lost to other processes after which the remaining jobs wait for the next run. */
const MAX_LOST = 5;

/** Outcome of one round: the number of jobs handled, or that other processes took them. */
type RoundOutcome = number | "lost";

/**
 * Creates the worker that sends push notifications. Jobs are stored in the same commit as their messages, so
 * none is lost if a process is killed. A notification is sent twice only if a process is killed after the
 * bouncer answered and before that is recorded. Several processes may work on one store.
 */
export function createNotifier(parts: NotifierParts): Worker {
  // If the store fails, the jobs stay in it until the next run.
  const report = (error: unknown) =>
    parts.report("notification queue failed; notifications are delayed", { reason: String(error) });
  const run = (isStopped: () => boolean) => processDueJobs({ parts, isStopped, report });
  return createWorker(run, { everyMs: EVERY_MS, report });
}

interface NotifierRun {
  readonly parts: NotifierParts;
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

async function processDueJobs(run: NotifierRun): Promise<number> {
  for (let count = 0;;) {
    // Concurrently, so that a stream of new messages does not delay the delivery of earlier ones.
    const [messages = 0, removals = 0, batches = 0] = await Promise.all(
      [fanOutDue, retractDue, sendDue].map((work) => repeat(run, work)),
    );
    count += messages + removals + batches;
    // Fan-out and retraction may have created jobs after the sending ended.
    if (messages + removals === 0) return count;
  }
}

/** Repeats work until nothing is due or others keep taking it; returns the number of jobs, never rejects. */
async function repeat(
  { parts, isStopped, report }: NotifierRun,
  work: (parts: NotifierParts) => Promise<RoundOutcome>,
): Promise<number> {
  let count = 0;
  try {
    for (let lost = 0; lost < MAX_LOST && !isStopped();) {
      const outcome = await work(parts);
      if (outcome === 0) break;
      if (outcome === "lost") await backOff(lost++);
      else count += outcome;
    }
  } catch (error) {
    report(error);
  }
  return count;
}

async function fanOutDue({ app, report }: NotifierParts): Promise<RoundOutcome> {
  const now = app.clock.now();
  const range = { now, limit: MESSAGES_AT_ONCE };
  const due = await listDue<PushMessageJob>(app.store, pushJobKeys.messages, range);
  if (due.length === 0) return 0;
  const claimed = await moveDue(app.store, due, now + FAN_OUT_LEASE_MS);
  if (claimed === null) return "lost";
  // Loaded on first use: most servers send no notifications.
  const [{ fanOutMessage }, { createLookupCache }] = await Promise.all([
    import("./fan_out_message.ts"),
    import("./notification_reason.ts"),
  ]);
  const lookups = createLookupCache(app);
  for (const job of claimed) {
    // A failed message does not block the others. It is retried when its lease ends.
    await fanOutMessage(app, job, lookups)
      .catch((error) => report("message not fanned out to devices", { reason: String(error) }));
  }
  return claimed.length;
}

async function retractDue({ app, report }: NotifierParts): Promise<RoundOutcome> {
  const now = app.clock.now();
  const range = { now, limit: REMOVALS_AT_ONCE };
  const [deletions, readers] = await Promise.all([
    listDue<true>(app.store, pushJobKeys.deletions, range),
    listDue<true>(app.store, pushJobKeys.readers, range),
  ]);
  if (deletions.length + readers.length === 0) return 0;
  const { retractNotifications, retractDeletedMessage } = await import("./retract_notifications.ts");
  const works = [
    { due: deletions, work: retractDeletedMessage },
    { due: readers, work: retractNotifications },
  ];
  let count = 0;
  for (const { due, work } of works) {
    const claimed = due.length === 0 ? [] : await moveDue(app.store, due, now + FAN_OUT_LEASE_MS);
    for (const job of claimed ?? []) {
      await work(app, job)
        .catch((error) => report("notifications not retracted", { reason: String(error) }));
    }
    count += claimed?.length ?? 0;
  }
  return count === 0 ? "lost" : count;
}

async function sendDue(parts: NotifierParts): Promise<RoundOutcome> {
  const { app } = parts;
  const range = { now: app.clock.now(), limit: SENDS_AT_ONCE };
  const due = await listDue<PushSendJob>(app.store, sendKeys.sends, range);
  if (due.length === 0) return 0;
  const { groupIntoBatches, sendBatch } = await import("./send_batch.ts");
  const batches = groupIntoBatches(due).slice(0, BATCHES_AT_ONCE);
  const sent = await Promise.all(batches.map((batch) => sendBatch(parts, batch)));
  return sent.filter(Boolean).length || "lost";
}
