import type { ChatApp } from "@/lib/chat/app.ts";
import { keyName } from "@/lib/store/key.ts";
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
  const { changes } = await readMessagesVersion(app, realmId);
  const key = messageKeys.history(realmId, id);
  const known = app.cache.find<readonly EditRecord[]>(keyName(key), changes);
  if (known !== undefined) return known;
  const history = await app.reads.read<readonly EditRecord[]>(key) ?? [];
  app.cache.keep(keyName(key), changes, history, countHistoryBytes(history));
  return history;
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
