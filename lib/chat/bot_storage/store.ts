import { toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { botStorageKeys, type BotStorageUsage, NO_USAGE, noSuchStorageKey } from "./model.ts";

/** Values per read of the store; they may be large. */
const BATCH = 50;

/**
 * Returns entries of the calling bot's storage as text; all of them when no names are given.
 * @throws AppError BAD_REQUEST for a name that is not stored.
 */
export async function getBotStorage(
  { store, reads }: ChatApp,
  { realm, actingUser }: Caller,
  names: readonly string[] | undefined,
): Promise<Record<string, string>> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const entries: [name: string, value: string][] = [];
  if (names !== undefined) {
    const unique = [...new Set(names)];
    const values = await Promise.all(
      unique.map((name) => reads.read<Uint8Array>(botStorageKeys.entry(realm.id, actingUser.id, name))),
    );
    for (const [at, name] of unique.entries()) {
      const value = values[at] ?? null;
      if (value === null) throw noSuchStorageKey();
      entries.push([name, decoder.decode(value)]);
    }
    return Object.fromEntries(entries);
  }
  const prefix = [...botStorageKeys.entries(realm.id, actingUser.id)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    entries.push([String(key.at(-1)), decoder.decode(value)]);
  }
  return Object.fromEntries(entries);
}

/** Reads the storage that the calling bot uses, in a transaction. */
export async function readUsage(tx: Tx, { realm, actingUser }: Caller): Promise<BotStorageUsage> {
  return await tx.get<BotStorageUsage>(botStorageKeys.usage(realm.id, actingUser.id)) ?? NO_USAGE;
}

/** Writes the storage that the calling bot uses; deletes the record when it is empty. */
export function writeUsage(tx: Tx, { realm, actingUser }: Caller, usage: BotStorageUsage): void {
  const key = botStorageKeys.usage(realm.id, actingUser.id);
  if (usage.entries === 0) tx.delete(key);
  else tx.set(key, usage);
}
