import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { dayOf } from "@/lib/core/days.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { type CompactionRound, linkKeys, type LogRow, type Rank } from "./store.ts";
import { isApplied, partsOf } from "./visit_log.ts";
import { PAGE_VISITS } from "./visit_pages.ts";

/** Bounds of a round: its logs fit into a value, and all visits of one short URL into a commit. */
const ROUND = { logs: 1000, rows: 2000, visits: 60_000, days: 300 } as const;
/**
 * Number of writes of a commit of the compactor: few, so that the commits of visits wait for a short time, and more
 * as the log grows, because a commit has a cost of its own.
 */
export const STEP_WRITES = { least: 100, most: 500 } as const;
/** Budget of the keys of links in a commit, in bytes; the store takes 81,920, some of which are for deleted rows. */
const MAX_KEY_BYTES = 55_000;
/** Bytes of a key of a link besides its id, and of each code unit of the id, at most. */
const KEY_BESIDES = 60;
const KEY_UNIT = 3;

/**
 * A round of compaction in memory: the first rows of each log. Where they end and its progress are in the store as
 * well, so that another process can continue it at any step. Each step checks that record and changes it: of two
 * processes that compact at once, one fails and writes nothing.
 */
export interface OpenRound {
  readonly name: string;
  /** Keys of its rows that are not deleted. */
  readonly rows: Key[];
  /** Visits to apply, in the order of their short URLs. */
  readonly pending: LinkVisits[];
  /** Whether the logs contained no other row when the round began. */
  readonly isWhole: boolean;
  /** The record that the next step checks. */
  state: Deno.KvEntry<CompactionRound>;
}

/** Visits of a short URL in the rows of a round. */
interface LinkVisits {
  readonly short: string;
  readonly times: number[];
  readonly days: Map<number, number>;
}

/**
 * Continues the round that is under way, or begins one. Returns "empty" when there is nothing to do, and "lost" when
 * another process began one meanwhile.
 */
export async function openRound(store: Store, owner: string): Promise<OpenRound | "empty" | "lost"> {
  const state = await store.kv.get<CompactionRound>(linkKeys.round);
  const name = crypto.randomUUID();
  if (state.value !== null && state.value.ends.size > 0) {
    const { rows, logged } = await readRows(store.kv, state.value.ends);
    const pending = toLinkVisits(logged, state.value);
    return { name, rows, pending, isWhole: false, state };
  }
  const { rows, logged, ends, isWhole } = await readRows(store.kv, null);
  if (rows.length === 0) return "empty";
  const value: CompactionRound = { owner, ends, done: "" };
  const versionstamp = await durably(store, async () => {
    const result = await store.kv.atomic().check(state).set(linkKeys.round, value).commit();
    return result.ok ? result.versionstamp : null;
  });
  if (versionstamp === null) return "lost";
  return {
    name,
    rows,
    pending: toLinkVisits(logged, value),
    isWhole,
    state: { key: linkKeys.round, value, versionstamp },
  };
}

/** Rows at the beginning of logs. */
interface Rows {
  readonly rows: Key[];
  readonly logged: readonly LogRow[];
  /** Number of the first row of each log that is not among them. */
  readonly ends: ReadonlyMap<string, number>;
  readonly isWhole: boolean;
}

/** Reads the rows of a round that is under way, or those of the next one, of which each log gets an equal part. */
async function readRows(kv: Kv, wanted: CompactionRound["ends"] | null): Promise<Rows> {
  const writers = wanted === null ? (await listWriters(kv)).slice(0, ROUND.logs) : [...wanted.keys()];
  const rows: Key[] = [];
  const logged: LogRow[] = [];
  const ends = new Map<string, number>();
  const all = createBounds(1);
  let isWhole = writers.length < ROUND.logs;
  for (const writer of writers) {
    const part = createBounds(writers.length);
    const prefix = [...linkKeys.logOf(writer)];
    const range = wanted === null ? { prefix } : { prefix, end: [...prefix, wanted.get(writer) ?? 0] };
    for await (const { key, value } of kv.list<LogRow>(range, { batchSize: 200 })) {
      // Both count the row.
      const [hasRoom, isWithinPart] = [all(value), part(value)];
      if (wanted === null && !(hasRoom && isWithinPart)) {
        isWhole = false;
        break;
      }
      rows.push(key);
      logged.push(value);
      ends.set(writer, toValue<number>(key[2]) + 1);
    }
  }
  return { rows, logged, ends, isWhole };
}

/** Creates a function that counts a row, and returns whether it is the first one or within a part of the bounds. */
function createBounds(parts: number): (row: LogRow) => boolean {
  const days = new Set<number>();
  let [rows, visits] = [0, 0];
  return ({ times }) => {
    rows++;
    visits += times.length;
    days.add(dayOf(times[0] ?? 0));
    if (rows === 1) return true;
    return rows * parts <= ROUND.rows && visits * parts <= ROUND.visits && days.size <= ROUND.days;
  };
}

