import { dayOf, hourOf } from "@/lib/core/days.ts";
import type { AtomicOperation } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { MAX_ROW_BYTES, rowBytesOf } from "./commit_budget.ts";
import { type JournalPart, linkKeys } from "./store.ts";
import { type LoggedVisit, sizeOf, toLogRow, type VisitGroup } from "./visit_log.ts";

/** A visit with its short URL. */
interface VisitOfShort extends LoggedVisit {
  readonly short: string;
}

/** Groups visits by short URL, in groups whose row fits into a value; each group is of one hour. */
export function groupVisits<V extends VisitOfShort>(
  visits: readonly V[],
  maxShorts = Infinity,
): Map<string, V[]>[] {
  let group = new Map<string, V[]>();
  let hour = hourOf(visits[0]?.at ?? 0);
  let bytes = 0;
  const groups = [group];
  for (const visit of visits) {
    const { short, at } = visit;
    const same = hourOf(at) === hour ? group.get(short) : undefined;
    if (same !== undefined) {
      same.push(visit);
      continue;
    }
    bytes += rowBytesOf(short);
    const hasRoom = hourOf(at) === hour && group.size < maxShorts && bytes <= MAX_ROW_BYTES;
    if (!hasRoom && group.size > 0) {
      groups.push(group = new Map());
      bytes = rowBytesOf(short);
    }
    hour = hourOf(at);
    group.set(short, [visit]);
  }
  return visits.length === 0 ? [] : groups;
}

/** Name of a commit that no other commit has, and its checks. */
interface CommitOptions {
  readonly batch: string;
  readonly checks: readonly Deno.AtomicCheck[];
}

/** Commits a group of visits as a row of the log; returns false and writes nothing when a check fails. */
export async function commitVisits(
  store: Store,
  group: VisitGroup,
  options: CommitOptions,
): Promise<boolean> {
  const row = toLogRow(group);
  const [first] = row.times;
  if (first === undefined) return true;
  const total = { count: row.times.length, first };
  return await commitRow(store, linkKeys.logRow(first, options.batch), {
    ...options,
    write: (atomic, key) => addToTotals(atomic.set(key, row), total),
  });
}

/**
 * Commits a group of visits of links with a maximum, with their counters, which the checks of other such commits
 * contain; returns false and writes nothing when a check fails.
 */
export async function commitLimitedVisits(
  store: Store,
  group: VisitGroup,
  options: CommitOptions,
): Promise<boolean> {
  const times = toTimes(group);
  const first = times[0]?.[1][0];
  if (first === undefined) return true;
  const parts = times.map(([short, own]): JournalPart => {
    const last = own.at(-1) ?? 0;
    return { short, day: dayOf(last), count: own.length, last };
  });
  const write = (atomic: AtomicOperation, key: Key) => {
    for (const [short, own] of times) {
      atomic.set(linkKeys.visits(short, own[0] ?? 0, options.batch), own);
      atomic.sum(linkKeys.visitCountOf(short), BigInt(own.length));
    }
    addToTotals(atomic.set(key, parts), { count: sizeOf(group), first });
  };
  return await commitRow(store, linkKeys.journalOf(first, options.batch), { ...options, write });
}

interface RowOptions extends CommitOptions {
  readonly write: (atomic: AtomicOperation, key: Key) => void;
}

async function commitRow(store: Store, key: Key, { checks, write }: RowOptions): Promise<boolean> {
  return await durably(store, async () => {
    // The key is unique by its name: if it exists, an earlier attempt succeeded after all.
    const atomic = store.kv.atomic().check(...checks, { key, versionstamp: null });
    write(atomic, key);
    const { ok } = await atomic.commit();
    return ok || (await store.kv.get(key)).value !== null;
  });
}

/** Number of visits of a commit, and the time of one of them in milliseconds. */
interface Total {
  readonly count: number;
  readonly first: number;
}

function addToTotals(atomic: AtomicOperation, { count, first }: Total): void {
  const total = BigInt(count);
  atomic.sum(linkKeys.visitCount, total).sum(linkKeys.visitDay(dayOf(first)), total)
    .sum(linkKeys.visitHour(hourOf(first)), total);
}

function toTimes(group: VisitGroup): readonly (readonly [short: string, times: Float64Array])[] {
  return [...group].map(([short, visits]) => [short, Float64Array.from(visits, ({ at }) => at).sort()]);
}
