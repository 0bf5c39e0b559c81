import { systemClock } from "../core/clock.ts";
import { dayOf, hourOf } from "../core/days.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "../store/bulk_writer.ts";
import { type Key, readCount, toEntry, toValue } from "../store/key.ts";
import { VERSION_KEY } from "../store/migrate.ts";
import type { Store } from "../store/open.ts";
import { retryLocked } from "../store/retry.ts";
import { transact } from "../store/transact.ts";

const LINKS_IN_PACK = 100;
const MAX_VALUE_BYTES = 65_536;

/**
 * Runs a step from a version. All that it writes follows from what it does not change, so it may run again after an
 * interruption, and in several processes; nothing is written after one of them has completed it.
 */
async function migrateFrom(
  { kv }: Store,
  version: number,
  write: (writer: BulkWriter) => Promise<void>,
): Promise<void> {
  const stored = await kv.get<number>(VERSION_KEY);
  if (stored.value !== version) return;
  const writer = new BulkWriter(kv, (atomic) => {
    const checked = atomic.check(stored);
    return retryLocked(() => checked.commit());
  });
  await write(writer);
  await writer.flush();
}

/**
 * Migrates from version 2 to 3: counts visits and new links by day, and builds the ranking and the order of
 * all links. Ids come in the order of their keys, so all creation times are held in memory for sorting: some hundred
 * bytes a link.
 */
export function addLinkStatistics(store: Store): Promise<void> {
  return migrateFrom(store, 2, async (writer) => {
    const [visitDays, linkDays] = [new Map<number, number>(), new Map<number, number>()];
    const links: { readonly short: string; readonly time: number }[] = [];
    for await (const listed of store.kv.list({ prefix: ["link"] }, { batchSize: 1000 })) {
      const { key, value } = toEntry<{ createdAt: number }>(listed);
      const short = toValue<string>(key[1]);
      links.push({ short, time: value.createdAt });
      addTo(linkDays, dayOf(value.createdAt), 1);
      for (const [day, visits] of await rankLink(store.kv, writer, short)) addTo(visitDays, day, visits);
    }
    links.sort((one, other) => one.time - other.time);
    for (let at = 0; at < links.length; at += LINKS_IN_PACK) {
      const shorts = links.slice(at, at + LINKS_IN_PACK).map(({ short }) => short);
      const batch = `pack-${String(at / LINKS_IN_PACK).padStart(9, "0")}`;
      await writer.set(["link_made", links[at]?.time ?? 0, batch], shorts, bytesOf(shorts));
    }
    await writeSums(writer, ["link_day"], linkDays);
    await writeSums(writer, ["visit_day"], visitDays);
  });
}

/** Writes the rank of a link and its sums by day, from its stored visits; returns these sums. */
async function rankLink(kv: Kv, writer: BulkWriter, short: string): Promise<ReadonlyMap<number, number>> {
  const days = new Map<number, number>();
  const rank = { count: 0, last: 0 };
  for await (const { value } of kv.list<Float64Array>({ prefix: ["visit", short] }, { batchSize: 100 })) {
    rank.count += value.length;
    rank.last = value.reduce((last, time) => Math.max(last, time), rank.last);
    for (const time of value) addTo(days, dayOf(time), 1);
  }
  const { value: old } = await kv.get<typeof rank>(["link_rank_of", short]);
  if (old !== null && old.count !== rank.count) await writer.delete(["link_rank", old.count, short]);
  if (rank.count === 0) return days;
  await writer.set(["link_rank", rank.count, short], rank.last);
  await writer.set(["link_rank_of", short], rank);
  await writeSums(writer, ["visit_day_of", short], days);
  return days;
}

function addTo(sums: Map<number, number>, day: number, count: number): void {
  sums.set(day, (sums.get(day) ?? 0) + count);
}

async function writeSums(writer: BulkWriter, prefix: Key, sums: ReadonlyMap<number, number>): Promise<void> {
  for (const [day, count] of sums) await writer.set([...prefix, day], new Deno.KvU64(BigInt(count)));
}

function bytesOf(shorts: readonly string[]): number {
  return shorts.reduce((sum, { length }) => sum + 2 * length + 8, 0);
}

/**
 * Enters all existing links in the queue of the index of words, which is built while the server runs. A second run
 * enters them again, and indexing a link twice changes nothing.
 */
export async function queueLinksForIndex(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const listed of store.kv.list({ prefix: ["link_made"] }, { batchSize: 100 })) {
    const { key, value } = toEntry<string[]>(listed);
    await writer.set(["link_unindexed", ...key.slice(1)], value, bytesOf(value));
  }
  await writer.flush();
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

/** Journals of visits that only the ranks and the sums by day of their links did not include; the latter in version 9. */
const JOURNALS = ["visit_journal", "visit_merged"];

/**
 * Migrates from version 16 to 17: each row of the log becomes a log of its own, as far as a round that is under way has
 * not applied it, and links with visits in journals are ranked again. Servers of earlier versions, which draw ids that
 * a block of another process may contain, cannot start from then on.
 */
export function logByWriter(store: Store): Promise<void> {
  return migrateFrom(store, 16, async (writer) => {
    const { kv } = store;
    const keys = [["visit_round"], ["visit_round_rows"]] as const;
    const [round, names] = await kv.getMany<[{ done: string | null }, string[]]>([...keys]);
    const named = new Set<unknown>(names.value);
    const done = round.value === null ? "" : round.value.done;
    for await (const { key, value } of kv.list<Row>({ prefix: ["visit_log"] }, { batchSize: 100 })) {
      const [, time, name = ""] = key;
      // The rows of the new logs have a name and a number.
      if (typeof time !== "number") continue;
      const row = named.has(name) ? withoutApplied(value, done) : value;
      if (row.times.length > 0) await writer.set(["visit_log", name, 0], row, MAX_VALUE_BYTES);
      await writer.delete(key);
      // Both are in one commit, so that an earlier version which starts again does not apply the row twice.
      await writer.flush();
    }
    const journals = JOURNALS.map((name) =>
      kv.list<{ short: string }[]>({ prefix: [name] }, { batchSize: 50 })
    );
    const entries = (await Promise.all(journals.map((listing) => Array.fromAsync(listing)))).flat();
    const shorts = new Set(entries.flatMap(({ value }) => value.map(({ short }) => short)));
    for (const short of shorts) await rankLink(kv, writer, short);
    for (const key of [...entries.map(({ key }) => key), ["link_rank_step"], ...keys]) {
      await writer.delete(key);
    }
  });
}

/** Returns a row without the visits of the short URLs up to `done`; without any visit if that is null. */
function withoutApplied({ shorts, counts, times }: Row, done: string | null): Row {
  const left: { shorts: string[]; counts: number[]; times: number[] } = { shorts: [], counts: [], times: [] };
  let start = 0;
  for (const [at, short] of shorts.entries()) {
    const end = start + (counts[at] ?? 0);
    if (done !== null && short > done) {
      left.shorts.push(short);
      left.counts.push(end - start);
      left.times.push(...times.subarray(start, end));
    }
    start = end;
  }
  return { ...left, times: Float64Array.from(left.times) };
}
