/** A key of the store, outermost part first. */
export type Key = Deno.KvKey;

/** One entry as it was read: the value, and the stamp that a later write can check. */
export interface Entry<T> {
  readonly key: Key;
  readonly value: T;
  readonly versionstamp: string;
}

/** Reads one record; null when it is not there. The caller names the type that is written under this key. */
export async function readRecord<T>(kv: Deno.Kv, key: Key): Promise<T | null> {
  return (await kv.get<T>(key)).value;
}

/** Reads a counter kept by `sum`; 0 when it was never written. */
export async function readCount(kv: Deno.Kv, key: Key): Promise<bigint> {
  const { value } = await kv.get<Deno.KvU64>(key);
  return value?.value ?? 0n;
}

/** Puts a listed entry's type right: a listing never yields absent entries. */
export function toEntry<T>(entry: Deno.KvEntry<unknown>): Entry<T> {
  return entry as Entry<T>;
}

/** A text that names a key exactly, for maps; two keys have the same text only when they are equal. */
export function keyText(key: Key): string {
  return JSON.stringify(key, (_name, part) => {
    if (typeof part === "bigint") return { bigint: String(part) };
    return part instanceof Uint8Array ? { bytes: part.toHex() } : part;
  });
}

/** A short text that names a key of texts and numbers exactly; made faster than `keyText`. */
export function keyName(key: Key): string {
  // A text says how long it is, so that none looks like two.
  return key.map((part) => typeof part === "string" ? `${part.length}:${part}` : String(part)).join(" ");
}

/** The key right after `key` and all keys below it, for ranges that start behind it. */
export function keyAfter(key: Key): Key {
  return [...key, new Uint8Array(0)];
}

/** The type of a stored value, as the caller that owns its key knows it. */
export function toValue<T>(value: unknown): T {
  return value as T;
}
