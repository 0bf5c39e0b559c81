import { backOff } from "@/lib/kv/retry.ts";
import { pushJobKeys, type PushMessageJob } from "../messages/push_job.ts";
import { fanOut, rememberHolders } from "./fan_out.ts";
import { claim, LEASE_MS, listDue, type PushSendJob, sendKeys } from "./push_queue.ts";
import { inBundles, sendBundle, type Sending } from "./send_due.ts";

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
/** Devices that are read at once, and told by several calls at the same time. */
const SENDS_AT_ONCE = 400;
/** How often somebody else may have been faster before it is left to the next look. */
const MAX_LOST = 5;

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

  /** Never rejects: while the store fails, everything waits there. */
  async #run(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#repeat(() => this.#fanOutDue());
        await this.#repeat(() => this.#sendDue());
      } catch (error) {
        this.#sending.report("notifications wait: their queue failed", { reason: String(error) });
      }
    } while (this.#again && !this.#isStopped);
    this.#running = null;
  }

  /** Works until nothing is left, or others keep being faster. */
  async #repeat(work: () => Promise<"done" | "more" | "lost">): Promise<void> {
    for (let lost = 0; lost < MAX_LOST && !this.#isStopped;) {
      const outcome = await work();
      if (outcome === "done") return;
      if (outcome === "lost") await backOff(lost++);
    }
  }

  async #fanOutDue(): Promise<"done" | "more" | "lost"> {
    const { app } = this.#sending;
    const now = app.clock.now();
    const due = await listDue<PushMessageJob>(app.store, pushJobKeys.messages, {
      now,
      limit: MESSAGES_AT_ONCE,
    });
    if (due.length === 0) return "done";
    const holders = rememberHolders(app);
    let lost = 0;
    for (const job of due) {
      if (this.#isStopped) return "done";
      const claimed = await claim(app.store, [job], app.clock.now() + LEASE_MS);
      if (claimed === null) lost++;
      for (const own of claimed ?? []) await fanOut(app, own, holders);
    }
    return lost === due.length ? "lost" : "more";
  }

  async #sendDue(): Promise<"done" | "more" | "lost"> {
    const { app } = this.#sending;
    const now = app.clock.now();
    const due = await listDue<PushSendJob>(app.store, sendKeys.sends, { now, limit: SENDS_AT_ONCE });
    if (due.length === 0) return "done";
    const sent = await Promise.all(inBundles(due).map((bundle) => sendBundle(this.#sending, bundle)));
    return sent.includes(true) ? "more" : "lost";
  }
}
