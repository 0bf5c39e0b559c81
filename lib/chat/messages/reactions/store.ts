import type { Tx } from "@/lib/store/transact.ts";
import { reactionsKey, type ReactionsRecord } from "./model.ts";

/** Writes the reactions to a message; null deletes the record. */
export function writeReactions(
  tx: Tx,
  { realmId, messageId }: { realmId: number; messageId: number },
  record: ReactionsRecord | null,
): void {
  const key = reactionsKey(realmId, messageId);
  if (record === null) tx.delete(key);
  else tx.set(key, record);
}
