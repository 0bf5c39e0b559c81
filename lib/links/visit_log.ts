import { dayOf, hourOf } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { type CompactionRound, linkKeys, type LogRow, type Rank } from "./store.ts";

export interface Visit {
  readonly short: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Numbers of visits of links with a maximum, as they were read, with the new ones. */
export type LimitedCounts = ReadonlyMap<Deno.KvEntryMaybe<number>, number>;

/** Maximum size of a row in bytes, as far as `weighVisit` counts it. */
export const MAX_ROW_BYTES = 60_000;

/** Returns the largest size of a visit in a row, in bytes: its time, its short URL and the count of that. */
export function weighVisit({ short }: Visit): number {
  return 28 + 2 * short.length;
}

/** Appends the visits of a process to its own log. */
export class VisitLogWriter {
  readonly #store: Store;
  /** No other log of any process has this name. */
  #name = crypto.randomUUID();
  /** Number of visits before each row that may be in the log, and before the next one. */
  #before = [0];
  #first = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Number of visits of this process in the log, at most. */
  get backlog(): number {
    return (this.#before.at(-1) ?? 0) - (this.#before[0] ?? 0);
  }

  /** Commits visits of one hour; returns false and writes nothing when `check` or one of the counts has changed. */
  async append(visits: readonly Visit[], check: Deno.AtomicCheck, counts: LimitedCounts): Promise<boolean> {
    const { kv } = this.#store;
    const row = toLogRow(visits);
    const key = linkKeys.log(this.#name, this.#first + this.#before.length - 1);
    const [first = 0] = row.times;
    const count = BigInt(visits.length);
    try {
      const isCommitted = await durably(this.#store, async () => {
        const atomic = kv.atomic().check(check, ...counts.keys(), { key, versionstamp: null }).set(key, row);
        for (const [before, number] of counts) atomic.set(before.key, number);
        atomic.sum(linkKeys.visitCount(), count).sum(linkKeys.visitDay(dayOf(first)), count)
          .sum(linkKeys.visitHour(hourOf(first)), count);
        // Only an earlier attempt can have written the row.
        return (await atomic.commit()).ok || (await kv.get(key)).value !== null;
      });
      if (isCommitted) this.#before.push((this.#before.at(-1) ?? 0) + visits.length);
      return isCommitted;
    } catch (error) {
      // The row may still be written, also after later rows were applied. Nothing follows it in its log.
      this.#name = crypto.randomUUID();
      [this.#before, this.#first] = [[0], 0];
      throw error;
    }
  }

  /** Reads which rows are still in the log. */
  async measure(): Promise<void> {
    const name = this.#name;
    let first = this.#first + this.#before.length - 1;
    const listing = this.#store.kv.list({ prefix: linkKeys.log(name) }, { limit: 1 });
    for await (const { key } of listing) first = Math.min(first, toValue<number>(key[2]));
    if (name !== this.#name) return;
    this.#before.splice(0, first - this.#first);
    this.#first = first;
  }
}

function toLogRow(visits: readonly Visit[]): LogRow {
  const groups = Map.groupBy(visits, ({ short }) => short);
  const [counts, times]: [number[], Float64Array] = [[], new Float64Array(visits.length)];
  let end = 0;
  for (const own of groups.values()) {
    counts.push(own.length);
    for (const { at } of own) times[end++] = at;
  }
  return { shorts: [...groups.keys()], counts, times };
}

/** Times in milliseconds by short URL, in any order, of visits that are in no counter or page of a link. */
export type LoggedTimes = ReadonlyMap<string, readonly number[]>;

const BATCH = 200;

/** Adds the times of the short URLs of a row that are wanted. */
export function addTimes(
  times: Map<string, number[]>,
  row: LogRow,
  isWanted: (short: string) => boolean,
): void {
  let start = 0;
  for (const [number, short] of row.shorts.entries()) {
    const end = start + (row.counts[number] ?? 0);
    if (isWanted(short)) {
      const own = times.getOrInsertComputed(short, () => []);
      // Spreading a part of the times takes more than twice as long.
      for (let at = start; at < end; at++) own.push(row.times[at] ?? 0);
    }
    start = end;
  }
}

/**
 * Reads the visits of the logs that are not applied: of some short URLs, or of all. Compaction may go on meanwhile;
 * `readWithLog` says whether it touched a short URL.
 */
export async function readLoggedTimes(kv: Kv, wanted: ReadonlySet<string> | null): Promise<LoggedTimes> {
  const times = new Map<string, number[]>();
  if (wanted?.size === 0) return times;
  // The logs are read after this state of the compactor: rows that it applies later are taken as not applied.
  const { value: round } = await kv.get<CompactionRound>(linkKeys.round);
  for await (const { key, value } of kv.list<LogRow>({ prefix: linkKeys.log() }, { batchSize: BATCH })) {
    const isInRound = toValue<number>(key[2]) < (round?.ends.get(toValue<string>(key[1])) ?? 0);
    addTimes(
      times,
      value,
      (short) => (wanted === null || wanted.has(short)) && !(isInRound && isApplied(round, short)),
    );
  }
  return times;
}

/** Whether the rows of a round are applied to a short URL. */
export function isApplied(round: CompactionRound | null, short: string): boolean {
  return round !== null && (round.done === null || short <= round.done);
}

/**
 * Reads something that the compactor changes for some short URLs, and the visits of the logs that were not included
 * in it at that moment. `read` runs again when visits of one of them were applied meanwhile, which happens once in a
 * round, or folded.
 */
export async function readWithLog<T>(
  kv: Kv,
  shorts: readonly string[],
  read: () => Promise<T>,
): Promise<{ result: T; ranks: readonly Deno.KvEntryMaybe<Rank>[]; logged: LoggedTimes }> {
  const wanted = new Set(shorts);
  // Every change of a link's visits writes its rank.
  const keys = shorts.map((short) => linkKeys.rankOf(short));
  let before = await readMany<Rank>(kv, keys);
  for (;;) {
    const [result, logged] = [await read(), await readLoggedTimes(kv, wanted)];
    const ranks = await readMany<Rank>(kv, keys);
    if (ranks.every(({ versionstamp }, at) => versionstamp === before[at]?.versionstamp)) {
      return { result, ranks, logged };
    }
    before = ranks;
  }
}

/** Returns the number of visits of short URLs and their latest visit; unvisited ones are missing. */
export async function readRanks(kv: Kv, shorts: readonly string[]): Promise<Map<string, Rank>> {
  const { ranks: stored, logged } = await readWithLog(kv, shorts, () => Promise.resolve(true));
  const ranks = new Map<string, Rank>();
  for (const [at, short] of shorts.entries()) {
    const rank = stored[at]?.value ?? null;
    const times = logged.get(short) ?? [];
    if (rank === null && times.length === 0) continue;
    const last = times.reduce((max, time) => Math.max(max, time), rank?.last ?? 0);
    ranks.set(short, { count: (rank?.count ?? 0) + times.length, last });
  }
  return ranks;
}

export async function readVisitCount(kv: Kv, short: string): Promise<number> {
  return (await readRanks(kv, [short])).get(short)?.count ?? 0;
}
