import { dayOf } from "@/lib/core/clock.ts";
import { createLru } from "@/lib/core/lru.ts";
import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { type CompactionRound, linkKeys, type LogRow, type Rank, sizeOfKey } from "./store.ts";
import { addTimes, isApplied, VisitLogWriter } from "./visit_log.ts";
import { foldVisits, PAGE_VISITS } from "./visit_pages.ts";

/**
 * Delay of a round in milliseconds, less as the log grows; visits that accumulate meanwhile are applied together, which
 * costs a fraction of single writes.
 */
const DELAY_MS = 1500;
/** Silence after which another compactor counts as dead, in milliseconds. */
const PATIENCE_MS = 3000;
/** After each step, the store is left to visitors for this many times the step's duration, less as the log grows. */
const PAUSE = 3;
const LONGEST_PAUSE_MS = 500;
/** Maximum number of visits of this process in the log; further ones wait. */
const MAX_BACKLOG = 100_000;
/** Bounds of a round: the names of its logs fit into a value, and all visits of one short URL into a commit. */
const ROUND = { logs: 1000, rows: 2000, visits: 60_000, days: 200 } as const;
/**
 * Size of the keys of links in a step, in bytes: small, so that the commits of visits wait for a short time, and larger
 * as the log grows, because a commit has a cost of its own.
 */
const STEP_BYTES = { least: 12_000, most: 55_000 } as const;
/** Number of rows that a step deletes. Their keys are adjacent, so deleting them is cheap. */
const DELETED_ROWS = 250;
/** Number of small entries after which a short URL's entries are folded. */
const FOLD_AFTER = 200;
/** Number of short URLs whose small entries are counted. Folding only helps readers, so some may be forgotten. */
const MAX_COUNTED = 50_000;

/** Visits of a short URL in the rows of a round, by their time. */
interface LinkVisits {
  readonly short: string;
  readonly times: Float64Array;
}

/** Result of a step: the round goes on, or the logs are empty, or the round has ended or is another process's. */
type Outcome = "more" | "none" | "later";

/**
 * Applies the logs of visits to the counters, pages, days and ranks of links, in rounds: the visits that a link got
 * since the last round become one write of each. Several processes share the work: while one makes progress, the
 * others leave it to that one.
 */
export class VisitCompactor {
  /** The process's own log. */
  readonly log: VisitLogWriter;
  readonly #store: Store;
  readonly #name = crypto.randomUUID();
  readonly #smallEntries = createLru<string, number>(MAX_COUNTED);
  /** The round that this process has begun or continued. */
  #round: AsyncGenerator<Outcome, Outcome> | null = null;
  /** Latest log of the round before; the next one begins with the log that follows, so that each has its turn. */
  #lastLog: string = crypto.randomUUID();
  #steps: Promise<unknown> = Promise.resolve();
  #folds: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  /** Latest progress of another process, and when it was noticed. */
  #progress = { versionstamp: "", at: 0 };

  constructor(store: Store) {
    this.#store = store;
    this.log = new VisitLogWriter(store);
  }

  /** Announces committed visits; they are applied within seconds, in the background. */
  wake(): void {
    if (this.#timer === undefined) this.#schedule(DELAY_MS);
  }

  /** Settles once the process's log is short enough for more visits. */
  async makeRoom(): Promise<void> {
    while (this.log.backlog > MAX_BACKLOG && !this.#isStopped) await this.#step();
  }

  /** Applies the visits in the logs, for about `maxMs` milliseconds; returns true when none is left. */
  async catchUp(maxMs = Infinity): Promise<boolean> {
    const started = performance.now();
    do {
      if (await this.#step() === "none") return true;
    } while (performance.now() - started < maxMs);
    this.wake();
    return false;
  }

  /** Stops; settles when the current step is done. The next process applies what is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#steps;
    await this.#folds;
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#isStopped ? undefined : setTimeout(() => void this.#run(), ms);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    const started = performance.now();
    // A failed step leaves everything unchanged; the next visit tries again.
    const outcome = await this.#stepUnlessOther().catch(() => "none" as const);
    if (outcome === "none" && this.log.backlog === 0) return;
    const patience = Math.max(0, 1 - this.log.backlog / MAX_BACKLOG);
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSE * patience * (performance.now() - started));
    this.#schedule(outcome === "more" ? pause : DELAY_MS * patience);
  }

  /** Makes a step unless another process made one lately. */
  async #stepUnlessOther(): Promise<Outcome> {
    if (this.#round === null) {
      const { value, versionstamp } = await this.#store.kv.get<CompactionRound>(linkKeys.round);
      if (value !== null && value.owner !== this.#name) {
        if (versionstamp !== this.#progress.versionstamp) {
          this.#progress = { versionstamp, at: performance.now() };
          await this.log.measure();
          return "later";
        }
        if (performance.now() - this.#progress.at < PATIENCE_MS) return "later";
      }
    }
    return await this.#step();
  }

  /** Steps of a process run one after the other. */
  #step(): Promise<Outcome> {
    const done = this.#steps.then(async () => {
      const round = this.#round ?? this.#compact();
      // After a failure, the next step reads the round again.
      this.#round = null;
      const { done, value } = await round.next();
      if (done !== true) this.#round = round;
      // Rows leave the log at the end of a round.
      else await this.log.measure();
      return value;
    });
    this.#steps = done.catch(() => {});
    return done;
  }

