import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import type { Complain } from "../organization/check_index.ts";
import { boundedString, described, json, optional, record } from "../organization/params/param.ts";
import type { Caller } from "../organization/users/model.ts";
import { act } from "../organization/users/store.ts";

/** Maximum size of a bot's names and values, in bytes of UTF-8. */
const MAX_STORAGE_BYTES = 1_000_000;
/** Maximum size of the names and values of one request, which is one commit, in bytes of UTF-8. */
const MAX_CHANGE_BYTES = 500_000;
/** Maximum number of entries of a bot; all of them can be removed in one commit. */
export const MAX_STORAGE_ENTRIES = 500;
/** Maximum length of a name in code points. */
const MAX_STORAGE_NAME = 256;
/** Maximum size of a value in bytes of UTF-8; it fits into one record of the store. */
const MAX_STORAGE_VALUE_BYTES = 60_000;
/** Entries per read of the store; their values may be large. */
const BATCH = 50;

interface BotStorageUsage {
  readonly entries: number;
  /** Size of names and values in bytes of UTF-8. */
  readonly bytes: number;
}

const NO_USAGE: BotStorageUsage = { entries: 0, bytes: 0 };

const keys = {
  entries: ({ realm, actingUser }: Caller): Key => [realm.id, "bot_storage", actingUser.id],
  /** A value, as UTF-8. */
  entry: ({ realm, actingUser }: Caller, name: string): Key => [realm.id, "bot_storage", actingUser.id, name],
  /** Read and written by every change, so that changes of one bot conflict. */
  usage: ({ realm, actingUser }: Caller): Key => [realm.id, "bot_storage_usage", actingUser.id],
};

/**
 * Returns entries of the calling bot's storage as text; all of them when no names are given.
 * @throws AppError BAD_REQUEST for a name that is not stored.
 */
