import { COMMIT_BUDGET, type Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import type { Key } from "@/lib/store/key.ts";

/** Commits that may be under way at once; the store writes them while the next ones are collected. */
const UNDER_WAY = 4;

/** A writer of independent entries whose commits overlap. */
export interface PipelinedWriter {
  /** Collects an entry; `bytes` is the maximum size of the value, where that is large. */
  set(key: Key, value: unknown, bytes?: number): Promise<void>;
  /**
   * Settles once everything is stored.
   * @throws Error of the first commit that failed.
   */
  settle(): Promise<void>;
}

/** Creates a writer of entries that do not exist yet, in commits as large as the store takes. */
export function createPipelinedWriter(kv: Kv): PipelinedWriter {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const writer = new BulkWriter(kv, async (atomic) => {
    const commit = atomic.commit().then(() => {}, (error) => void failures.push(error))
      .finally(() => underWay.delete(commit));
    underWay.add(commit);
    if (underWay.size >= UNDER_WAY) await Promise.race(underWay);
    if (failures.length > 0) throw failures[0];
  });
  return {
    set: (key, value, bytes) => writer.set(key, value, bytes),
    async settle() {
      await writer.flush();
      await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Adds amounts to counters of the store. */
export async function addSums(
  kv: Kv,
  sums: Iterable<readonly [key: Key, amount: number]>,
): Promise<void> {
  let atomic = kv.atomic();
  let count = 0;
  for (const [key, amount] of sums) {
    atomic.sum(key, BigInt(amount));
    if (++count % COMMIT_BUDGET.writes !== 0) continue;
    await atomic.commit();
    atomic = kv.atomic();
  }
  await atomic.commit();
}

/** Adds to the number of a name. */
export function addTo<Name>(counts: Map<Name, number>, name: Name, amount: number): void {
  counts.set(name, (counts.get(name) ?? 0) + amount);
}
