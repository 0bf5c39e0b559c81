import { toHex } from "@/lib/core/bytes.ts";
import type { Store } from "@/lib/store/open.ts";
import { type OpenRound, openRound, STEP_WRITES, stepRound } from "./compaction_round.ts";
import type { VisitLogWriter } from "./log_writer.ts";
import { type CompactionRound, linkKeys } from "./store.ts";
import { createVisitFolder, type VisitFolder } from "./visit_folder.ts";

/**
 * Delay of a round in milliseconds; visits that accumulate meanwhile are applied together, which costs a fraction of
 * single writes.
 */
const DELAY_MS = 1500;
/** Silence after which another compactor counts as dead, in milliseconds. */
const PATIENCE_MS = 3000;
/** After each step, the store is left to visitors for this many times the step's duration, less as the log grows. */
const REST = 3;
const LONGEST_REST_MS = 500;
/** Maximum number of visits of this process in the log; further ones wait. */
const MAX_BACKLOG = 100_000;

/** Result of a step: none was possible, the round goes on, another process interfered, or the round is complete. */
type Outcome = "none" | "more" | "lost" | "other" | "whole";

/**
 * Applies the logs of visits to the counters, pages, days and ranks of links, in rounds: the visits that a link got
 * since the last round become one write of each. Several processes share the work: while one makes progress, the
 * others leave it to that one.
 */
export class VisitCompactor {
  readonly #store: Store;
  readonly #log: VisitLogWriter;
  readonly #folder: VisitFolder;
  readonly #name = toHex(crypto.getRandomValues(new Uint8Array(8)));
  #round: OpenRound | null = null;
  #line: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isStopped = false;
  /** Number of rounds opened so far. */
  #opened = 0;
  /** Latest progress of another process, and when it was seen. */
  #seen = { versionstamp: "", at: 0 };

  /** `log` is the process's own. */
  constructor(store: Store, log: VisitLogWriter) {
    this.#store = store;
    this.#log = log;
    this.#folder = createVisitFolder(store);
  }

  /** Number of writes of a step. */
  get #writes(): number {
    const { least, most } = STEP_WRITES;
    return least + (most - least) * Math.min(1, this.#log.backlog / MAX_BACKLOG);
  }

  /** Announces committed visits; they are applied within seconds, in the background. */
  wake(): void {
    if (this.#timer === null) this.#schedule(DELAY_MS);
  }

  /** Settles once the process's log is short enough for more visits. */
  async makeRoom(): Promise<void> {
    while (this.#log.backlog > MAX_BACKLOG && !this.#isStopped) await this.#step();
  }

  /** Applies the visits logged so far, for about `maxMs` milliseconds; returns true when none of them is left. */
  async catchUp(maxMs = Infinity): Promise<boolean> {
    const [started, opened] = [performance.now(), this.#opened];
    do {
      const outcome = await this.#step();
      // A round under way at the call may lack rows.
      if (outcome === "none" || outcome === "whole" && this.#opened > opened) return true;
    } while (performance.now() - started < maxMs);
    if (this.#timer === null) this.#schedule(DELAY_MS);
    return false;
  }

  /** Stops; settles when the current step is done. The next process applies the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#line;
    await this.#folder.drain();
  }

  #schedule(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#isStopped ? null : setTimeout(() => void this.#run(), ms);
  }

  async #run(): Promise<void> {
    this.#timer = null;
    const started = performance.now();
    // A failed step leaves everything unchanged; the next visit tries again.
    const outcome = await this.#stepUnlessOther().catch(() => "none" as const);
    if (outcome === "none" && this.#log.backlog === 0) return;
    const rest = Math.max(0, REST * (1 - this.#log.backlog / MAX_BACKLOG)) * (performance.now() - started);
    this.#schedule(outcome === "more" ? Math.min(LONGEST_REST_MS, rest) : DELAY_MS);
  }

  /** Makes a step unless another process made one lately. */
  async #stepUnlessOther(): Promise<Outcome> {
    if (this.#round === null && await this.#isOtherActive()) return "other";
    return await this.#step();
  }

  async #isOtherActive(): Promise<boolean> {
    const { value, versionstamp } = await this.#store.kv.get<CompactionRound>(linkKeys.round);
    if (value === null || value.owner === this.#name) return false;
    if (versionstamp === this.#seen.versionstamp) {
      return performance.now() - this.#seen.at < PATIENCE_MS;
    }
    this.#seen = { versionstamp, at: performance.now() };
    await this.#log.measure();
    return true;
  }

  /** Steps of a process run one after the other. */
  #step(): Promise<Outcome> {
    const done = this.#line.then(() => this.#stepOnce());
    this.#line = done.catch(() => {});
    return done;
  }

  async #stepOnce(): Promise<Outcome> {
    const outcome = await this.#advance();
    // Rows leave the log at the end of a round.
    if (this.#round === null) await this.#log.measure();
    return outcome;
  }

  async #advance(): Promise<Outcome> {
    const round = this.#round ?? await this.#open();
    this.#round = null;
    if (round === "empty") return "none";
    if (round === "lost") return "lost";
    const result = await stepRound(this.#store, round, { owner: this.#name, writes: this.#writes });
    if (result === null) return "lost";
    for (const { short, entries } of result.applied) this.#folder.track(short, entries);
    if (!result.isDone) this.#round = round;
    return result.isDone && round.isWhole ? "whole" : "more";
  }

  #open(): Promise<OpenRound | "empty" | "lost"> {
    this.#opened++;
    return openRound(this.#store, this.#name);
  }
}
