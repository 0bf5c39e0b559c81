import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import {
  botStorageKeys,
  botStorageLock,
  countEntryBytes,
  requireEntryLimits,
  requireQuota,
} from "./model.ts";
import { readUsage, writeUsage } from "./store.ts";

/**
 * Stores texts by key for the calling bot; other keys keep their values.
 * @throws AppError BAD_REQUEST for too long keys and values, and when the bot's quota is exceeded.
 */
export async function updateBotStorage(
  app: ChatApp,
  caller: Caller,
  storage: Readonly<Record<string, string>>,
): Promise<void> {
  const { realm, actingUser } = caller;
  const encoder = new TextEncoder();
  // Names that differ only in broken characters become the same.
  const changes = [
    ...new Map(
      Object.entries(storage).map(([name, text]) => [name.toWellFormed(), encoder.encode(text)] as const),
    ),
  ];
  requireEntryLimits(changes);
  await transact(app.store, async (tx) => {
    await getActingUser(tx, realm.id, actingUser);
    let { entries, bytes } = await readUsage(tx, caller);
    for (const [name, value] of changes) {
      const key = botStorageKeys.entry(realm.id, actingUser.id, name);
      // The record of the usage, which every change writes, is checked in place of the entries.
      const before = await tx.peek<Uint8Array>(key);
      if (before === null) entries++;
      bytes += countEntryBytes(name, value) - (before === null ? 0 : countEntryBytes(name, before));
      tx.set(key, value);
    }
    requireQuota({ entries, bytes });
    writeUsage(tx, caller, { entries, bytes });
  }, botStorageLock(caller));
}
