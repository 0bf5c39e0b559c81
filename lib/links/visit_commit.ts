import { dayOf } from "@/lib/core/days.ts";
import { durably } from "@/lib/kv/durably.ts";
import type { Store } from "@/lib/kv/open.ts";
import { keyBytesOf, MAX_KEY_BYTES, MAX_SHORTS } from "./commit_budget.ts";
import { type JournalPart, linkKeys } from "./store.ts";

/** Maximum number of short URLs with a maximum of visits in a commit: each takes one of its 100 checks. */
export const MAX_LIMITED = 90;

/** A visit with its time in milliseconds. */
interface Timed {
  readonly short: string;
  readonly at: number;
}

/** Groups visits by short URL, in groups that fit into a commit; each group is of one day. */
export function groupVisits<V extends Timed>(
  visits: readonly V[],
  maxShorts = MAX_SHORTS,
): Map<string, V[]>[] {
  let group = new Map<string, V[]>();
  let day = dayOf(visits[0]?.at ?? 0);
  let bytes = 0;
  const groups = [group];
  for (const visit of visits) {
    const { short, at } = visit;
    const same = dayOf(at) === day ? group.get(short) : undefined;
    if (same !== undefined) {
      same.push(visit);
      continue;
    }
    bytes += keyBytesOf(short);
    const hasRoom = dayOf(at) === day && group.size < maxShorts && bytes <= MAX_KEY_BYTES;
    if (!hasRoom && group.size > 0) {
      groups.push(group = new Map());
      bytes = keyBytesOf(short);
    }
    day = dayOf(at);
    group.set(short, [visit]);
  }
  return visits.length === 0 ? [] : groups;
}

/** Commits a group of visits; returns false and writes nothing when a check fails. */
export async function commitVisits(
  store: Store,
  group: ReadonlyMap<string, readonly Timed[]>,
  { batch, checks }: { batch: string; checks: readonly Deno.AtomicCheck[] },
): Promise<boolean> {
  const entries = [...group].map(([short, visits]) => ({ short, times: toTimes(visits) }));
  const journal = entries.map(({ short, times }): JournalPart => {
    const last = times.at(-1) ?? 0;
    return { short, day: dayOf(last), count: times.length, last };
  });
  const [first] = journal;
  if (first === undefined) return true;
  const total = BigInt(journal.reduce((sum, { count }) => sum + count, 0));
  const firstKey = linkKeys.visits(first.short, entries[0]?.times[0] ?? 0, batch);
  return await durably(store, async () => {
    const atomic = store.kv.atomic().check(...checks);
    // The key is unique by its name: if it exists, an earlier attempt succeeded after all.
    atomic.check({ key: firstKey, versionstamp: null });
    for (const { short, times } of entries) {
      const key = linkKeys.visits(short, times[0] ?? 0, batch);
      atomic.set(key, times).sum(linkKeys.visitCountOf(short), BigInt(times.length));
    }
    atomic.sum(linkKeys.visitCount, total).sum(linkKeys.visitDay(first.day), total);
    const { ok } = await atomic.set(linkKeys.journalOf(first.last, batch), journal).commit();
    return ok || (await store.kv.get(linkKeys.journalOf(first.last, batch))).value !== null ||
      (await store.kv.get(firstKey)).value !== null;
  });
}

function toTimes(visits: readonly Timed[]): Float64Array {
  return Float64Array.from(visits, ({ at }) => at).sort();
}
