import type { Kv } from "@/lib/store/kv.ts";
import { listAll } from "@/lib/store/reads.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { retryReads } from "@/lib/store/retry.ts";
import { type CopiedEntry, getExpiry, isStoreBound } from "./expiring_entries.ts";

export interface TimedEntry extends CopiedEntry {
  /** Milliseconds since 1970 UTC; null for never. */
  readonly expiresAt: number | null;
}

/** Lists the entries that a copy of a store has, in the order of keys. */
export async function* listCopied(kv: Kv): AsyncGenerator<TimedEntry> {
  for await (const { key, value } of listAll(kv)) {
    if (isStoreBound(key)) continue;
    const expiresAt = await retryReads(() => getExpiry({ key, value }, { kv, now: systemClock.now() }));
    yield { key, value, expiresAt };
  }
}
