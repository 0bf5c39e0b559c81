import { dayOf } from "@/lib/core/days.ts";
import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { keyBytesOf, MAX_KEY_BYTES, ROUND, STEP_WRITES } from "./commit_budget.ts";
import { type CompactionRound, type JournalPart, linkKeys, type LogRow, type Rank } from "./store.ts";
import { createAppliedTest, partsOf } from "./visit_log.ts";
import { PAGE_VISITS } from "./visit_pages.ts";

/**
 * A round of compaction in memory. Its rows and its progress are in the store as well, so that another process can
 * continue it at any step. Each step checks the record of the progress and changes it: of two processes that
 * compact at once, one fails and writes nothing.
 */
export interface OpenRound {
  readonly name: string;
  /** Keys of its rows that are not deleted. */
  readonly rows: Key[];
  /** Visits to apply, in the order of their short URLs. */
  readonly pending: LinkVisits[];
  /** Whether the log contained no other row when the round began. */
  readonly isWhole: boolean;
  /** The record of the progress that the next step checks. */
  state: Deno.KvEntryMaybe<CompactionRound>;
  /** Whether the rows are named in the store; a round of one step needs no names. */
  readonly isNamed: boolean;
}

/** Visits of a short URL in the rows of a round. */
interface LinkVisits {
  readonly short: string;
  /** Times of the visits that are in no page yet. */
  readonly times: number[];
  readonly days: Map<number, number>;
  /** Number of entries that its commits and this round add to its list of visits. */
  entries: number;
  /** Number of visits that the ranking does not include. */
  count: number;
  last: number;
}

/**
 * Continues the round that is under way, or begins one. Returns "empty" when there is nothing to do, and "lost" when
 * another process began one meanwhile.
 */
export async function openRound(store: Store, owner: string): Promise<OpenRound | "empty" | "lost"> {
  const [state, names] = await store.kv.getMany<[CompactionRound, string[]]>([
    linkKeys.round,
    linkKeys.roundRows,
  ]);
  if (names.value !== null) return await resumeRound(store.kv, state, names.value);
  const read = await readRows(store.kv, null);
  if (read.rows.length === 0) return "empty";
  const pending = toLinkVisits(read, () => false);
  const writes = pending.reduce((sum, visits) => sum + writesOf(visits), read.rows.length);
  const round = { ...read, name: crypto.randomUUID(), pending, state };
  if (writes <= STEP_WRITES.least) return { ...round, isNamed: false };
  const value: CompactionRound = { owner, done: "", whole: wholeOf(state) };
  const rows = read.rows.map((key) => toValue<string>(key[2]));
  const versionstamp = await durably(store, async () => {
    const result = await store.kv.atomic().check(state, names).set(linkKeys.round, value)
      .set(linkKeys.roundRows, rows).commit();
    return result.ok ? result.versionstamp : null;
  });
  if (versionstamp === null) return "lost";
  return { ...round, isNamed: true, state: { key: linkKeys.round, value, versionstamp } };
}

/** Returns the number of whole rounds so far. */
export function wholeOf({ value }: Deno.KvEntryMaybe<CompactionRound>): number {
  return value?.whole ?? 0;
}

async function resumeRound(
  kv: Kv,
  state: Deno.KvEntryMaybe<CompactionRound>,
  names: readonly string[],
): Promise<OpenRound> {
  const read = await readRows(kv, new Set(names));
  const pending = toLinkVisits(read, createAppliedTest(state.value, names));
  return { ...read, name: crypto.randomUUID(), pending, state, isNamed: true, isWhole: false };
}

/** Rows of the log and the journal. */
interface Rows {
  readonly rows: Key[];
  readonly logged: readonly (readonly [batch: string, row: LogRow])[];
  readonly journals: readonly (readonly [batch: string, parts: readonly JournalPart[]])[];
  readonly isWhole: boolean;
}

/** Reads the rows of a round that is under way, or those of the next one. */
async function readRows(kv: Kv, wanted: ReadonlySet<string> | null): Promise<Rows> {
  const rows: Key[] = [];
  const logged: [string, LogRow][] = [];
  const journals: [string, JournalPart[]][] = [];
  const hasRoom = createRoundBounds();
  const result = (isWhole: boolean) => ({ rows, logged, journals, isWhole });
  for await (
    const { key, value } of kv.list<JournalPart[]>({ prefix: linkKeys.journal }, { batchSize: 200 })
  ) {
    const batch = toValue<string>(key[2]);
    if (wanted?.has(batch) === false) continue;
    if (wanted === null && !hasRoom(batch, value.map(({ last }) => last), 0)) return result(false);
    rows.push(key);
    journals.push([batch, value]);
  }
  for await (const { key, value } of kv.list<LogRow>({ prefix: linkKeys.log }, { batchSize: 200 })) {
    const batch = toValue<string>(key[2]);
    if (wanted?.has(batch) === false) continue;
    const { length } = value.times;
    if (wanted === null && !hasRoom(batch, value.times.subarray(0, 1), length)) return result(false);
    rows.push(key);
    logged.push([batch, value]);
  }
  return result(true);
}

