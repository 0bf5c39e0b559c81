import { createLru } from "@/lib/core/lru.ts";
import { toHex } from "@/lib/core/bytes.ts";
import { durably } from "@/lib/kv/durably.ts";
import { createGroupCommitter, type GroupCommitter } from "@/lib/kv/group_commit.ts";
import type { Store } from "@/lib/kv/open.ts";
import { keyBytesOf, MAX_KEY_BYTES, MAX_SHORTS } from "./commit_budget.ts";
import { dayOf, type JournalPart, linkKeys } from "./store.ts";
import { foldVisits, PAGE_VISITS } from "./visit_pages.ts";

/** A visit to count. */
export interface Visit {
  readonly short: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Number of small entries after which a short URL's entries are folded. */
const FOLD_AFTER = 200;
/**
 * Number of short URLs whose small entries are counted; folding only helps readers, so forgetting some is
 * harmless.
 */
const MAX_TRACKED = 50_000;

/**
 * Counts visits in groups: each commit adds a packed entry and a sum for each short URL, a sum to the total
 * and the day's, and one journal for the ranking, all or nothing. Callers are answered after the commit, and
 * then `onCommitted` is called.
 */
export function createVisitCommitter(
  store: Store,
  onCommitted: () => void = () => {},
): GroupCommitter<Visit, void> {
  const nextBatch = createBatchNames();
  const folder = createFolder(store);
  const committer = createGroupCommitter<Visit, void>({
    maxItems: PAGE_VISITS,
    commit: async (visits) => {
      for (const group of splitByShort(visits)) {
        await commitVisits(store, group, nextBatch());
        for (const short of group.keys()) folder.track(short);
        onCommitted();
      }
      return visits.map(() => undefined);
    },
  });
  return {
    submit: (visit) => committer.submit(visit),
    get depth() {
      return committer.depth;
    },
    async drain() {
      await committer.drain();
      await folder.drain();
    },
  };
}

/** Creates names that no batch of any process shares. */
function createBatchNames(): () => string {
  const process = toHex(crypto.getRandomValues(new Uint8Array(8)));
  let batch = 0;
  return () => `${process}-${(batch++).toString(36)}`;
}

/** Groups the visits' times by short URL, in groups that fit into a commit; each group is of one day. */
function splitByShort(visits: readonly Visit[]): Map<string, number[]>[] {
  let group = new Map<string, number[]>();
  let day = dayOf(visits[0]?.at ?? 0);
  let bytes = 0;
  const groups = [group];
  for (const { short, at } of visits) {
    const times = dayOf(at) === day ? group.get(short) : undefined;
    if (times !== undefined) {
      times.push(at);
      continue;
    }
    bytes += keyBytesOf(short);
    const hasRoom = dayOf(at) === day && group.size < MAX_SHORTS && bytes <= MAX_KEY_BYTES;
    if (!hasRoom && group.size > 0) {
      groups.push(group = new Map());
      bytes = keyBytesOf(short);
    }
    day = dayOf(at);
    group.set(short, [at]);
  }
  return groups;
}

async function commitVisits(store: Store, group: Map<string, number[]>, batch: string): Promise<void> {
  const entries = [...group].map(([short, list]) => ({ short, times: Float64Array.from(list).sort() }));
  const journal = entries.map(({ short, times }): JournalPart => {
    const last = times.at(-1) ?? 0;
    return { short, day: dayOf(last), count: times.length, last };
  });
  const [first] = journal;
  if (first === undefined) return;
  const total = BigInt(journal.reduce((sum, { count }) => sum + count, 0));
  await durably(store, async () => {
    const atomic = store.kv.atomic();
    // The key is unique by its name: if it exists, an earlier attempt succeeded after all.
    const isNew = { key: linkKeys.visits(first.short, entries[0]?.times[0] ?? 0, batch), versionstamp: null };
    atomic.check(isNew);
    for (const { short, times } of entries) {
      const key = linkKeys.visits(short, times[0] ?? 0, batch);
      atomic.set(key, times).sum(linkKeys.visitCountOf(short), BigInt(times.length));
    }
    atomic.sum(linkKeys.visitCount, total).sum(linkKeys.visitDay(first.day), total);
    await atomic.set(linkKeys.journalOf(first.last, batch), journal).commit();
  });
}

/** Folds a short URL's entries in the background once enough small ones exist. */
function createFolder(store: Store): { track(short: string): void; drain(): Promise<void> } {
  const smallEntries = createLru<string, number>(MAX_TRACKED);
  const waiting = new Set<string>();
  let loop: Promise<void> | null = null;
  const run = async () => {
    for (const short of waiting) {
      waiting.delete(short);
      // A failed fold leaves everything unchanged; the next one includes these entries.
      await foldVisits(store, short).catch(() => {});
    }
    loop = null;
  };
  return {
    track(short) {
      const count = (smallEntries.get(short) ?? 0) + 1;
      if (count < FOLD_AFTER) {
        smallEntries.set(short, count);
        return;
      }
      smallEntries.delete(short);
      waiting.add(short);
      loop ??= run();
    },
    async drain() {
      while (loop !== null) await loop;
    },
  };
}
