import { backOff } from "@/lib/kv/retry.ts";
import { pushJobKeys, type PushMessageJob } from "../messages/push_job.ts";
import { claim, FAN_OUT_LEASE_MS, listDue, type PushSendJob, sendKeys } from "./push_queue.ts";
import type { Sending } from "./send_due.ts";

/**
 * Tells devices of messages. What waits lies in the store with the messages, so that none is lost when the process is
 * killed; one is told twice only when that happens between the bouncer's answer and the note of it. Several processes
 * may work on one store.
 */
export interface Notifier {
  /** Looks for what is due now and every few seconds. */
  start(): void;
  /** Looks now, for use after a commit that left something; does nothing before `start`. */
  poke(): void;
  /** Settles when everything due now was tried once, started or not. */
  drain(): Promise<void>;
  /** Ends it for good; settles when what is at hand is done with. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 5000;
/** Messages that are read at once. */
const MESSAGES_AT_ONCE = 50;
/** Jobs for devices that are read at once. */
const SENDS_AT_ONCE = 400;
/** Calls to the bouncer at the same time. */
const BUNDLES_AT_ONCE = 8;
/** How often somebody else may have been faster before it is left to the next look. */
const MAX_LOST = 5;

/** What came of one round: nothing was due, more may be, or others were faster. */
type Outcome = "done" | "more" | "lost";

/** A notifier that tells nothing until it is started or drained. */
export function createNotifier(sending: Sending): Notifier {
  return new StoreNotifier(sending);
}

class StoreNotifier implements Notifier {
  readonly #sending: Sending;
  #timer: ReturnType<typeof setInterval> | undefined;
  #running: Promise<void> | null = null;
  /** Set while somebody asked to look once more. */
  #again = false;
  #isStopped = false;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  start(): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.poke(), LOOK_EVERY_MS);
    // Waiting for retries is no reason for a process to stay.
    Deno.unrefTimer(this.#timer);
    this.poke();
  }

  poke(): void {
    if (this.#timer !== undefined) this.drain();
  }

  drain(): Promise<void> {
    if (this.#isStopped) return this.#running ?? Promise.resolve();
    this.#again = true;
    return this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      // Side by side, so that a stream of messages does not keep those before it waiting.
      await Promise.all([this.#repeat(() => this.#fanOutDue()), this.#repeat(() => this.#sendDue())]);
    } while (this.#again && !this.#isStopped);
    this.#running = null;
  }

  /** Works until nothing is left, or others keep being faster. Never rejects: while the store fails, all waits there. */
  async #repeat(work: () => Promise<Outcome>): Promise<void> {
    try {
      for (let lost = 0; lost < MAX_LOST && !this.#isStopped;) {
        const outcome = await work();
        if (outcome === "done") return;
        if (outcome === "lost") await backOff(lost++);
      }
    } catch (error) {
      this.#sending.report("notifications wait: their queue failed", { reason: String(error) });
    }
  }

  async #fanOutDue(): Promise<Outcome> {
    const { app, report } = this.#sending;
    const now = app.clock.now();
    const range = { now, limit: MESSAGES_AT_ONCE };
    const due = await listDue<PushMessageJob>(app.store, pushJobKeys.messages, range);
    if (due.length === 0) return "done";
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
    // There may be devices to be told now, after the other work has ended.
    this.#again = true;
    return "more";
  }

  async #sendDue(): Promise<Outcome> {
    const { app } = this.#sending;
    const range = { now: app.clock.now(), limit: SENDS_AT_ONCE };
    const due = await listDue<PushSendJob>(app.store, sendKeys.sends, range);
    if (due.length === 0) return "done";
    const { inBundles, sendBundle } = await import("./send_due.ts");
    const bundles = inBundles(due).slice(0, BUNDLES_AT_ONCE);
    const sent = await Promise.all(bundles.map((bundle) => sendBundle(this.#sending, bundle)));
    return sent.includes(true) ? "more" : "lost";
  }
}