/** Lists the names of the logs, from any of them on, so that none waits for the others if there are too many. */
async function listWriters(kv: Kv): Promise<string[]> {
  const writers: string[] = [];
  for (let start: Key | null = null;;) {
    const prefix = linkKeys.log;
    const range: Deno.KvListSelector = start === null ? { prefix } : { prefix, start: [...start] };
    const [first] = await Array.fromAsync(kv.list(range, { limit: 1 }));
    if (first === undefined) break;
    const writer = toValue<string>(first.key[1]);
    writers.push(writer);
    start = linkKeys.logRow(writer, Infinity);
  }
  const from = Math.floor(Math.random() * writers.length);
  return [...writers.slice(from), ...writers.slice(0, from)];
}

/** Combines the visits of each short URL, as far as they are not applied. */
function toLinkVisits(rows: readonly LogRow[], round: CompactionRound): LinkVisits[] {
  const all = new Map<string, LinkVisits>();
  for (const row of rows) {
    for (const [short, start, end] of partsOf(row, (short) => !isApplied(round, short))) {
      let own = all.get(short);
      if (own === undefined) all.set(short, own = { short, times: [], days: new Map() });
      // The visits of a row are of one hour.
      const day = dayOf(row.times[start] ?? 0);
      own.days.set(day, (own.days.get(day) ?? 0) + end - start);
      for (let at = start; at < end; at++) own.times.push(row.times[at] ?? 0);
    }
  }
  return [...all.values()].sort((one, other) => one.short < other.short ? -1 : 1);
}

/** Returns the number of writes that apply visits of a short URL: its pages, counter, days and rank. */
function writesOf({ times, days }: LinkVisits): number {
  return pagesOf(times.length) + days.size + 4;
}

function pagesOf(visits: number): number {
  return Math.ceil(visits / PAGE_VISITS);
}

/** Short URLs that a step applied with the number of their new entries, and whether nothing is left of the round. */
export interface StepResult {
  readonly applied: readonly { readonly short: string; readonly entries: number }[];
  readonly isDone: boolean;
}

/**
 * Makes one step of a round, of about so many writes: applies the visits of some links, or deletes rows; returns null
 * after a conflict.
 */
export async function stepRound(
  store: Store,
  round: OpenRound,
  { owner, writes }: { owner: string; writes: number },
): Promise<StepResult | null> {
  const part = takePart(round.pending, writes);
  const isLast = part.length === round.pending.length;
  // Rows lie beside each other, so deleting them is cheap.
  const rows = isLast ? round.rows.slice(0, STEP_WRITES.most / 2) : [];
  const isDone = isLast && rows.length === round.rows.length;
  const before = await readMany<Rank>(store.kv, part.map(({ short }) => linkKeys.rankOf(short)));
  const value: CompactionRound = {
    owner,
    ends: isDone ? new Map() : round.state.value.ends,
    done: isLast ? null : part.at(-1)?.short ?? "",
  };
  const versionstamp = await durably(store, async () => {
    const atomic = store.kv.atomic().check(round.state).set(linkKeys.round, value);
    for (const [at, visits] of part.entries()) {
      apply(atomic, visits, { name: round.name, old: before[at]?.value ?? null });
    }
    for (const key of rows) atomic.delete(key);
    const result = await atomic.commit();
    return result.ok ? result.versionstamp : null;
  });
  if (versionstamp === null) return null;
  round.state = { key: linkKeys.round, value, versionstamp };
  round.pending.splice(0, part.length);
  round.rows.splice(0, rows.length);
  return { applied: part.map(({ short, times }) => ({ short, entries: pagesOf(times.length) })), isDone };
}

function keyBytesOf(short: string): number {
  return KEY_BESIDES + KEY_UNIT * short.length;
}

function takePart(pending: readonly LinkVisits[], most: number): LinkVisits[] {
  let [writes, keyBytes] = [0, 0];
  const end = pending.findIndex((visits, at) => {
    writes += writesOf(visits);
    keyBytes += writesOf(visits) * keyBytesOf(visits.short);
    return at > 0 && (writes > most || keyBytes > MAX_KEY_BYTES);
  });
  return pending.slice(0, end === -1 ? pending.length : end);
}

/** Adds visits to the pages, counter, days and rank of their link. */
function apply(
  atomic: AtomicOperation,
  { short, times, days }: LinkVisits,
  { name, old }: { name: string; old: Rank | null },
): void {
  const sorted = Float64Array.from(times).sort();
  for (let at = 0; at < sorted.length; at += PAGE_VISITS) {
    const page = sorted.slice(at, at + PAGE_VISITS);
    atomic.set(linkKeys.visits(short, page[0] ?? 0, `${name}-${at / PAGE_VISITS}`), page);
  }
  atomic.sum(linkKeys.visitCountOf(short), BigInt(sorted.length));
  for (const [day, visits] of days) atomic.sum(linkKeys.visitDayOf(short, day), BigInt(visits));
  const rank: Rank = {
    count: (old?.count ?? 0) + sorted.length,
    last: Math.max(old?.last ?? 0, sorted.at(-1) ?? 0),
  };
  if (old !== null) atomic.delete(linkKeys.rank(old.count, short));
  atomic.set(linkKeys.rank(rank.count, short), rank.last).set(linkKeys.rankOf(short), rank);
}