export async function getBotStorage(
  { store, reads }: ChatApp,
  caller: Caller,
  names: readonly string[] | undefined,
): Promise<Record<string, string>> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (names === undefined) {
    const all = await Array.fromAsync(
      listEntries(store.kv, keys.entries(caller)),
      ({ key, value }) => [String(key.at(-1)), decoder.decode(value)] as const,
    );
    return Object.fromEntries(all);
  }
  const found = [...new Set(names)].map(async (name) => {
    const value = await reads.read<Uint8Array>(keys.entry(caller, name));
    if (value === null) throw noSuchKey();
    return [name, decoder.decode(value)] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/**
 * Stores texts by key for the calling bot; other keys keep their values.
 * @throws AppError BAD_REQUEST for too long keys and values, and when the bot's quota is exceeded.
 */
export async function updateBotStorage(
  app: ChatApp,
  caller: Caller,
  storage: Readonly<Record<string, string>>,
): Promise<void> {
  const encoder = new TextEncoder();
  // Names that differ only in broken characters become the same.
  const changes = new Map(
    Object.entries(storage).map(([name, text]) => [name.toWellFormed(), encoder.encode(text)]),
  );
  requireEntryLimits(changes);
  await changeStorage(app, caller, async (tx, { entries, bytes }) => {
    for (const [name, value] of changes) {
      const key = keys.entry(caller, name);
      // The record of the usage, which every change writes, is checked in place of the entries.
      const before = await tx.peek<Uint8Array>(key);
      if (before === null) entries++;
      bytes += countEntryBytes(name, value) - (before === null ? 0 : countEntryBytes(name, before));
      tx.set(key, value);
    }
    requireQuota({ entries, bytes });
    return { entries, bytes };
  });
}

/**
 * Removes entries of the calling bot's storage; all of them when no names are given.
 * @throws AppError BAD_REQUEST for a name that is not stored; then nothing is removed.
 */
export async function removeBotStorage(
  app: ChatApp,
  caller: Caller,
  names: readonly string[] | undefined,
): Promise<void> {
  await changeStorage(app, caller, async (tx, { entries, bytes }) => {
    if (names === undefined) {
      for await (const { key } of listEntries(app.store.kv, keys.entries(caller))) tx.delete(key);
      return NO_USAGE;
    }
    for (const name of new Set(names)) {
      const key = keys.entry(caller, name);
      const value = await tx.peek<Uint8Array>(key);
      if (value === null) throw noSuchKey();
      tx.delete(key);
      bytes -= countEntryBytes(name, value);
      entries--;
    }
    return { entries, bytes };
  });
}

/** Changes the calling bot's storage; `change` writes entries and returns what they use then. */
async function changeStorage(
  app: ChatApp,
  caller: Caller,
  change: (tx: Tx, usage: BotStorageUsage) => Promise<BotStorageUsage>,
): Promise<void> {
  const { realm, actingUser } = caller;
  await act(app, caller, async ({ tx }) => {
    const key = keys.usage(caller);
    const usage = await change(tx, await tx.get<BotStorageUsage>(key) ?? NO_USAGE);
    if (usage.entries === 0) tx.delete(key);
    else tx.set(key, usage);
  }, `bot storage ${realm.id} ${actingUser.id}`);
}

function requireEntryLimits(entries: ReadonlyMap<string, Uint8Array>): void {
  let bytes = 0;
  for (const [name, value] of entries) {
    if (codePointLength(name) > MAX_STORAGE_NAME) {
      throw new AppError("BAD_REQUEST", `A key has at most ${MAX_STORAGE_NAME} characters.`);
    }
    if (value.length > MAX_STORAGE_VALUE_BYTES) {
      throw new AppError("BAD_REQUEST", `A value has at most ${MAX_STORAGE_VALUE_BYTES} bytes.`);
    }
    bytes += countEntryBytes(name, value);
  }
  if (bytes > MAX_CHANGE_BYTES) {
    throw new AppError("BAD_REQUEST", `One request stores at most ${MAX_CHANGE_BYTES} bytes.`);
  }
}

function requireQuota({ entries, bytes }: BotStorageUsage): void {
  if (bytes > MAX_STORAGE_BYTES) {
    const excess = bytes - MAX_STORAGE_BYTES;
    throw new AppError(
      "BAD_REQUEST",
      `Request exceeds storage limit by ${excess} bytes. The limit is ${MAX_STORAGE_BYTES} bytes.`,
    );
  }
  if (entries > MAX_STORAGE_ENTRIES) {
    throw new AppError("BAD_REQUEST", `A bot can store ${MAX_STORAGE_ENTRIES} keys at most.`);
  }
}

function noSuchKey(): AppError {
  return new AppError("BAD_REQUEST", "Key does not exist.");
}

/** Returns the size of an entry in bytes of UTF-8. */
function countEntryBytes(name: string, value: Uint8Array): number {
  return new TextEncoder().encode(name).length + value.length;
}

async function* listEntries(kv: Kv, prefix: Key): AsyncGenerator<Entry<Uint8Array>> {
  for await (const entry of kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) yield toEntry(entry);
}

/** Compares the recorded sizes of an organization's bot storages with their entries. */
export async function checkBotStorage(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const counted = new Map<number, BotStorageUsage>();
  for await (const { key, value } of listEntries(kv, [realmId, "bot_storage"])) {
    const { entries, bytes } = counted.get(Number(key[2])) ?? NO_USAGE;
    const size = countEntryBytes(String(key.at(-1)), value);
    counted.set(Number(key[2]), { entries: entries + 1, bytes: bytes + size });
  }
  const recorded = new Map<number, BotStorageUsage>();
  for await (const entry of kv.list({ prefix: [realmId, "bot_storage_usage"] })) {
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

export const updateStorageParams = {
  storage: described(
    json(record(z.string())),
    "Texts by key; other keys keep their values. " +
      `At most ${MAX_STORAGE_ENTRIES} keys of ${MAX_STORAGE_NAME} characters, ` +
      `${MAX_STORAGE_VALUE_BYTES} bytes for each value and ${MAX_STORAGE_BYTES} bytes in all.`,
  ),
};

const names = optional(json(z.array(boundedString()).max(MAX_STORAGE_ENTRIES)));

export const getStorageParams = {
  keys: described(names, "Keys whose values are returned; all by default."),
};

export const removeStorageParams = { keys: described(names, "Keys to remove; all by default.") };

export const storageSchema = z.object({
  storage: z.record(z.string(), z.string()).meta({ description: "Texts by key." }),
});
