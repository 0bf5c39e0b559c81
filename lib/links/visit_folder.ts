import { createLru } from "@/lib/core/lru.ts";
import type { Store } from "@/lib/store/open.ts";
import { foldVisits } from "./visit_pages.ts";

/** Number of small entries after which a short URL's entries are folded. */
const FOLD_AFTER = 200;
/**
 * Number of short URLs whose small entries are counted; folding only helps readers, so forgetting some is
 * harmless.
 */
const MAX_TRACKED = 50_000;

/** Folds a short URL's entries in the background once enough small ones exist. */
export interface VisitFolder {
  /** Counts new small entries. */
  track(short: string, entries: number): void;
  /** Settles when no fold is under way. */
  drain(): Promise<void>;
}

/** Creates the folder of a store's visits. */
export function createVisitFolder(store: Store): VisitFolder {
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
    track(short, entries) {
      const count = (smallEntries.get(short) ?? 0) + entries;
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
