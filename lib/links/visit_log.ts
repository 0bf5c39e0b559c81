import type { Kv } from "@/lib/store/kv.ts";
import { toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { type CompactionRound, linkKeys, type LogRow, type Rank } from "./store.ts";

/** Times in milliseconds by short URL, in any order, of visits that are in no counter or page of a link. */
export type LoggedTimes = ReadonlyMap<string, readonly number[]>;

/** Number of rows that are read at once. */
const BATCH = 200;

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

/**
 * Reads the visits of the logs that are not applied: of some short URLs, or of all. Compaction may go on meanwhile;
 * `readWithLog` says whether it touched a short URL.
 */
export async function readLoggedTimes(kv: Kv, wanted: ReadonlySet<string> | null): Promise<LoggedTimes> {
  const times = new Map<string, number[]>();
  if (wanted?.size === 0) return times;
  // The logs are read after this state of the compactor: rows that it applies later are taken as not applied.
  const { value: round } = await kv.get<CompactionRound>(linkKeys.round);
  for await (const { key, value } of kv.list<LogRow>({ prefix: linkKeys.log }, { batchSize: BATCH })) {
    const isInRound = toValue<number>(key[2]) < (round?.ends.get(toValue<string>(key[1])) ?? 0);
    const isTail = (short: string) =>
      (wanted === null || wanted.has(short)) && !(isInRound && isApplied(round, short));
    for (const [short, start, end] of partsOf(value, isTail)) {
      const own = value.times.subarray(start, end);
      const known = times.get(short);
      if (known === undefined) times.set(short, [...own]);
      else known.push(...own);
    }
  }
  return times;
}

/** Whether the rows of a round are applied to a short URL. */
export function isApplied(round: CompactionRound | null, short: string): boolean {
  return round !== null && (round.done === null || short <= round.done);
}

/** A result of reading, and the visits of the logs at the same moment. */
export interface WithLog<T> {
  readonly result: T;
  readonly logged: LoggedTimes;
}

/**
 * Reads something that the compactor changes for some short URLs, and the visits of the logs that were not included
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
    const [result, logged] = [await read(), await readLoggedTimes(kv, wanted)];
    const after = await readMany<Rank>(kv, keys);
    const isOneMoment = after.every(({ versionstamp }, at) => versionstamp === before[at]?.versionstamp);
    if (isOneMoment && result !== null) return { result, logged };
    before = after;
  }
}

/** Returns the times of a short URL in the logs, ascending. */
export function toSortedTimes(logged: LoggedTimes, short: string): Float64Array {
  return Float64Array.from(logged.get(short) ?? []).sort();
}

/** Returns the number of visits of each short URL. */
export async function readVisitCounts(kv: Kv, shorts: readonly string[]): Promise<number[]> {
  const keys = shorts.map((short) => linkKeys.visitCountOf(short));
  const { result, logged } = await readWithLog(kv, shorts, () => readMany<Deno.KvU64>(kv, keys));
  return result.map(({ value }, at) =>
    Number(value?.value ?? 0n) + (logged.get(shorts[at] ?? "")?.length ?? 0)
  );
}

/** Returns the number of visits of a short URL. */
export async function readVisitCount(kv: Kv, short: string): Promise<number> {
  return (await readVisitCounts(kv, [short]))[0] ?? 0;
}

/** Returns the ranks of short URLs; unvisited ones are missing. */
export async function readRanks(kv: Kv, shorts: readonly string[]): Promise<Map<string, Rank>> {
  const keys = shorts.map((short) => linkKeys.rankOf(short));
  const { result, logged } = await readWithLog(kv, shorts, () => readMany<Rank>(kv, keys));
  const ranks = new Map<string, Rank>();
  for (const [at, { value }] of result.entries()) {
    const short = shorts[at] ?? "";
    const times = logged.get(short) ?? [];
    if (value === null && times.length === 0) continue;
    const last = times.reduce((max, time) => Math.max(max, time), value?.last ?? 0);
    ranks.set(short, { count: (value?.count ?? 0) + times.length, last });
  }
  return ranks;
}
