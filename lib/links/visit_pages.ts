import { COMMIT_BUDGET, type Kv } from "@/lib/store/kv.ts";
import { type Key, keyAfter, readRecord } from "@/lib/store/key.ts";
import { durably } from "@/lib/store/durably.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys } from "./store.ts";
import { readLoggedTimes, readWithLog } from "./visit_log.ts";

/** Visits in a full page: 20,000 bytes of times. */
export const PAGE_VISITS = 2500;
/** Bytes of an entry's key besides the id. */
const KEY_BYTES = 48;
/** Visits of a fold: 320,000 bytes of times. */
const FOLD_VISITS = 40_000;

/**
 * Progress of folding a short URL's entries. Entries before `start` are full pages that never change again;
 * those from `start` on may be folded, and every fold changes this record, so that readers notice it.
 */
interface Fold {
  readonly start: Key;
}

/** Times of an entry, ascending, in milliseconds since 1970 UTC. */
type Times = Float64Array;

/**
 * Folds a short URL's small entries into pages, in one commit for each bounded step. Counts and lists never
 * change: of two processes that fold at once, the fold's record makes one give way.
 */
export async function foldVisits(store: Store, short: string): Promise<void> {
  const { kv } = store;
  const keyBytes = KEY_BYTES + new TextEncoder().encode(short).length;
  const limit = Math.min(COMMIT_BUDGET.writes, Math.floor(COMMIT_BUDGET.keyBytes / keyBytes));
  for (let isFolded = true; isFolded;) {
    const fold = await kv.get<Fold>(linkKeys.visitFold(short));
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
    if (entries.length < 2) return;
    const name = `fold-${crypto.randomUUID()}`;
    const times = mergeTimes(entries.map(({ value }) => value));
    isFolded = await durably(store, async () => {
      const atomic = kv.atomic().check(fold);
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
  const logged = (await readLoggedTimes(kv, new Set([short]))).get(short) ?? [];
  const firstLogged = logged.reduce((first, time) => Math.min(first, time), Infinity);
  let from = -Infinity;
  for (;;) {
    const fold = await readRecord<Fold>(kv, linkKeys.visitFold(short));
    const to = Math.min(firstLogged, Number(fold?.start[2] ?? -Infinity));
    if (from < to) {
      const settled = { start: linkKeys.visits(short, from), end: linkKeys.visits(short, to) };
      for await (const { value } of kv.list<Times>(settled, { batchSize: 100 })) yield value;
      from = to;
    }
    const tail = await readTail(kv, short, from);
    if (tail !== null) return yield* tail;
  }
}

/** Returns the entries from a time on, and the visits in the log; null when they were folded meanwhile. */
async function readTail(kv: Kv, short: string, from: number): Promise<Times[] | null> {
  const { result, logged } = await readWithLog(kv, [short], async () => {
    // The tail may be folded between two batches of a listing, so it counts only if the fold's record is
    // unchanged.
    const before = await kv.get<Fold>(linkKeys.visitFold(short));
    const range = { start: linkKeys.visits(short, from), end: linkKeys.visits(short, Infinity) };
    const tail = await Array.fromAsync(kv.list<Times>(range, { batchSize: 1000 }), ({ value }) => value);
    const after = await kv.get<Fold>(linkKeys.visitFold(short));
    return after.versionstamp === before.versionstamp ? tail : null;
  });
  if (result === null) return null;
  const runs = [...result, Float64Array.from(logged.get(short) ?? []).sort()];
  return runs.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}
