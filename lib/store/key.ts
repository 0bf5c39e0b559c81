import { type Kv, MAX_KEY_BYTES } from "./kv.ts";

/** A key of the store, outermost part first. */
export type Key = Deno.KvKey;

/** An entry as it was read: its value and the versionstamp that a later write can check. */
export interface Entry<T> {
  readonly key: Key;
  readonly value: T;
  readonly versionstamp: string;
}

/** Reads a record, or null. The caller names the type that is written under this key. */
export async function readRecord<T>(kv: Kv, key: Key): Promise<T | null> {
  return (await readEntry<T>(kv, key)).value;
}

/** Reads an entry, which is absent for a key that the store cannot hold. */
export async function readEntry<T>(kv: Kv, key: Key): Promise<Deno.KvEntryMaybe<T>> {
  return isStorableKey(key) ? await kv.get<T>(key) : { key, value: null, versionstamp: null };
}

/** Reads a counter kept by `sum`; 0 when it was never written. */
export async function readCount(kv: Kv, key: Key): Promise<bigint> {
  const { value } = await readEntry<Deno.KvU64>(kv, key);
  return value?.value ?? 0n;
}

/** Narrows the type of a listed entry: a listing never yields absent entries. */
export function toEntry<T>(entry: Deno.KvEntry<unknown>): Entry<T> {
  return entry as Entry<T>;
}

/** Returns a text that identifies a key, for maps; two keys have the same text only when they are equal. */
export function keyText(key: Key): string {
  // A function that replaces values takes most of the time, and few keys need it.
  if (key.every((part) => typeof part === "string" || typeof part === "number")) return JSON.stringify(key);
  return JSON.stringify(key, (_name, part) => {
    if (typeof part === "bigint") return { bigint: String(part) };
    return part instanceof Uint8Array ? { bytes: part.toHex() } : part;
  });
}

/** Returns a short text that identifies a key of texts and numbers; faster than `keyText`. */
export function keyName(key: Key): string {
  // The length prefix keeps different keys apart.
  let name = "";
  for (const part of key) name += typeof part === "string" ? `${part.length}:${part} ` : `${String(part)} `;
  return name;
}

/** Returns the key right after `key` and all keys below it, for ranges. */
export function keyAfter(key: Key): Key {
  return [...key, new Uint8Array(0)];
}

/** Returns whether a key is a prefix and one more part. */
export function isBelow(prefix: Key, key: Key): boolean {
  return key.length === prefix.length + 1 && prefix.every((part, at) => part === key[at]);
}

/** Assigns a stored value the type that the owner of its key knows. */
export function toValue<T>(value: unknown): T {
  return value as T;
}

/** Size of a number in a key, in bytes. */
const SCALAR_BYTES = 9;
/** Largest size of a UTF-16 code unit in a key: three bytes of UTF-8. */
const UNIT_BYTES = 3;

/**
 * Returns whether the store can hold a key. It rejects reads and writes of longer ones, so no value is stored
 * under them.
 */
export function isStorableKey(key: Key): boolean {
  let atMost = 0;
  for (const part of key) atMost += SCALAR_BYTES + UNIT_BYTES * lengthOf(part);
  if (atMost <= MAX_KEY_BYTES) return true;
  return key.reduce<number>((size, part) => size + partSize(part), 0) <= MAX_KEY_BYTES;
}

/** Returns the number of units of a part whose length varies. */
function lengthOf(part: Deno.KvKeyPart): number {
  if (typeof part === "string" || part instanceof Uint8Array) return part.length;
  return typeof part === "bigint" ? part.toString(16).length : 0;
}

/** Returns the size of a part of a key as the store encodes it, in bytes. */
function partSize(part: Deno.KvKeyPart): number {
  if (typeof part === "string" || part instanceof Uint8Array) {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    // A part begins with its type and ends with a NUL; each NUL within it is escaped.
    return bytes.reduce((size, byte) => size + (byte === 0 ? 2 : 1), 2);
  }
  if (typeof part === "bigint") return SCALAR_BYTES + Math.ceil(part.toString(16).length / 2);
  return typeof part === "boolean" ? 1 : SCALAR_BYTES;
}

const encoder = new TextEncoder();
