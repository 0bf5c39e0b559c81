import { COMMIT_BUDGET, type Kv } from "@/lib/store/kv.ts";
import { type Key, keyAfter, readRecord } from "@/lib/store/key.ts";
import { durably } from "@/lib/store/durably.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys, type Rank, sizeOfKey } from "./store.ts";
import { readLoggedTimes, readWithLog } from "./visit_log.ts";

/** Visits in a full page: 20,000 bytes of times. */
export const PAGE_VISITS = 2500;
/** Visits of a fold: 320,000 bytes of times. */
const FOLD_VISITS = 40_000;

/** Number of steps of a fold that may fail because other visits are applied meanwhile; the next fold continues. */
const MAX_FAILED = 5;

/** Progress of folding a short URL's entries: those before `start` are full pages that never change again. */
interface Fold {
  readonly start: Key;
}

/** Times of an entry, ascending, in milliseconds since 1970 UTC. */
type Times = Float64Array;

/**
 * Folds a short URL's small entries into pages, in one commit for each bounded step. Counts and lists never
 * change. Each commit writes the link's rank again: of two that change the entries at once, one gives way, and a reader
 * of the entries notices.
 */
export async function foldVisits(store: Store, short: string): Promise<void> {
  const { kv } = store;
  const limit = Math.floor(COMMIT_BUDGET.keyBytes / sizeOfKey(short.length));
  for (let failed = 0; failed < MAX_FAILED;) {
    const keys = [linkKeys.visitFold(short), linkKeys.rankOf(short)] as const;
    const [fold, rank] = await kv.getMany<[Fold, Rank]>(keys);
    const range = {
      start: fold.value?.start ?? linkKeys.visits(short),
      end: linkKeys.visits(short, Infinity),
    };
    const entries: Deno.KvEntry<Times>[] = [];
    let visits = 0;
    for await (const entry of kv.list<Times>(range, { limit, batchSize: 300 })) {
      visits += entry.value.length;
      if (visits > FOLD_VISITS && entries.length > 0) break;
      entries.push(entry);
    }
    // The visits of a deleted link may be removed meanwhile, with its rank.
    if (entries.length < 2 || rank.value === null) return;
    const name = `fold-${crypto.randomUUID()}`;
    const times = mergeTimes(entries.map(({ value }) => value));
    const isFolded = await durably(store, async () => {
      const atomic = kv.atomic().check(rank).set(rank.key, rank.value);
      for (const { key } of entries) atomic.delete(key);
      let start: Key = [];
      for (let at = 0; at < times.length; at += PAGE_VISITS) {
        const page = times.slice(at, at + PAGE_VISITS);
        const number = String(at / PAGE_VISITS).padStart(4, "0");
        const key = linkKeys.visits(short, page[0] ?? 0, `${name}-${number}`);
        atomic.set(key, page);
        start = page.length < PAGE_VISITS ? key : keyAfter(key);
      }
      atomic.set(linkKeys.visitFold(short), { start } satisfies Fold);
      return (await atomic.commit()).ok;
    });
    if (!isFolded) failed++;
  }
}

function mergeTimes(lists: readonly Times[]): Times {
  return Float64Array.from(lists.flatMap((times) => [...times])).sort();
}

/**
 * Yields all visits of a short URL, oldest first, in runs of some thousand times. Memory stays bounded by one
 * page, the unfolded tail and the visits in the log. A visit that is stored meanwhile may or may not be included;
 * none is repeated or missed.
 */
export async function* readVisits(kv: Kv, short: string): AsyncGenerator<Times> {
  // Runs may overlap: of two, the later one begins later, but not after all times of the other.
  let held: Times = new Float64Array(0);
  let last = -Infinity;
  for await (const run of listRuns(kv, short)) {
    // Earlier times are those of visits that were stored during the reading.
    const times = (run[0] ?? 0) < last ? run.filter((time) => time >= last) : run;
    const start = times[0];
    if (start === undefined) continue;
    const ready = held.subarray(0, held.findLastIndex((time) => time <= start) + 1);
    if (ready.length > 0) yield ready;
    last = ready.at(-1) ?? last;
    held = ready.length === held.length ? times : mergeTimes([held.subarray(ready.length), times]);
  }
  if (held.length > 0) yield held;
}

/** Yields the entries of a short URL and its visits in the log by their first times. */
async function* listRuns(kv: Kv, short: string): AsyncGenerator<Times> {
  // Visits that are in the log now may enter entries from their time on while others are read.
  const early = (await readLoggedTimes(kv, new Set([short]))).get(short) ?? [];
  const fold = await readRecord<Fold>(kv, linkKeys.visitFold(short));
  const settled = early.reduce(
    (first, time) => Math.min(first, time),
    Number(fold?.start[2] ?? -Infinity),
  );
  if (settled > -Infinity) {
    const pages = { prefix: linkKeys.visits(short), end: linkKeys.visits(short, settled) };
    for await (const { value } of kv.list<Times>(pages, { batchSize: 100 })) yield value;
  }
  const others = { start: linkKeys.visits(short, settled), end: linkKeys.visits(short, Infinity) };
  const { result, logged } = await readWithLog(
    kv,
    [short],
    () => Array.fromAsync(kv.list<Times>(others, { batchSize: 1000 }), ({ value }) => value),
  );
  const runs = [...result, Float64Array.from(logged.get(short) ?? []).sort()];
  yield* runs.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}
