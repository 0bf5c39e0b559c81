import type { Kv } from "@/lib/store/kv.ts";
import { toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { type CompactionRound, type JournalPart, linkKeys, type LogRow, type Rank } from "./store.ts";

/** Visits of the log that the compactor has not applied. */
export interface LogTail {
  /** Times in milliseconds by short URL, in any order, of visits that are in no counter or page of a link. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  /** Visits that only the ranking and the sums by day do not include. */
  readonly parts: readonly JournalPart[];
}

/** Number of rows that are read at once. */
const BATCH = 200;

/** A visit as the log stores it. */
export interface LoggedVisit {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Visits by short URL. */
export type VisitGroup = ReadonlyMap<string, readonly LoggedVisit[]>;

/** Packs visits into a row, those of each short URL by their time. */
export function toLogRow(group: VisitGroup): LogRow {
  const [shorts, counts]: [string[], number[]] = [[], []];
  const times = new Float64Array(sizeOf(group));
  let end = 0;
  for (const [short, visits] of group) {
    const start = end;
    for (const { at } of visits) times[end++] = at;
    if (visits.length > 1) times.subarray(start, end).sort();
    shorts.push(short);
    counts.push(visits.length);
  }
  return { shorts, counts, times };
}

/** Returns the number of visits of all short URLs. */
export function sizeOf(group: VisitGroup): number {
  let count = 0;
  for (const { length } of group.values()) count += length;
  return count;
}

/** Yields where the times of each short URL of a row that is wanted begin and end. */
export function* partsOf(
  { shorts, counts }: LogRow,
  isWanted: (short: string) => boolean,
): Generator<readonly [short: string, start: number, end: number]> {
  let start = 0;
  for (const [number, short] of shorts.entries()) {
    const end = start + (counts[number] ?? 0);
    if (isWanted(short)) yield [short, start, end];
    start = end;
  }
}

/** Returns whether a row that is being compacted is already applied to a short URL. */
export function createAppliedTest(
  round: CompactionRound | null,
  rows: readonly string[] | null,
): (batch: string, short: string) => boolean {
  const names = new Set(rows);
  const done = round === null ? "" : round.done;
  return (batch, short) => names.has(batch) && (done === null || short <= done);
}

/**
 * Reads the visits of the log that are not applied: of some short URLs, or of all. Compaction may go on meanwhile;
 * `readWithLog` says whether it touched a short URL.
 */
export async function readLogTail(kv: Kv, wanted: ReadonlySet<string> | null): Promise<LogTail> {
  if (wanted?.size === 0) return { times: new Map(), parts: [] };
  // The log is read after this state of the compactor: rows that it applies later are taken as not applied.
  const [round, rows] = await kv.getMany<[CompactionRound, string[]]>([linkKeys.round, linkKeys.roundRows]);
  const isApplied = createAppliedTest(round.value, rows.value);
  const isTail = (batch: string, short: string) =>
    (wanted === null || wanted.has(short)) && !isApplied(batch, short);
  const times = new Map<string, number[]>();
  for await (const { key, value } of kv.list<LogRow>({ prefix: linkKeys.log }, { batchSize: BATCH })) {
    const batch = toValue<string>(key[2]);
    for (const [short, start, end] of partsOf(value, (short) => isTail(batch, short))) {
      const own = value.times.subarray(start, end);
      const known = times.get(short);
      if (known === undefined) times.set(short, [...own]);
      else known.push(...own);
    }
  }
  const parts: JournalPart[] = [];
  for await (
    const { key, value } of kv.list<JournalPart[]>({ prefix: linkKeys.journal }, { batchSize: BATCH })
  ) {
    parts.push(...value.filter(({ short }) => isTail(toValue<string>(key[2]), short)));
  }
  return { times, parts };
}

/** A result of reading, and the visits of the log at the same moment. */
export interface WithLog<T> {
  readonly result: T;
  readonly log: LogTail;
}

/**
 * Reads something that the compactor changes for some short URLs, and the visits of the log that were not included
 * in it at that moment. `read` runs again when the compactor applied visits of one of them meanwhile, which happens
 * once in a round, and when it returns null.
 */
export async function readWithLog<T>(
  kv: Kv,
  shorts: readonly string[],
  read: () => Promise<T | null>,
): Promise<WithLog<T>> {
  const wanted = new Set(shorts);
  // Every application of visits to a link changes its rank.
  const keys = shorts.map((short) => linkKeys.rankOf(short));
  let before = await readMany<Rank>(kv, keys);
  for (;;) {
    const [result, log] = [await read(), await readLogTail(kv, wanted)];
    const after = await readMany<Rank>(kv, keys);
    const isOneMoment = after.every(({ versionstamp }, at) => versionstamp === before[at]?.versionstamp);
    if (isOneMoment && result !== null) return { result, log };
    before = after;
  }
}

/** Returns the times of a short URL in the log, ascending. */
export function toSortedTimes(log: LogTail, short: string): Float64Array {
  return Float64Array.from(log.times.get(short) ?? []).sort();
}

/** Returns the number of visits of each short URL. */
export async function readVisitCounts(kv: Kv, shorts: readonly string[]): Promise<number[]> {
  const keys = shorts.map((short) => linkKeys.visitCountOf(short));
  const { result, log } = await readWithLog(kv, shorts, () => readMany<Deno.KvU64>(kv, keys));
  return result.map(({ value }, at) =>
    Number(value?.value ?? 0n) + (log.times.get(shorts[at] ?? "")?.length ?? 0)
  );
}

/** Returns the number of visits of a short URL. */
export async function readVisitCount(kv: Kv, short: string): Promise<number> {
  return (await readVisitCounts(kv, [short]))[0] ?? 0;
}

/** Returns the ranks of short URLs; unvisited ones are missing. */
export async function readRanks(kv: Kv, shorts: readonly string[]): Promise<Map<string, Rank>> {
  const keys = shorts.map((short) => linkKeys.rankOf(short));
  const { result, log } = await readWithLog(kv, shorts, () => readMany<Rank>(kv, keys));
  const ranks = new Map<string, Rank>();
  const add = (short: string, { count, last }: Rank) => {
    const known = ranks.get(short) ?? { count: 0, last: 0 };
    ranks.set(short, { count: known.count + count, last: Math.max(known.last, last) });
  };
  for (const [at, { value }] of result.entries()) if (value !== null) ranks.set(shorts[at] ?? "", value);
  for (const part of log.parts) add(part.short, part);
  for (const [short, times] of log.times) add(short, { count: times.length, last: maxOf(times) });
  return ranks;
}

function maxOf(times: readonly number[]): number {
  return times.reduce((max, time) => Math.max(max, time), 0);
}
