import { toHex } from "@/lib/core/bytes.ts";
import { durably } from "@/lib/kv/durably.ts";
import { createGroupCommitter, type GroupCommitter } from "@/lib/kv/group_commit.ts";
import type { Store } from "@/lib/kv/open.ts";
import { linkKeys } from "./store.ts";
import { foldVisits, PAGE_VISITS } from "./visit_pages.ts";

/** One visit to count. */
export interface Visit {
  readonly short: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Different short URLs in one commit: each takes a set and a sum of the store's 1,000 writes. */
const MAX_SHORTS = 450;
/** A short URL's small entries are folded into pages when there are so many. */
const FOLD_AFTER = 200;
/** Short URLs whose small entries are counted; folding is a comfort for readers, so forgetting some is harmless. */
const MAX_TRACKED = 50_000;

/**
 * Counts visits in groups: each commit adds one packed entry and one sum for each short URL, and one sum to the total,
 * all or nothing. Callers are answered after the commit.
 */
export function createVisitCommitter(store: Store): GroupCommitter<Visit, void> {
  const nextBatch = createBatchNames();
  const folder = createFolder(store);
  const committer = createGroupCommitter<Visit, void>({
    maxItems: PAGE_VISITS,
    commit: async (visits) => {
      for (const group of splitByShort(visits)) {
        await commitVisits(store, group, nextBatch());
        for (const short of group.keys()) folder.note(short);
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

/** Names that no other batch of any process has. */
function createBatchNames(): () => string {
  const process = toHex(crypto.getRandomValues(new Uint8Array(8)));
  let batch = 0;
  return () => `${process}-${(batch++).toString(36)}`;
}

/** The visits' times by short URL, in groups that one commit can hold. */
function splitByShort(visits: readonly Visit[]): Map<string, number[]>[] {
  let group = new Map<string, number[]>();
  const groups = [group];
  for (const { short, at } of visits) {
    const times = group.get(short);
    if (times !== undefined) times.push(at);
    else if (group.size < MAX_SHORTS) group.set(short, [at]);
    else groups.push(group = new Map([[short, [at]]]));
  }
  return groups;
}

async function commitVisits(store: Store, group: Map<string, number[]>, batch: string): Promise<void> {
  await durably(store, async () => {
    const atomic = store.kv.atomic();
    let total = 0;
    for (const [short, list] of group) {
      const times = Float64Array.from(list).sort();
      const key = linkKeys.visits(short, times[0] ?? 0, batch);
      // The key is new by its name: where it stands already, an earlier try went through after all.
      if (total === 0) atomic.check({ key, versionstamp: null });
      atomic.set(key, times).sum(linkKeys.visitCountOf(short), BigInt(times.length));
      total += times.length;
    }
    await atomic.sum(linkKeys.visitCount, BigInt(total)).commit();
  });
}

/** Folds a short URL's entries in the background each time enough small ones have gathered. */
function createFolder(store: Store): { note(short: string): void; drain(): Promise<void> } {
  const smallEntries = new Map<string, number>();
  const waiting = new Set<string>();
  let loop: Promise<void> | null = null;
  const run = async () => {
    for (const short of waiting) {
      waiting.delete(short);
      // A fold that fails leaves everything as it was; the next one takes these entries along.
      await foldVisits(store, short).catch(() => {});
    }
    loop = null;
  };
  return {
    note(short) {
      const count = (smallEntries.get(short) ?? 0) + 1;
      if (count < FOLD_AFTER) {
        if (smallEntries.size >= MAX_TRACKED) smallEntries.clear();
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
