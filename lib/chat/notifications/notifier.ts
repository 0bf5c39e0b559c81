import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { backOff } from "@/lib/kv/retry.ts";
import { pushJobKeys, type PushMessageJob } from "../messages/push_job.ts";
import { claim, FAN_OUT_LEASE_MS, listDue, type PushSendJob, sendKeys } from "./push_queue.ts";
import type { Sending } from "./send_due.ts";

const LOOK_EVERY_MS = 5000;
/** Messages that are read at once. */
const MESSAGES_AT_ONCE = 50;
/** Accounts and deleted messages, each, that are looked at together to take something back. */
const REMOVALS_AT_ONCE = 40;
/** Jobs for devices that are read at once. */
const SENDS_AT_ONCE = 400;
/** Calls to the bouncer at the same time. */
const BUNDLES_AT_ONCE = 8;
/** How often somebody else may have been faster before it is left to the next look. */
const MAX_LOST = 5;

/** What came of one round: how much was done, none where nothing was due, or that others were faster. */
type Outcome = number | "lost";

/**
 * Tells devices of messages. What waits lies in the store with the messages, so that none is lost when the process is
 * killed; one is told twice only when that happens between the bouncer's answer and the note of it. Several processes
 * may work on one store.
 */
export function createNotifier(sending: Sending): Worker {
  // While the store fails, all waits there.
  const report = (error: unknown) =>
    sending.report("notifications wait: their queue failed", { reason: String(error) });
  const tell = (isStopped: () => boolean) => tellDue({ sending, isStopped, report });
  return createWorker(tell, { everyMs: LOOK_EVERY_MS, report });
}

interface Telling {
  readonly sending: Sending;
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

async function tellDue(telling: Telling): Promise<number> {
  for (let count = 0;;) {
    // Side by side, so that a stream of messages does not keep those before it waiting.
    const [messages = 0, removals = 0, bundles = 0] = await Promise.all(
      [fanOutDue, retractDue, sendDue].map((work) => repeat(telling, work)),
    );
    count += messages + removals + bundles;
    // There may be devices to be told now, after the other work has ended.
    if (messages + removals === 0) return count;
  }
}

/** Works until nothing is left, or others keep being faster; gives how much was done. Never rejects. */
async function repeat(
  { sending, isStopped, report }: Telling,
  work: (sending: Sending) => Promise<Outcome>,
): Promise<number> {
  let count = 0;
  try {
    for (let lost = 0; lost < MAX_LOST && !isStopped();) {
      const outcome = await work(sending);
      if (outcome === 0) break;
      if (outcome === "lost") await backOff(lost++);
      else count += outcome;
    }
  } catch (error) {
    report(error);
  }
  return count;
}

async function fanOutDue({ app, report }: Sending): Promise<Outcome> {
  const now = app.clock.now();
  const range = { now, limit: MESSAGES_AT_ONCE };
  const due = await listDue<PushMessageJob>(app.store, pushJobKeys.messages, range);
  if (due.length === 0) return 0;
  const claimed = await claim(app.store, due, now + FAN_OUT_LEASE_MS);
  if (claimed === null) return "lost";
  // Loaded when it is first needed: most servers have nothing to tell of.
  const [{ fanOut }, { createLookups }] = await Promise.all([
    import("./fan_out.ts"),
    import("./lookups.ts"),
  ]);
  const lookups = createLookups(app);
  for (const job of claimed) {
    // One message that fails must not keep the others waiting; it is tried again when its lease ends.
    await fanOut(app, job, lookups)
      .catch((error) => report("devices were not told of a message yet", { reason: String(error) }));
  }
  return claimed.length;
}

async function retractDue({ app, report }: Sending): Promise<Outcome> {
  const now = app.clock.now();
  const range = { now, limit: REMOVALS_AT_ONCE };
  const [deletions, readers] = await Promise.all([
    listDue<true>(app.store, pushJobKeys.deletions, range),
    listDue<true>(app.store, pushJobKeys.readers, range),
  ]);
  if (deletions.length + readers.length === 0) return 0;
  const { retractNotification, retractNotificationFromAll } = await import("./take_back.ts");
  const works = [{ due: deletions, work: retractNotificationFromAll }, {
    due: readers,
    work: retractNotification,
  }];
  let count = 0;
  for (const { due, work } of works) {
    const claimed = due.length === 0 ? [] : await claim(app.store, due, now + FAN_OUT_LEASE_MS);
    for (const job of claimed ?? []) {
      await work(app, job)
        .catch((error) => report("devices were not told of what was read yet", { reason: String(error) }));
    }
    count += claimed?.length ?? 0;
  }
  return count === 0 ? "lost" : count;
}

async function sendDue(sending: Sending): Promise<Outcome> {
  const { app } = sending;
  const range = { now: app.clock.now(), limit: SENDS_AT_ONCE };
  const due = await listDue<PushSendJob>(app.store, sendKeys.sends, range);
  if (due.length === 0) return 0;
  const { inBundles, sendBundle } = await import("./send_due.ts");
  const bundles = inBundles(due).slice(0, BUNDLES_AT_ONCE);
  const sent = await Promise.all(bundles.map((bundle) => sendBundle(sending, bundle)));
  return sent.filter(Boolean).length || "lost";
}