/** Creates a function that returns whether a round has room for another row, which it then counts. */
function createRoundBounds(): (batch: string, times: Iterable<number>, visits: number) => boolean {
  const days = new Set<number>();
  const used = { rows: 0, nameBytes: 0, visits: 0 };
  return (batch, times, visits) => {
    for (const time of times) days.add(dayOf(time));
    used.rows++;
    used.nameBytes += batch.length + 4;
    used.visits += visits;
    if (used.rows === 1) return true;
    return used.rows <= ROUND.rows && used.nameBytes <= ROUND.nameBytes && used.visits <= ROUND.visits &&
      days.size <= ROUND.days;
  };
}

/** Combines the visits of each short URL, as far as they are not applied. */
function toLinkVisits(
  { logged, journals }: Rows,
  isApplied: (batch: string, short: string) => boolean,
): LinkVisits[] {
  const all = new Map<string, LinkVisits>();
  const add = (short: string, { day, count, last }: Omit<JournalPart, "short">) => {
    let own = all.get(short);
    if (own === undefined) {
      all.set(short, own = { short, times: [], days: new Map(), entries: 0, count: 0, last: 0 });
    }
    own.count += count;
    own.last = Math.max(own.last, last);
    own.days.set(day, (own.days.get(day) ?? 0) + count);
    return own;
  };
  for (const [batch, parts] of journals) {
    for (const part of parts) if (!isApplied(batch, part.short)) add(part.short, part).entries++;
  }
  for (const [batch, row] of logged) {
    for (const [short, start, end] of partsOf(row, (short) => !isApplied(batch, short))) {
      const last = row.times[end - 1] ?? 0;
      const { times } = add(short, { day: dayOf(last), count: end - start, last });
      for (let at = start; at < end; at++) times.push(row.times[at] ?? 0);
    }
  }
  return [...all.values()].sort((one, other) => one.short < other.short ? -1 : 1);
}

/** Returns the number of writes that apply visits of a short URL: its pages, counter, days and rank. */
function writesOf({ times, days }: LinkVisits): number {
  const pages = pagesOf(times.length);
  return pages + (pages > 0 ? 1 : 0) + days.size + 3;
}

function pagesOf(visits: number): number {
  return Math.ceil(visits / PAGE_VISITS);
}

/** Short URLs that a step applied with their new entries, and what is left. */
export interface StepResult {
  readonly applied: readonly { readonly short: string; readonly entries: number }[];
  /** Number of visits that left the log. */
  readonly visits: number;
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
  const whole = wholeOf(round.state) + (isDone && round.isWhole ? 1 : 0);
  const value: CompactionRound = { owner, done: isLast ? null : part.at(-1)?.short ?? "", whole };
  const versionstamp = await durably(store, async () => {
    const atomic = store.kv.atomic().check(round.state).set(linkKeys.round, value);
    for (const [at, visits] of part.entries()) {
      apply(atomic, visits, { name: round.name, old: before[at]?.value ?? null });
    }
    for (const key of rows) atomic.delete(key);
    if (isDone && round.isNamed) atomic.delete(linkKeys.roundRows);
    const result = await atomic.commit();
    return result.ok ? result.versionstamp : null;
  });
  if (versionstamp === null) return null;
  round.state = { key: linkKeys.round, value, versionstamp };
  round.pending.splice(0, part.length);
  round.rows.splice(0, rows.length);
  const applied = part.map(({ short, entries, times }) => ({
    short,
    entries: entries + pagesOf(times.length),
  }));
  const visits = part.reduce((sum, { times }) => sum + times.length, 0);
  return { applied, visits, isDone };
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
  { short, times, days, count, last }: LinkVisits,
  { name, old }: { name: string; old: Rank | null },
): void {
  const sorted = Float64Array.from(times).sort();
  for (let at = 0; at < sorted.length; at += PAGE_VISITS) {
    const page = sorted.slice(at, at + PAGE_VISITS);
    atomic.set(linkKeys.visits(short, page[0] ?? 0, `${name}-${at / PAGE_VISITS}`), page);
  }
  if (sorted.length > 0) atomic.sum(linkKeys.visitCountOf(short), BigInt(sorted.length));
  for (const [day, visits] of days) atomic.sum(linkKeys.visitDayOf(short, day), BigInt(visits));
  const rank: Rank = { count: (old?.count ?? 0) + count, last: Math.max(old?.last ?? 0, last) };
  if (old !== null) atomic.delete(linkKeys.rank(old.count, short));
  atomic.set(linkKeys.rank(rank.count, short), rank.last).set(linkKeys.rankOf(short), rank);
}
