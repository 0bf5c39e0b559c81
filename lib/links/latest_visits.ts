import type { Kv } from "@/lib/store/kv.ts";
import { linkKeys } from "./store.ts";
import { readWithLog } from "./visit_log.ts";

/** Number of visits on a page. */
const PAGE_VISITS_SHOWN = 25;
/** Entries of different processes may overlap by this many visits. */
const OVERLAP = 10;

/** Start of a page of visits: a time, and the number of visits at that time to skip. */
export interface VisitCursor {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly skip: number;
}

/** A page of visits. */
export interface VisitPage {
  /** Times in milliseconds, latest first. */
  readonly times: readonly number[];
  readonly next: VisitCursor | null;
}

/**
 * Returns a page of a short URL's visits, latest first. Only the last entries are read, so visits close to
 * each other may be out of order where the clocks of several servers differ.
 */
export async function listLatestVisits(
  kv: Kv,
  short: string,
  cursor: VisitCursor | null,
): Promise<VisitPage> {
  const { time, skip } = cursor ?? { time: Number.MAX_SAFE_INTEGER, skip: 0 };
  const needed = skip + PAGE_VISITS_SHOWN + 1;
  const { result, logged } = await readWithLog(kv, [short], () => listStored(kv, short, { time, needed }));
  const earlier = (logged.get(short) ?? []).filter((at) => at <= time);
  const found = [...result, ...earlier].sort((one, other) => other - one);
  const times = found.slice(skip, needed);
  const shown = times.slice(0, PAGE_VISITS_SHOWN);
  return { times: shown, next: times.length > shown.length ? cursorBehind(shown, { time, skip }) : null };
}

/** Returns at least the latest `needed` visits up to a time, of those that left the log, in any order. */
async function listStored(
  kv: Kv,
  short: string,
  { time, needed }: { time: number; needed: number },
): Promise<number[]> {
  const prefix = linkKeys.visitsOf(short);
  const selector = { prefix: [...prefix], end: [...prefix, time + 1] };
  const found: number[] = [];
  let beyond = 0;
  // Entries may be folded meanwhile; one batch of a listing is consistent.
  const limit = Math.min(needed + OVERLAP, 500);
  for await (
    const { value } of kv.list<Float64Array>(selector, { reverse: true, limit, batchSize: limit })
  ) {
    const times = value.filter((at) => at <= time);
    found.push(...times.subarray(Math.max(0, times.length - needed)));
    if (found.length >= needed && beyond++ >= OVERLAP) break;
  }
  return found;
}

function cursorBehind(shown: readonly number[], before: VisitCursor): VisitCursor {
  const last = shown.at(-1) ?? 0;
  const skip = shown.filter((time) => time === last).length;
  return { time: last, skip: last === before.time ? before.skip + skip : skip };
}
