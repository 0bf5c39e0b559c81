import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Caller } from "../users/model.ts";

/** Maximum size of a bot's names and values, in bytes of UTF-8. */
export const MAX_STORAGE_BYTES = 1_000_000;
/** Maximum size of the names and values of one request, which is one commit, in bytes of UTF-8. */
export const MAX_CHANGE_BYTES = 500_000;
/** Maximum number of entries of a bot; all of them can be removed in one commit. */
export const MAX_STORAGE_ENTRIES = 500;
/** Maximum length of a name in code points. */
export const MAX_STORAGE_NAME = 256;
/** Maximum size of a value in bytes of UTF-8; it fits into one record of the store. */
export const MAX_STORAGE_VALUE_BYTES = 60_000;

/** Storage that a bot uses. */
export interface BotStorageUsage {
  readonly entries: number;
  /** Size of names and values in bytes of UTF-8. */
  readonly bytes: number;
}

/** Default value when the bot has stored nothing. */
export const NO_USAGE: BotStorageUsage = { entries: 0, bytes: 0 };

/** Keys of bot storage. */
export const botStorageKeys = {
  all: (realmId: number): Key => [realmId, "bot_storage"],
  entries: (realmId: number, botId: number): Key => [realmId, "bot_storage", botId],
  /** A value, as UTF-8. */
  entry: (realmId: number, botId: number, name: string): Key => [realmId, "bot_storage", botId, name],
  usages: (realmId: number): Key => [realmId, "bot_storage_usage"],
  /** Read and written by every change, so that changes of one bot conflict. */
  usage: (realmId: number, botId: number): Key => [realmId, "bot_storage_usage", botId],
};

/** Returns the name of the in-process lock for changes of the calling bot's storage. */
export function botStorageLock({ realm, actingUser }: Caller): string {
  return `bot storage ${realm.id} ${actingUser.id}`;
}

/** Returns the size of an entry in bytes of UTF-8. */
export function countEntryBytes(name: string, value: Uint8Array): number {
  return new TextEncoder().encode(name).length + value.length;
}

/**
 * Requires that the entries of one request are within the limits of names, values and requests.
 * @throws AppError BAD_REQUEST.
 */
export function requireEntryLimits(entries: readonly (readonly [name: string, value: Uint8Array])[]): void {
  for (const [name, value] of entries) {
    if (codePointLength(name) > MAX_STORAGE_NAME) {
      throw new AppError("BAD_REQUEST", `A key has at most ${MAX_STORAGE_NAME} characters.`);
    }
    if (value.length > MAX_STORAGE_VALUE_BYTES) {
      throw new AppError("BAD_REQUEST", `A value has at most ${MAX_STORAGE_VALUE_BYTES} bytes.`);
    }
  }
  const bytes = entries.reduce((sum, [name, value]) => sum + countEntryBytes(name, value), 0);
  if (bytes > MAX_CHANGE_BYTES) {
    throw new AppError("BAD_REQUEST", `One request stores at most ${MAX_CHANGE_BYTES} bytes.`);
  }
}

/**
 * Requires that a bot's storage stays within its quota.
 * @throws AppError BAD_REQUEST that says by how much it is exceeded.
 */
export function requireQuota({ entries, bytes }: BotStorageUsage): void {
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

/** Returns the error for a key that is not stored. */
export function noSuchStorageKey(): AppError {
  return new AppError("BAD_REQUEST", "Key does not exist.");
}
