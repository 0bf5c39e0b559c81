import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { botStorageKeys, botStorageLock, countEntryBytes, NO_USAGE, noSuchStorageKey } from "./model.ts";
import { readUsage, writeUsage } from "./store.ts";

/** Entries per read of the store; their values may be large. */
const BATCH = 50;

/**
 * Removes entries of the calling bot's storage; all of them when no names are given.
 * @throws AppError BAD_REQUEST for a name that is not stored; then nothing is removed.
 */
export async function removeBotStorage(
  app: ChatApp,
  caller: Caller,
  names: readonly string[] | undefined,
): Promise<void> {
  const { realm, actingUser } = caller;
  await transact(app.store, async (tx) => {
    await getActingUser(tx, realm.id, actingUser);
    const usage = await readUsage(tx, caller);
    if (names === undefined) {
      const prefix = [...botStorageKeys.entries(realm.id, actingUser.id)];
      for await (const entry of app.store.kv.list({ prefix }, { batchSize: BATCH })) {
        tx.delete(toEntry(entry).key);
      }
      return writeUsage(tx, caller, NO_USAGE);
    }
    let { entries, bytes } = usage;
    for (const name of new Set(names)) {
      bytes -= await removeEntry(tx, caller, name);
      entries--;
    }
    writeUsage(tx, caller, { entries, bytes });
  }, botStorageLock(caller));
}

/** Removes an entry and returns its size in bytes. */
async function removeEntry(tx: Tx, { realm, actingUser }: Caller, name: string): Promise<number> {
  const key = botStorageKeys.entry(realm.id, actingUser.id, name);
  const value = await tx.peek<Uint8Array>(key);
  if (value === null) throw noSuchStorageKey();
  tx.delete(key);
  return countEntryBytes(name, value);
}
