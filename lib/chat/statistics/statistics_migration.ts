import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { retryLocked } from "@/lib/store/retry.ts";
import { SUM_SOURCES, SumSlice } from "./stored_sums.ts";

const VERSION_KEY = ["schema_version"];
/** Version after this migration; it is written last. */
const VERSION = 9;
const PROGRESS_KEY = ["day_sum_progress"];

/** Next slice: records of an organization after an id. */
interface Progress {
  readonly realmId: number;
  /** Position in SUM_SOURCES. */
  readonly source: number;
  readonly after: number;
}

/**
 * Counts stored messages, users, invitations and uploads by day. Each commit adds the sums of a slice of records and
 * moves the progress, which it checks: an interrupted migration continues where it was, and several processes take
 * turns. The last commit writes the version, so no record is counted again; processes serve, and count what they
 * store, after that.
 */
export async function addDaySums({ kv }: Store): Promise<void> {
  for (;;) {
    const version = await kv.get<number>(VERSION_KEY);
    if ((version.value ?? 1) >= VERSION) return;
    const progress = await kv.get<Progress>(PROGRESS_KEY);
    const next = await findNext(kv, progress.value);
    const atomic = kv.atomic().check(version, progress);
    if (next === null) atomic.set(VERSION_KEY, VERSION).delete(PROGRESS_KEY);
    else await addSlice(kv, atomic, next);
    // A failed check means that another process took this step.
    await retryLocked(() => atomic.commit());
  }
}

/** Returns the next slice, in the first organization that is left; null after the last one. */
async function findNext(kv: Kv, progress: Progress | null): Promise<Progress | null> {
  const realms = { prefix: ["realm"], start: ["realm", progress?.realmId ?? 0] };
  for await (const { key: [, realmId] } of kv.list(realms, { limit: 1 })) {
    if (progress !== null && realmId === progress.realmId) return progress;
    return { realmId: Number(realmId), source: 0, after: 0 };
  }
  return null;
}

/** Adds the sums of the next slice, and the progress after it, to a commit. */
async function addSlice(
  kv: Kv,
  atomic: AtomicOperation,
  { realmId, source, after }: Progress,
): Promise<void> {
  const { records = "", addSums } = SUM_SOURCES[source] ?? {};
  const slice = new SumSlice(kv, realmId);
  const found = await listRecords(kv, [realmId, records], after);
  await addSums?.(slice, found.map(({ value }) => value));
  for (const { key, amount } of slice.sums) atomic.sum(key, amount);
  const last = found.at(-1)?.key.at(-1);
  const isLastSource = source + 1 >= SUM_SOURCES.length;
  const next: Progress = found.length === RECORDS_AT_ONCE
    ? { realmId, source, after: Number(last) }
    : isLastSource
    ? { realmId: realmId + 1, source: 0, after: 0 }
    : { realmId, source: source + 1, after: 0 };
  atomic.set(PROGRESS_KEY, next);
}

/** Records of a slice; each adds to two sums at most, and a commit takes a thousand. */
const RECORDS_AT_ONCE = 400;

function listRecords(kv: Kv, prefix: Key, after: number) {
  const selector = { prefix, start: [...prefix, after + 1] };
  const records = kv.list(selector, { limit: RECORDS_AT_ONCE, batchSize: 100 });
  return Array.fromAsync(records, (entry) => toEntry<unknown>(entry));
}
