import { dayOf, hourOf, systemClock } from "../core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "../store/bulk_writer.ts";
import { readCount, toEntry } from "../store/key.ts";
import { VERSION_KEY } from "../store/migrate.ts";
import type { Store } from "../store/open.ts";
import { retryLocked } from "../store/retry.ts";
import { transact } from "../store/transact.ts";

/** Journals of visits that the ranks and the sums by day of their links do not include. */
const JOURNALS = ["visit_journal", "visit_merged"];
/** Log with the rows of a round that is under way. */
const ROUND_LOG = "round";

/**
 * Migrates from a version: each row of the log becomes a log of its own, except those of a round that is under way, which
 * become one log and the round; and links with visits in journals are ranked again. All that it writes follows from what
 * it does not change, so it may run again after an interruption, and in several processes; nothing is written after one
 * of them has completed the migration. Earlier servers draw ids that a block of another process may contain.
 */
export async function logByWriter({ kv }: Store, version: number): Promise<void> {
  const stored = await kv.get<number>(VERSION_KEY);
  if (stored.value !== version) return;
  const writer = new BulkWriter(kv, (atomic) => {
    const checked = atomic.check(stored);
    return retryLocked(() => checked.commit());
  });
  const keys = [["visit_round"], ["visit_round_rows"]] as const;
  const [round, names] = await kv.getMany<[{ done: string | null }, string[]]>([...keys]);
  for await (const { key, value } of kv.list({ prefix: ["visit_log"] }, { batchSize: 100 })) {
    const [, time, name = ""] = key;
    // The rows of the new logs have a name and a number.
    if (typeof time !== "number") continue;
    const number = names.value?.indexOf(String(name)) ?? -1;
    const moved = number === -1 ? ["visit_log", name, 0] : ["visit_log", ROUND_LOG, number];
    await writer.set(moved, value);
    await writer.delete(key);
    // Both are in one commit, so that an earlier version which starts again does not apply the row twice.
    await writer.flush();
  }
  if (round.value !== null && names.value !== null) {
    const ends = new Map([[ROUND_LOG, names.value.length]]);
    await writer.set(["visit_log_round"], { owner: "", ends, done: round.value.done });
  }
  for (const key of keys) await writer.delete(key);
  // In one commit, because the round is not known again after it.
  await writer.flush();
  const journals = JOURNALS.map((name) =>
    kv.list<{ short: string }[]>({ prefix: [name] }, { batchSize: 50 })
  );
  const entries = (await Promise.all(journals.map((listing) => Array.fromAsync(listing)))).flat();
  const shorts = new Set(entries.flatMap(({ value }) => value.map(({ short }) => short)));
  for (const short of shorts) await rankLink(kv, writer, short);
  for (const key of [...entries.map(({ key }) => key), ["link_rank_step"]]) await writer.delete(key);
  await writer.flush();
}

/** Writes the rank of a link and its sums by day, from its stored visits. */
async function rankLink(kv: Kv, writer: BulkWriter, short: string): Promise<void> {
  const days = new Map<number, number>();
  const rank = { count: 0, last: 0 };
  for await (const { value } of kv.list<Float64Array>({ prefix: ["visit", short] }, { batchSize: 100 })) {
    rank.count += value.length;
    rank.last = value.reduce((last, time) => Math.max(last, time), rank.last);
    for (const time of value) days.set(dayOf(time), (days.get(dayOf(time)) ?? 0) + 1);
  }
  const { value: old } = await kv.get<typeof rank>(["link_rank_of", short]);
  if (old !== null && old.count !== rank.count) await writer.delete(["link_rank", old.count, short]);
  if (rank.count === 0) return;
  await writer.set(["link_rank", rank.count, short], rank.last);
  await writer.set(["link_rank_of", short], rank);
  for (const [day, count] of days) {
    await writer.set(["visit_day_of", short, day], new Deno.KvU64(BigInt(count)));
  }
}

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

/**
 * Records from which hour on the sums by hour have all visits, which is the next one. A store without visits has none
 * that are missing.
 */
export async function startVisitHours(store: Store): Promise<void> {
  if (await readCount(store.kv, ["visit_count"]) === 0n) return;
  const next = hourOf(systemClock.now()) + 1;
  await transact(store, async (tx) => {
    if (await tx.get<number>(["visit_hours_since"]) === null) tx.set(["visit_hours_since"], next);
  });
}
