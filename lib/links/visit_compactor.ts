import { dayOf } from "@/lib/core/clock.ts";
import { createLru } from "@/lib/core/lru.ts";
import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { type CompactionRound, linkKeys, type LogRow, type Rank } from "./store.ts";
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
const ROUND = { logs: 1000, rows: 2000, visits: 60_000, days: 300 } as const;
/**
 * Number of writes of a step: few, so that the commits of visits wait for a short time, and more
 * as the log grows, because a commit has a cost of its own.
 */
const STEP_WRITES = { least: 100, most: 500 } as const;
/** Budget of the keys of links in a commit, in bytes; the store takes 81,920, some of which are for deleted rows. */
const MAX_KEY_BYTES = 55_000;
/** Bytes of a key of a link besides its id, and of each code unit of the id, at most. */
const KEY_BESIDES = 60;
const KEY_UNIT = 3;
/** Number of small entries after which a short URL's entries are folded. */
const FOLD_AFTER = 200;
/** Number of short URLs whose small entries are counted. Folding only helps readers, so some may be forgotten. */
const MAX_COUNTED = 50_000;

/**
 * A round of compaction in memory: the first rows of each log. Where they end and its progress are in the store as
 * well, so that another process can continue it at any step. Each step checks that record and changes it: of two
 * processes that compact at once, one fails and writes nothing.
 */
interface Round {
  /** Keys of its rows that are not deleted. */
  readonly rows: Key[];
  /** Visits to apply, in the order of their short URLs. */
  readonly pending: LinkVisits[];
  readonly ends: CompactionRound["ends"];
  /** The record that the next step checks. */
  readonly state: Deno.KvEntryMaybe<CompactionRound>;
}

/** Visits of a short URL in the rows of a round, by their time. */
interface LinkVisits {
  readonly short: string;
  readonly times: Float64Array;
}

/** Result of a step: the log is empty, the round goes on, or it has ended or is another process's. */
type Outcome = "none" | "more" | "later";

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
  #round: Round | null = null;
  /** Latest log of the round before; the next one begins with the log that follows, so that each has its turn. */
  #lastLog: string = crypto.randomUUID();
  #steps: Promise<unknown> = Promise.resolve();
  #folds: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isStopped = false;
  /** Latest progress of another process, and when it was noticed. */
  #progress = { versionstamp: "", at: 0 };

  constructor(store: Store) {
    this.#store = store;
    this.log = new VisitLogWriter(store);
  }

  /** Announces committed visits; they are applied within seconds, in the background. */
  wake(): void {
    if (this.#timer === null) this.#schedule(DELAY_MS);
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
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#steps;
    await this.#folds;
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
      const outcome = await this.#advance();
      // Rows leave the log at the end of a round.
      if (this.#round === null) await this.log.measure();
      return outcome;
    });
    this.#steps = done.catch(() => {});
    return done;
  }

  /** Makes one step of a round: applies the visits of some links, or deletes rows. */
  async #advance(): Promise<Outcome> {
    const round = this.#round ?? await openRound(this.#store.kv, this.#lastLog);
    this.#round = null;
    if (round === null) return "none";
    this.#lastLog = [...round.ends.keys()].at(-1) ?? "";
    const { least, most } = STEP_WRITES;
    const writes = least + (most - least) * Math.min(1, this.log.backlog / MAX_BACKLOG);
    const part = takePart(round.pending, writes);
    const isLast = part.length === round.pending.length;
    // Rows lie beside each other, so deleting them is cheap.
    const rows = isLast ? round.rows.slice(0, most / 2) : [];
    const isDone = isLast && rows.length === round.rows.length;
    const value = {
      owner: this.#name,
      ends: isDone ? new Map() : round.ends,
      done: isLast ? null : part.at(-1)?.short ?? "",
    };
    const state = await writeRound(this.#store, round.state, { value, part, rows });
    if (state === null) return "later";
    for (const { short, times } of part) this.#countEntries(short, pagesOf(times.length));
    if (isDone) return "later";
    const [left, pending] = [round.rows.slice(rows.length), round.pending.slice(part.length)];
    this.#round = { ...round, rows: left, pending, state };
    return "more";
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

/** Continues the round that is under way; begins one, which its first step stores, unless the logs are empty. */
async function openRound(kv: Kv, lastLog: string): Promise<Round | null> {
  const state = await kv.get<CompactionRound>(linkKeys.round);
  const current = state.value !== null && state.value.ends.size > 0 ? state.value : null;
  const prefix = linkKeys.log();
  const next = linkKeys.log(lastLog, Infinity);
  const ranges: Deno.KvListSelector[] = current === null
    ? [{ prefix, start: next }, { prefix, end: next }]
    : [...current.ends].map(([writer, end]) => ({
      prefix: linkKeys.log(writer),
      end: linkKeys.log(writer, end),
    }));
  const rows = await readRows(kv, ranges, current === null);
  if (rows.length === 0 && current === null) return null;
  const ends = new Map(rows.map(({ key }) => [toValue<string>(key[1]), toValue<number>(key[2]) + 1]));
  return {
    rows: rows.map(({ key }) => key),
    pending: toLinkVisits(rows.map(({ value }) => value), current),
    ends: current?.ends ?? ends,
    state,
  };
}

/** Reads the rows of some ranges, as many as a round takes if it `isNew`. */
async function readRows(kv: Kv, ranges: readonly Deno.KvListSelector[], isNew: boolean) {
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
      if (isNew && rows.length > 0 && !hasRoom) return rows;
      rows.push(row);
    }
  }
  return rows;
}

/**
 * Commits a step: the progress, the visits that it applies, and the rows that it deletes. Returns the record of the
 * round; null if another process changed it.
 */
async function writeRound(
  store: Store,
  before: Deno.AtomicCheck,
  { value, part, rows }: { value: CompactionRound; part: readonly LinkVisits[]; rows: readonly Key[] },
): Promise<Round["state"] | null> {
  const ranks = await readMany<Rank>(store.kv, part.map(({ short }) => linkKeys.rankOf(short)));
  return await durably(store, async () => {
    const atomic = store.kv.atomic().check(before).set(linkKeys.round, value);
    for (const [at, visits] of part.entries()) apply(atomic, visits, ranks[at]?.value ?? null);
    for (const key of rows) atomic.delete(key);
    const result = await atomic.commit();
    return result.ok ? { key: linkKeys.round, value, versionstamp: result.versionstamp } : null;
  });
}

/** Combines the visits of each short URL, as far as they are not applied. */
function toLinkVisits(rows: readonly LogRow[], round: CompactionRound | null): LinkVisits[] {
  const all = new Map<string, number[]>();
  for (const row of rows) addTimes(all, row, (short) => !isApplied(round, short));
  return [...all].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([short, times]) => ({ short, times: Float64Array.from(times).sort() }));
}

/** Takes the first links, of about so many writes: each has pages, a counter, days and a rank. */
function takePart(pending: readonly LinkVisits[], most: number): LinkVisits[] {
  let [writes, keyBytes] = [0, 0];
  const end = pending.findIndex(({ short, times }, at) => {
    const days = dayOf(times.at(-1) ?? 0) - dayOf(times[0] ?? 0) + 1;
    const own = pagesOf(times.length) + Math.min(days, times.length) + 4;
    writes += own;
    keyBytes += own * (KEY_BESIDES + KEY_UNIT * short.length);
    return at > 0 && (writes > most || keyBytes > MAX_KEY_BYTES);
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
