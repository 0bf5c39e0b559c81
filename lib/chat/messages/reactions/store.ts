import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type Reaction, reactionsKey, type ReactionsRecord, toReactions } from "./model.ts";

/** Reads the reactions to a message, oldest first. */
export async function readReactions(app: ChatApp, realmId: number, messageId: number): Promise<Reaction[]> {
  return toReactions(await app.reads.read<ReactionsRecord>(reactionsKey(realmId, messageId)));
}

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
