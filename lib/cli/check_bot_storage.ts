import {
  botStorageKeys,
  type BotStorageUsage,
  countEntryBytes,
  NO_USAGE,
} from "@/lib/chat/bot_storage/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Complain } from "./check_index.ts";

/** Number of entries read from the store at a time; values can be large. */
const BATCH = 50;

/** Compares the recorded sizes of bot storages with their entries. */
export async function checkBotStorage(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const counted = new Map<number, BotStorageUsage>();
  const prefix = [...botStorageKeys.all(realmId)];
  for await (const entry of kv.list({ prefix }, { batchSize: BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    const botId = Number(key[prefix.length]);
    const { entries, bytes } = counted.get(botId) ?? NO_USAGE;
    const size = countEntryBytes(String(key.at(-1)), value);
    counted.set(botId, { entries: entries + 1, bytes: bytes + size });
  }
  const recorded = new Map<number, BotStorageUsage>();
  for await (const entry of kv.list({ prefix: [...botStorageKeys.usages(realmId)] })) {
    const { key, value } = toEntry<BotStorageUsage>(entry);
    recorded.set(Number(key.at(-1)), value);
  }
  for (const botId of new Set([...counted.keys(), ...recorded.keys()])) {
    const [actual, found] = [counted.get(botId) ?? NO_USAGE, recorded.get(botId) ?? NO_USAGE];
    if (actual.entries === found.entries && actual.bytes === found.bytes) continue;
    complain(
      `the storage of bot ${botId} has ${actual.entries} keys and ${actual.bytes} bytes; ` +
        `${found.entries} and ${found.bytes} are recorded.`,
    );
  }
}
