import { durably } from "@/lib/kv/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/kv/key.ts";
import type { Store } from "@/lib/kv/open.ts";
import { readMany } from "@/lib/kv/read_many.ts";
import { groupByBudget } from "./commit_budget.ts";
import { type JournalPart, linkKeys, type Rank } from "./store.ts";

/**
 * Maintains the order of short URLs by visits and their visits by day, from the journals that commits of
 * visits write.
 */
export interface Ranking {
  /** Announces new journals; they are read within seconds, in the background. */
  wake(): void;
  /** Reads journals now, for about `maxMs` milliseconds; returns true when none is left. */
  catchUp(maxMs?: number): Promise<boolean>;
  /** Stops reading; settles when the current step is done. The next process reads the rest. */
  stop(): Promise<void>;
}

/** Journals that accumulate meanwhile are read together, which costs a fraction of single reads. */
const DELAY_MS = 1500;
/** After each step, the store is left to visitors for this many times the step's duration. */
const REST = 3;
const LONGEST_REST_MS = 500;
/** Bounds of one reading, so that its result fits into one commit. */
const MAX_JOURNALS = 700;
/** Number of journals that go into the ranking without being merged first. */
const MAX_APPLIED = 150;
const MAX_JOURNAL_BYTES = 400_000;
/** Bytes of a part besides two for each code unit of its id. */
const PART_BYTES = 90;

/** Creates the ranking of a store's links; several processes may maintain the same one. */
export function createRanking(store: Store): Ranking {
  let line: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  const step = () => {
    const done = line.then(() => readJournals(store));
    line = done.catch(() => {});
    return done;
  };
  const run = async () => {
    timer = null;
    const started = performance.now();
    // A failed step leaves everything unchanged; the next visit tries again.
    const outcome = await step().catch(() => "none" as const);
    const rest = Math.min(LONGEST_REST_MS, REST * (performance.now() - started));
    if (outcome !== "none") schedule(outcome === "more" ? rest : DELAY_MS);
  };
  const schedule = (ms: number) => {
    if (timer !== null) clearTimeout(timer);
    timer = isStopped ? null : setTimeout(run, ms);
  };
  return {
    wake() {
      if (timer === null) schedule(DELAY_MS);
    },
    async catchUp(maxMs = Infinity) {
      const started = performance.now();
      do {
        if (await step() === "none") return true;
      } while (performance.now() - started < maxMs);
      if (timer === null) schedule(DELAY_MS);
      return false;
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await line;
    },
  };
}

/** State after a step: more to read at once, something later, or nothing. */
type Left = "more" | "later" | "none";

/** Makes one step: moves a merged part or journals into the ranking, or merges journals. */
async function readJournals(store: Store): Promise<Left> {
  const { kv } = store;
  const state = await kv.get(linkKeys.rankStep);
  const [merged, next] = (await listParts(kv, linkKeys.merged, 2)).entries;
  if (merged !== undefined) {
    await apply(store, state, { read: [merged.key], parts: merged.value });
    return next === undefined ? "later" : "more";
  }
  const { entries, isWhole } = await listParts(kv, linkKeys.journal, MAX_JOURNALS);
  if (entries.length === 0) return "none";
  const read = entries.map(({ key }) => key);
  const parts = mergeParts(entries.flatMap(({ value }) => value));
  const fits = read.length <= MAX_APPLIED && groupByBudget(parts).length === 1;
  await (fits ? apply : merge)(store, state, { read, parts });
  return fits && isWhole ? "later" : "more";
}

interface ListedParts {
  readonly entries: readonly Entry<JournalPart[]>[];
  /** Whether no entry follows these. */
  readonly isWhole: boolean;
}

async function listParts(kv: Deno.Kv, prefix: Key, limit: number): Promise<ListedParts> {
  const entries: Entry<JournalPart[]>[] = [];
  let bytes = 0;
  for await (const listed of kv.list({ prefix: [...prefix] }, { limit, batchSize: Math.min(limit, 200) })) {
    const entry = toEntry<JournalPart[]>(listed);
    bytes += entry.value.reduce((sum, { short }) => sum + 2 * short.length + PART_BYTES, 0);
    if (bytes > MAX_JOURNAL_BYTES && entries.length > 0) return { entries, isWhole: false };
    entries.push(entry);
  }
  return { entries, isWhole: entries.length < limit };
}

/** Combines parts of the same short URL and day. */
function mergeParts(parts: readonly JournalPart[]): JournalPart[] {
  const merged = new Map<string, JournalPart>();
  for (const part of parts) {
    const name = `${part.day} ${part.short}`;
    const before = merged.get(name);
    merged.set(
      name,
      before === undefined ? part : {
        ...part,
        count: before.count + part.count,
        last: Math.max(before.last, part.last),
      },
    );
  }
  return [...merged.values()];
}

/** Journals that were read, and their parts. */
interface Reading {
  readonly read: readonly Key[];
  readonly parts: readonly JournalPart[];
}

/** Replaces journals by their merged parts. */
async function merge(store: Store, state: Deno.KvEntryMaybe<unknown>, { read, parts }: Reading) {
  const batch = crypto.randomUUID();
  await durably(store, async () => {
    const atomic = store.kv.atomic().check(state).set(linkKeys.rankStep, batch);
    for (const key of read) atomic.delete(key);
    for (const [part, group] of groupByBudget(parts).entries()) {
      atomic.set(linkKeys.mergedPart(batch, part), group);
    }
    await atomic.commit();
  });
}

/** Moves each short URL to its new rank and adds to its days, in the commit that removes the source. */
async function apply(store: Store, state: Deno.KvEntryMaybe<unknown>, { read, parts }: Reading) {
  const byShort = Map.groupBy(parts, ({ short }) => short);
  const before = await readRanks(store.kv, [...byShort.keys()]);
  await durably(store, async () => {
    const atomic = store.kv.atomic().check(state).set(linkKeys.rankStep, crypto.randomUUID());
    for (const key of read) atomic.delete(key);
    for (const [short, own] of byShort) {
      const old = before.get(short);
      const rank = own.reduce<Rank>(
        (sum, { count, last }) => ({ count: sum.count + count, last: Math.max(sum.last, last) }),
        old ?? { count: 0, last: 0 },
      );
      if (old !== undefined) atomic.delete(linkKeys.rank(old.count, short));
      atomic.set(linkKeys.rank(rank.count, short), rank.last).set(linkKeys.rankOf(short), rank);
      for (const { day, count } of own) atomic.sum(linkKeys.visitDayOf(short, day), BigInt(count));
    }
    await atomic.commit();
  });
}

/** Returns the ranks of short URLs; unvisited ones are missing. */
export async function readRanks(kv: Deno.Kv, shorts: readonly string[]): Promise<Map<string, Rank>> {
  const entries = await readMany<Rank>(kv, shorts.map((short) => linkKeys.rankOf(short)));
  return new Map(entries.flatMap(({ value }, at) => value === null ? [] : [[shorts[at] ?? "", value]]));
}
