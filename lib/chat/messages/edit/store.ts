import type { ChatApp } from "@/lib/chat/app.ts";
import { readRecords } from "@/lib/store/record_cache.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import { countMessageChange, readMessagesVersion } from "../store.ts";
import { countHistoryBytes, type EditRecord, prependEdit } from "./model.ts";

/** Reads the edit history of a message, newest first. */
export async function readEditHistory(
  app: ChatApp,
  realmId: number,
  id: number,
): Promise<readonly EditRecord[]> {
  // Histories change with their messages only.
  const { changes: version } = await readMessagesVersion(app, realmId);
  const reading = { version, countBytes: countHistoryBytes };
  const [history] = await readRecords<readonly EditRecord[]>(
    app,
    [messageKeys.history(realmId, id)],
    reading,
  );
  return history ?? [];
}

/** Writes a changed message and adds the change to its history. */
export async function writeEditedMessage(
  tx: Tx,
  { realmId, message }: { realmId: number; message: MessageRecord },
  edit: EditRecord,
): Promise<void> {
  const key = messageKeys.history(realmId, message.id);
  const before = message.history_bytes === undefined ? [] : await tx.peek<readonly EditRecord[]>(key) ?? [];
  const history = prependEdit(before, edit);
  const changed: MessageRecord = { ...message, history_bytes: countHistoryBytes(history) };
  tx.set(key, history);
  tx.set(messageKeys.message(realmId, message.id), changed);
  countMessageChange(tx, realmId);
}
