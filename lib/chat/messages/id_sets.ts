import { IntervalSet } from "@/lib/core/interval_set.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";

/** Parses a stored id set; empty when none is stored. */
export function parseIdSet(stored: Uint8Array | null): IntervalSet {
  return stored === null ? IntervalSet.empty : IntervalSet.parse(stored);
}

/** Updates a stored id set; writes nothing when it does not change. Returns whether it changed. */
export async function updateIdSet(
  tx: Tx,
  key: Key,
  change: (set: IntervalSet) => IntervalSet,
): Promise<boolean> {
  const before = parseIdSet(await tx.get<Uint8Array>(key));
  const after = change(before);
  if (after.equals(before)) return false;
  if (after.isEmpty) tx.delete(key);
  else tx.set(key, after.serialize());
  return true;
}
