import { durably } from "@/lib/kv/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/kv/key.ts";
import type { Store } from "@/lib/kv/open.ts";
import { readMany } from "@/lib/kv/read_many.ts";
import { groupByRoom } from "./commit_room.ts";
import { type JournalPart, linkKeys, type Rank } from "./store.ts";

/** Keeps the order of short URLs by visits, and their visits by day, from the journals that commits of visits leave. */
export interface Ranking {
  /** Says that there are journals; they are read within some seconds, in the background. */
  poke(): void;
  /** Reads journals now, for about so many milliseconds; true when none was left. */
  catchUp(maxMs?: number): Promise<boolean>;
  /** Ends reading; settles when the step at hand is done. What is left is read by whoever comes next. */
  stop(): Promise<void>;
}

/** Journals that gather meanwhile are read together, which costs a fraction of one by one. */
const DELAY_MS = 1500;
/** After each step the store belongs to visitors for so many times as long. */
const REST = 3;
const LONGEST_REST_MS = 500;
/** Bounds of one reading, so that what comes of it fits into one commit. */
const MAX_JOURNALS = 700;
/** Journals that go into the ranking as they are. */
const MAX_APPLIED = 150;
const MAX_JOURNAL_BYTES = 400_000;
/** Bytes that a part takes besides two for each code unit of its id. */
const PART_BYTES = 90;

/** A ranking of the store's links; several processes may keep one store's. */
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
    // A step that fails leaves everything as it was; the next visit tries again.
    const outcome = await step().catch(() => "none" as const);
    const rest = Math.min(LONGEST_REST_MS, REST * (performance.now() - started));
    if (outcome !== "none") schedule(outcome === "more" ? rest : DELAY_MS);
  };
  const schedule = (ms: number) => {
    if (timer !== null) clearTimeout(timer);
    timer = isStopped ? null : setTimeout(run, ms);
  };
  return {
    poke() {
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

/** What a step leaves: much to read at once, perhaps something later, or nothing. */
type Left = "more" | "later" | "none";

/** One step: a merged part goes into the ranking, or journals do, or they are merged. */
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
  const fits = read.length <= MAX_APPLIED && groupByRoom(parts).length === 1;
  await (fits ? apply : merge)(store, state, { read, parts });
  return fits && isWhole ? "later" : "more";
}

interface ListedParts {
  readonly entries: readonly Entry<JournalPart[]>[];
  /** Whether nothing follows behind these. */
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

/** One part for each short URL and day. */
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

/** Journals that were read, and what they say. */
interface Reading {
  readonly read: readonly Key[];
  readonly parts: readonly JournalPart[];
}

/** Puts parts in place of the journals that they come from. */
async function merge(store: Store, state: Deno.KvEntryMaybe<unknown>, { read, parts }: Reading) {
  const batch = crypto.randomUUID();
  await durably(store, async () => {
    const atomic = store.kv.atomic().check(state).set(linkKeys.rankStep, batch);
    for (const key of read) atomic.delete(key);
    for (const [part, group] of groupByRoom(parts).entries()) {
      atomic.set(linkKeys.mergedPart(batch, part), group);
    }
    await atomic.commit();
  });
}

/** Moves each short URL to its new rank and adds to its days, in the commit that removes what said so. */
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

/** Where short URLs stand in the ranking; those that were never visited are missing. */
export async function readRanks(kv: Deno.Kv, shorts: readonly string[]): Promise<Map<string, Rank>> {
  const entries = await readMany<Rank>(kv, shorts.map((short) => linkKeys.rankOf(short)));
  return new Map(entries.flatMap(({ value }, at) => value === null ? [] : [[shorts[at] ?? "", value]]));
}
