import { COMMIT_BUDGET, type Kv } from "@/lib/store/kv.ts";
import { type Entry, type Key, keyAfter, toEntry } from "@/lib/store/key.ts";
import { durably } from "@/lib/store/durably.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys } from "./store.ts";
import { type LoggedTimes, readLoggedTimes, readWithLog } from "./visit_log.ts";

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
  for (;;) {
    const fold = await store.kv.get<Fold>(linkKeys.visitFold(short));
    const entries = await readFoldable(store.kv, short, fold.value);
    if (entries.length < 2) return;
    if (!await durably(store, () => commitFold(store.kv, short, { fold, entries }))) return;
  }
}

async function readFoldable(kv: Kv, short: string, fold: Fold | null): Promise<Entry<Times>[]> {
  const entries: Entry<Times>[] = [];
  let visits = 0;
  const keyBytes = KEY_BYTES + new TextEncoder().encode(short).length;
  const limit = Math.min(COMMIT_BUDGET.writes, Math.floor(COMMIT_BUDGET.keyBytes / keyBytes));
  const range = entriesFrom(short, fold?.start ?? linkKeys.visits(short));
  for await (const entry of kv.list<Times>(range, { limit, batchSize: 300 })) {
    visits += entry.value.length;
    if (visits > FOLD_VISITS && entries.length > 0) break;
    entries.push(toEntry<Times>(entry));
  }
  return entries;
}

async function commitFold(
  kv: Kv,
  short: string,
  { fold, entries }: { fold: Deno.KvEntryMaybe<Fold>; entries: readonly Entry<Times>[] },
): Promise<boolean> {
  const atomic = kv.atomic().check(fold);
  for (const { key } of entries) atomic.delete(key);
  let start: Key = [];
  const name = `fold-${crypto.randomUUID()}`;
  const times = mergeTimes(entries.map(({ value }) => value));
  for (let at = 0; at < times.length; at += PAGE_VISITS) {
    const page = times.slice(at, at + PAGE_VISITS);
    const number = String(at / PAGE_VISITS).padStart(4, "0");
    const key = linkKeys.visits(short, page[0] ?? 0, `${name}-${number}`);
    atomic.set(key, page);
    start = page.length < PAGE_VISITS ? key : keyAfter(key);
  }
  atomic.set(linkKeys.visitFold(short), { start } satisfies Fold);
  return (await atomic.commit()).ok;
}

/** Returns the times of a short URL in the logs, ascending. */
function toSortedTimes(logged: LoggedTimes, short: string): Times {
  return Float64Array.from(logged.get(short) ?? []).sort();
}

function mergeTimes(lists: readonly Times[]): Times {
  const merged = new Float64Array(lists.reduce((size, times) => size + times.length, 0));
  let at = 0;
  for (const times of lists) {
    merged.set(times, at);
    at += times.length;
  }
  return merged.sort();
}

/**
 * Yields all visits of a short URL, oldest first, in runs of some thousand times. Memory stays bounded by one
 * page, the unfolded tail and the visits in the log. A visit that is stored meanwhile may or may not be included;
 * none is repeated or missed.
 */
export async function* readVisits(kv: Kv, short: string): AsyncGenerator<Times> {
  const order = createMerger();
  // Visits that are in the log now may enter entries from their time on while others are read.
  const logged = toSortedTimes(await readLoggedTimes(kv, new Set([short])), short);
  const firstLogged = linkKeys.visits(short, logged[0] ?? Infinity, "");
  let from: Key = linkKeys.visits(short);
  for (;;) {
    const fold = (await kv.get<Fold>(linkKeys.visitFold(short))).value;
    if (fold !== null) {
      const end = isBefore(firstLogged, fold.start) ? firstLogged : fold.start;
      if (isBefore(from, end)) {
        const settled = kv.list<Times>({ start: from, end }, { batchSize: 100 });
        for await (const { value } of settled) yield* order.push(value);
        from = end;
      }
    }
    const tail = await readTail(kv, short, from);
    if (tail === null) continue;
    for (const times of tail) yield* order.push(times);
    yield* order.finish();
    return;
  }
}

/** Returns the entries from a key on, and the visits in the log; null when they were folded meanwhile. */
async function readTail(kv: Kv, short: string, from: Key): Promise<Times[] | null> {
  const { result, logged } = await readWithLog(kv, [short], async () => {
    // The tail may be folded between two batches of a listing, so it counts only if the fold's record is
    // unchanged.
    const before = await kv.get<Fold>(linkKeys.visitFold(short));
    const tail: Times[] = [];
    for await (const { value } of kv.list<Times>(entriesFrom(short, from), { batchSize: 1000 })) {
      tail.push(value);
    }
    const after = await kv.get<Fold>(linkKeys.visitFold(short));
    return { tail: after.versionstamp === before.versionstamp ? tail : null };
  });
  if (result.tail === null) return null;
  return [...result.tail, toSortedTimes(logged, short)].sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}

/** Whether a position in the list of a short URL comes before another; the key of the list comes first. */
function isBefore(one: Key, other: Key): boolean {
  const [time, otherTime] = [Number(one[2] ?? -Infinity), Number(other[2] ?? -Infinity)];
  if (time !== otherTime) return time < otherTime;
  const [batch, otherBatch] = [String(one[3] ?? ""), String(other[3] ?? "")];
  return batch === otherBatch ? one.length < other.length : batch < otherBatch;
}

function entriesFrom(short: string, start: Key): Deno.KvListSelector {
  const prefix = linkKeys.visits(short);
  return start.length === prefix.length ? { prefix } : { prefix, start };
}

/**
 * Merges runs whose starts ascend, but which may overlap, into ascending order. Times before those that are
 * already yielded are left out: only visits that were stored during the reading have them.
 */
function createMerger(): { push(times: Times): Iterable<Times>; finish(): Iterable<Times> } {
  let held: Times = new Float64Array(0);
  let yielded = -Infinity;
  return {
    *push(run) {
      const times = (run[0] ?? 0) < yielded ? run.filter((time) => time >= yielded) : run;
      const start = times[0];
      if (start === undefined) return;
      if (held.length > 0) yielded = Math.max(yielded, Math.min(start, held.at(-1) ?? start));
      const last = held.at(-1);
      if (last === undefined || last <= start) {
        if (last !== undefined) yield held;
        held = times;
        return;
      }
      const ready = held.findIndex((time) => time > start);
      if (ready > 0) yield held.subarray(0, ready);
      held = mergeTimes([held.subarray(ready), times]);
    },
    *finish() {
      if (held.length > 0) yield held;
    },
  };
}
