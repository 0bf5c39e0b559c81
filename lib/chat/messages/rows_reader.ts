import type { Kv } from "@/lib/store/kv.ts";
import type { BatchedReads } from "@/lib/store/reads.ts";
import { type Key, keyName, toValue } from "@/lib/store/key.ts";

/** Reads the values of rows below a prefix by the number that ends their keys; absent rows are left out. */
export type RowsReader = <T>(prefix: Key, ids: readonly number[]) => Promise<ReadonlyMap<number, T>>;

/** Number of rows below which single reads are cheaper than a range. */
const MIN_RANGE = 8;
/** Number of rows that a range may hold for each requested one; more are not read. */
const MAX_ROWS_PER_ID = 2;
/** Length of the first range relative to that of the requested rows, growth from one range to the next, and maximum. */
const FIRST_STRETCH = 4;
const GROWTH = 4;
const MAX_STRETCH = 64;
const BATCH = 100;

/** Rows of a range; both ends are included. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly rows: ReadonlyMap<number, unknown>;
}

interface Progress {
  range: Range | null;
  /** Length of the next range, relative to that of the requested rows. */
  stretch: number;
}

/**
 * Creates a reader for rows that are requested in portions of ascending or of descending numbers. It reads ranges,
 * because most rows are usually absent, for some portions ahead. A row is then as of the time when its range was read,
 * so a reader must not outlive a request.
 */
export function createRowsReader({ kv }: { kv: Kv }, reads: BatchedReads): RowsReader {
  const known = new Map<string, Progress>();
  return async <T>(prefix: Key, ids: readonly number[]) => {
    const name = keyName(prefix);
    const progress = known.get(name) ?? { range: null, stretch: FIRST_STRETCH };
    known.set(name, progress);
    const wanted = { from: Math.min(...ids), to: Math.max(...ids) };
    if (progress.range === null || wanted.from < progress.range.from || wanted.to > progress.range.to) {
      if (ids.length < MIN_RANGE) return await readSingly<T>(reads, prefix, ids);
      progress.range = await readRange(kv, prefix, { ...toNextRange(progress, wanted), count: ids.length });
      progress.stretch = Math.min(progress.stretch * GROWTH, MAX_STRETCH);
    }
    return progress.range === null
      ? await readSingly<T>(reads, prefix, ids)
      : toValue<ReadonlyMap<number, T>>(progress.range.rows);
  };
}

/** Extends a range in the direction in which it left the last one; the first one to lower numbers. */
function toNextRange(
  { range, stretch }: Progress,
  { from, to }: { from: number; to: number },
): { from: number; to: number; stretch: number } {
  const ahead = (stretch - 1) * (to - from + 1);
  return range === null || from < range.from
    ? { from: Math.max(0, from - ahead), to, stretch }
    : { from, to: to + ahead, stretch };
}

/** Reads the rows of a range; null when there are too many. */
async function readRange(
  kv: Kv,
  prefix: Key,
  { from, to, stretch, count }: { from: number; to: number; stretch: number; count: number },
): Promise<Range | null> {
  const limit = MAX_ROWS_PER_ID * stretch * count;
  const rows = new Map<number, unknown>();
  const range = { start: [...prefix, from], end: [...prefix, to + 1] };
  for await (const { key, value } of kv.list(range, { limit: limit + 1, batchSize: BATCH })) {
    rows.set(Number(key.at(-1)), value);
  }
  return rows.size > limit ? null : { from, to, rows };
}

async function readSingly<T>(
  reads: BatchedReads,
  prefix: Key,
  ids: readonly number[],
): Promise<ReadonlyMap<number, T>> {
  const found = await Promise.all(ids.map((id) => reads.read<T>([...prefix, id])));
  const rows = new Map<number, T>();
  for (const [at, id] of ids.entries()) {
    const row = found[at] ?? null;
    if (row !== null) rows.set(id, row);
  }
  return rows;
}