  /**
   * Continues the round that is under way or begins one, and yields after each step, which applies the visits of some
   * links or deletes rows. Where the rows end and the progress are in the store as well, so that another process can
   * continue it at any step. Each step checks that record and changes it: of two processes that compact at once, one
   * fails and writes nothing.
   */
  async *#compact(): AsyncGenerator<Outcome, Outcome> {
    const { kv } = this.#store;
    const stored = await kv.get<CompactionRound>(linkKeys.round);
    const current = stored.value !== null && stored.value.ends.size > 0 ? stored.value : null;
    const rows = await readRows(kv, current, this.#lastLog);
    if (rows.length === 0 && current === null) return "none";
    const ends = current?.ends ??
      new Map(rows.map(({ key }) => [toValue<string>(key[1]), toValue<number>(key[2]) + 1]));
    this.#lastLog = [...ends.keys()].at(-1) ?? "";
    let pending = toLinkVisits(rows, current);
    let keys = rows.map(({ key }) => key);
    const { least, most } = STEP_BYTES;
    for (let check: Deno.AtomicCheck = stored;;) {
      const bytes = least + (most - least) * Math.min(1, this.log.backlog / MAX_BACKLOG);
      const part = takePart(pending, bytes);
      pending = pending.slice(part.length);
      const deleted = pending.length === 0 ? keys.slice(0, DELETED_ROWS) : [];
      keys = keys.slice(deleted.length);
      const isDone = pending.length === 0 && keys.length === 0;
      const progress: CompactionRound = {
        owner: this.#name,
        ends: isDone ? new Map() : ends,
        done: pending.length === 0 ? null : part.at(-1)?.short ?? "",
      };
      const ranks = await readMany<Rank>(kv, part.map(({ short }) => linkKeys.rankOf(short)));
      const result = await durably(this.#store, async () => {
        const atomic = kv.atomic().check(check).set(linkKeys.round, progress);
        for (const [at, visits] of part.entries()) apply(atomic, visits, ranks[at]?.value ?? null);
        for (const key of deleted) atomic.delete(key);
        return await atomic.commit();
      });
      if (!result.ok) return "later";
      for (const { short, times } of part) this.#countEntries(short, pagesOf(times.length));
      if (isDone) return "later";
      check = { key: linkKeys.round, versionstamp: result.versionstamp };
      yield "more";
    }
  }

  /** Folds the entries of a short URL in the background once many small ones exist. */
  #countEntries(short: string, added: number): void {
    const entries = (this.#smallEntries.get(short) ?? 0) + added;
    if (entries < FOLD_AFTER) return void this.#smallEntries.set(short, entries);
    this.#smallEntries.delete(short);
    // A failed fold leaves everything unchanged; the next one includes these entries.
    this.#folds = this.#folds.then(() => foldVisits(this.#store, short)).catch(() => {});
  }
}

/** Reads the rows of the round that is under way, or those of a new one, which begins after the log `lastLog`. */
async function readRows(kv: Kv, current: CompactionRound | null, lastLog: string) {
  const prefix = linkKeys.log();
  const next = linkKeys.log(lastLog, Infinity);
  const ranges: Deno.KvListSelector[] = current === null
    ? [{ prefix, start: next }, { prefix, end: next }]
    : Array.from(current.ends, ([log, end]) => ({ prefix: linkKeys.log(log), end: linkKeys.log(log, end) }));
  const rows: Deno.KvEntry<LogRow>[] = [];
  const [logs, days] = [new Set<unknown>(), new Set<number>()];
  let visits = 0;
  for (const range of ranges) {
    for await (const row of kv.list<LogRow>(range, { batchSize: 200 })) {
      visits += row.value.times.length;
      logs.add(row.key[1]);
      days.add(dayOf(row.value.times[0] ?? 0));
      const hasRoom = rows.length < ROUND.rows && visits <= ROUND.visits && logs.size <= ROUND.logs &&
        days.size <= ROUND.days;
      if (current === null && rows.length > 0 && !hasRoom) return rows;
      rows.push(row);
    }
  }
  return rows;
}

/** Combines the visits of each short URL, as far as they are not applied. */
function toLinkVisits(
  rows: readonly Deno.KvEntry<LogRow>[],
  round: CompactionRound | null,
): LinkVisits[] {
  const all = new Map<string, number[]>();
  for (const { value } of rows) addTimes(all, value, (short) => !isApplied(round, short));
  return [...all].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([short, times]) => ({ short, times: Float64Array.from(times).sort() }));
}

/** Takes the first links, with keys of so many bytes: each has pages, a counter, days and a rank. */
function takePart(pending: readonly LinkVisits[], maxBytes: number): LinkVisits[] {
  let bytes = 0;
  const end = pending.findIndex(({ short, times }, at) => {
    const days = dayOf(times.at(-1) ?? 0) - dayOf(times[0] ?? 0) + 1;
    bytes += (pagesOf(times.length) + Math.min(days, times.length) + 4) * sizeOfKey(short.length);
    return at > 0 && bytes > maxBytes;
  });
  return pending.slice(0, end === -1 ? pending.length : end);
}

function pagesOf(visits: number): number {
  return Math.ceil(visits / PAGE_VISITS);
}

function apply(atomic: AtomicOperation, { short, times }: LinkVisits, old: Rank | null): void {
  for (let at = 0; at < times.length; at += PAGE_VISITS) {
    const page = times.slice(at, at + PAGE_VISITS);
    atomic.set(linkKeys.visits(short, page[0] ?? 0, crypto.randomUUID()), page);
  }
  atomic.sum(linkKeys.visitCount(short), BigInt(times.length));
  for (const [day, { length }] of Map.groupBy(times, dayOf)) {
    atomic.sum(linkKeys.visitDayOf(short, day), BigInt(length));
  }
  const rank: Rank = {
    count: (old?.count ?? 0) + times.length,
    last: Math.max(old?.last ?? 0, times.at(-1) ?? 0),
  };
  if (old !== null) atomic.delete(linkKeys.rank(old.count, short));
  atomic.set(linkKeys.rank(rank.count, short), rank.last).set(linkKeys.rankOf(short), rank);
}
