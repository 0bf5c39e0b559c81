import type { AtomicOperation } from "@/lib/store/kv.ts";
import { systemClock } from "../core/clock.ts";
import { hourOf } from "../core/days.ts";
import { BulkWriter } from "../store/bulk_writer.ts";
import { durably } from "../store/durably.ts";
import { type Entry, type Key, readCount, toEntry, toValue } from "../store/key.ts";
import type { Store } from "../store/open.ts";
import { transact } from "../store/transact.ts";

/**
 * Enters all existing links in the queue of the index of words, which is built while the server runs. A second run
 * enters them again, and indexing a link twice changes nothing.
 */
export async function queueLinksForIndex(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const listed of store.kv.list({ prefix: ["link_made"] }, { batchSize: 100 })) {
    const { key, value } = toEntry<string[]>(listed);
    const bytes = value.reduce((sum, { length }) => sum + 2 * length + 8, 0);
    await writer.set(["link_unindexed", ...key.slice(1)], value, bytes);
  }
  await writer.flush();
}

/** Journals that the previous version merged before it read them. */
const MERGED = "visit_merged";
/** State of the previous version's ranking. */
const RANK_STEP = ["link_rank_step"];

/**
 * Migrates from version 9 to 10: journals of visits stay, because the compactor of the log reads them, and merged
 * ones become journals again. Each moves in a commit of its own, so an interruption loses and doubles nothing.
 */
export async function startVisitLog(store: Store): Promise<void> {
  for await (
    const entry of store.kv.list<readonly { last: number }[]>({ prefix: [MERGED] }, { batchSize: 20 })
  ) {
    const { key, value } = entry;
    const name = `${toValue<string>(key[1])}-${String(key[2])}`;
    // If the check fails, another process moved it.
    await durably(
      store,
      () =>
        store.kv.atomic().check(entry).delete(key).set(["visit_journal", value[0]?.last ?? 0, name], value)
          .commit(),
    );
  }
  await durably(store, () => store.kv.delete(RANK_STEP));
}

/**
 * Migrates from version 10 to 11: visits are counted by hour as well from now on, so the sums of the next hour are the
 * first that have all visits. A store without visits has none that are missing.
 */
export async function startVisitHours(store: Store): Promise<void> {
  if (await readCount(store.kv, ["visit_count"]) === 0n) return;
  const next = hourOf(systemClock.now()) + 1;
  await transact(store, async (tx) => {
    if (await tx.get<number>(["visit_hours_since"]) === null) tx.set(["visit_hours_since"], next);
  });
}

/** Visits of a commit by short URL, and their times in this order. */
interface Row {
  readonly shorts: readonly string[];
  readonly counts: readonly number[];
  readonly times: Float64Array;
}

/** Visits that only the rank and the sum by day of a link do not include. */
interface Part {
  readonly short: string;
  readonly day: number;
  readonly count: number;
  readonly last: number;
}

interface Rank {
  readonly count: number;
  readonly last: number;
}

/** Whether a row of the former round is applied to a short URL. */
type AppliedTest = (batch: unknown, short: string) => boolean;

/** Parts of a journal in one commit: four writes each, with keys of up to 250 bytes. */
const PARTS_AT_ONCE = 40;

/**
 * Migrates from version 16 to 17: the rows of the log move to a log of their own, as far as a round that is under
 * way has not applied them, and the journals are applied. Each commit checks and removes what it moves, so an
 * interruption or another process loses and doubles nothing. Servers of earlier versions, which draw ids that a block of
 * another process may contain, cannot start from then on.
 */
export async function logByWriter(store: Store): Promise<void> {
  const [round, names] = await store.kv.getMany<[{ done: string | null }, string[]]>([
    ["visit_round"],
    ["visit_round_rows"],
  ]);
  const named = new Set<unknown>(names.value);
  const done = round.value === null ? "" : round.value.done;
  const isApplied: AppliedTest = (batch, short) => named.has(batch) && (done === null || short <= done);
  for (const journal of await listOld<Part[]>(store, "visit_journal")) {
    await applyJournal(store, journal, isApplied);
  }
  const writer = `migrated-${crypto.randomUUID()}`;
  for (const [number, entry] of (await listOld<Row>(store, "visit_log")).entries()) {
    const row = withoutApplied(entry, isApplied);
    await durably(store, () => {
      const atomic = store.kv.atomic().check(entry).delete(entry.key);
      if (row.times.length > 0) atomic.set(["visit_log", writer, number], row);
      return atomic.commit();
    });
  }
  await durably(store, () => store.kv.atomic().delete(round.key).delete(names.key).commit());
}

/** Lists rows whose keys have a time and a name; those of the new logs have a name and a number. */
async function listOld<T>({ kv }: Store, name: string): Promise<Entry<T>[]> {
  const entries: Entry<T>[] = [];
  for await (const listed of kv.list({ prefix: [name] }, { batchSize: 100 })) {
    const entry = toEntry<T>(listed);
    if (typeof entry.key[1] === "number") entries.push(entry);
  }
  return entries;
}

function withoutApplied({ key, value }: Entry<Row>, isApplied: AppliedTest): Row {
  const [shorts, counts, times]: [string[], number[], number[]] = [[], [], []];
  let start = 0;
  for (const [at, short] of value.shorts.entries()) {
    const end = start + (value.counts[at] ?? 0);
    if (!isApplied(key[2], short)) {
      shorts.push(short);
      counts.push(end - start);
      times.push(...value.times.subarray(start, end));
    }
    start = end;
  }
  return { shorts, counts, times: Float64Array.from(times) };
}

/** Adds the visits of a journal to the ranks and the sums by day, some in each commit. */
async function applyJournal(store: Store, journal: Entry<Part[]>, isApplied: AppliedTest): Promise<void> {
  let entry: Deno.KvEntryMaybe<Part[]> = journal;
  while (entry.value !== null) {
    const parts = entry.value.filter(({ short }) => !isApplied(entry.key[2], short));
    const [now, later] = [parts.slice(0, PARTS_AT_ONCE), parts.slice(PARTS_AT_ONCE)];
    const ranks = await Promise.all(now.map(({ short }) => store.kv.get<Rank>(rankOf(short))));
    const checked = entry;
    await durably(store, () => {
      const atomic = store.kv.atomic().check(checked, ...ranks);
      if (later.length === 0) atomic.delete(checked.key);
      else atomic.set(checked.key, later);
      for (const [at, part] of now.entries()) addPart(atomic, part, ranks[at]?.value ?? null);
      return atomic.commit();
    });
    entry = await store.kv.get<Part[]>(journal.key);
  }
}

function addPart(atomic: AtomicOperation, { short, day, count, last }: Part, old: Rank | null): void {
  const rank: Rank = { count: (old?.count ?? 0) + count, last: Math.max(old?.last ?? 0, last) };
  if (old !== null) atomic.delete(["link_rank", old.count, short]);
  atomic.set(["link_rank", rank.count, short], rank.last).set(rankOf(short), rank);
  atomic.sum(["visit_day_of", short, day], BigInt(count));
}

function rankOf(short: string): Key {
  return ["link_rank_of", short];
}
