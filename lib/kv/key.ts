/** A key of the store, outermost part first. */
export type Key = Deno.KvKey;

/** An entry as it was read: its value and the versionstamp that a later write can check. */
export interface Entry<T> {
  readonly key: Key;
  readonly value: T;
  readonly versionstamp: string;
}

/** Reads a record, or null. The caller names the type that is written under this key. */
export async function readRecord<T>(kv: Deno.Kv, key: Key): Promise<T | null> {
  return (await kv.get<T>(key)).value;
}

/** Reads a counter kept by `sum`; 0 when it was never written. */
export async function readCount(kv: Deno.Kv, key: Key): Promise<bigint> {
  const { value } = await kv.get<Deno.KvU64>(key);
  return value?.value ?? 0n;
}

/** Narrows the type of a listed entry: a listing never yields absent entries. */
export function toEntry<T>(entry: Deno.KvEntry<unknown>): Entry<T> {
  return entry as Entry<T>;
}

/** Returns a text that identifies a key, for maps; two keys have the same text only when they are equal. */
export function keyText(key: Key): string {
  return JSON.stringify(key, (_name, part) => {
    if (typeof part === "bigint") return { bigint: String(part) };
    return part instanceof Uint8Array ? { bytes: part.toHex() } : part;
  });
}

/** Returns a short text that identifies a key of texts and numbers; faster than `keyText`. */
export function keyName(key: Key): string {
  // The length prefix keeps different keys apart.
  return key.map((part) => typeof part === "string" ? `${part.length}:${part}` : String(part)).join(" ");
}

/** Returns the key right after `key` and all keys below it, for ranges. */
export function keyAfter(key: Key): Key {
  return [...key, new Uint8Array(0)];
}

/** Assigns a stored value the type that the owner of its key knows. */
export function toValue<T>(value: unknown): T {
  return value as T;
}
