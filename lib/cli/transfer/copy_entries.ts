import { systemClock } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { listCopied, type TimedEntry } from "./expiring_entries.ts";

/** Maximum size of a value of the store. */
const MAX_VALUE_BYTES = 65_536;
/** Estimated size of a character of JSON in the store, in bytes: numbers of one digit may take nine. */
const CHARACTER_BYTES = 9;

/**
 * Copies the entries of one store into another, with their expiry, and returns their number. `onEntry` is called
 * after each.
 */
export async function copyEntries(
  from: Kv,
  to: Kv,
  onEntry: () => void = () => {},
): Promise<number> {
  const writer = new BulkWriter(to);
  let copied = 0;
  for await (const entry of listCopied(from)) {
    if (await writeEntry(writer, entry, MAX_VALUE_BYTES)) copied++;
    onEntry();
  }
  await writer.flush();
  return copied;
}

/** Writes an entry, whose value has `bytes` at most, unless it has expired; returns whether it was written. */
export async function writeEntry(
  writer: BulkWriter,
  { key, value, expiresAt }: TimedEntry,
  bytes: number,
): Promise<boolean> {
  if (expiresAt === null) {
    await writer.set(key, value, bytes);
    return true;
  }
  const expireIn = expiresAt - systemClock.now();
  if (expireIn <= 0) return false;
  await writer.setExpiring(key, value, { bytes, expireIn });
  return true;
}

/** Returns an upper bound of the size of a value in the store, from the length of its JSON form. */
export function estimateBytes(value: unknown, characters: number): number {
  if (value instanceof Uint8Array) return value.length;
  return Math.min(MAX_VALUE_BYTES, CHARACTER_BYTES * characters);
}
