import { MAX_KEYS } from "./limits.ts";
import type { Key } from "./key.ts";

/** Returns the entries of any number of keys, in their order; they may stem from different moments. */
export async function readMany<T>(kv: Deno.Kv, keys: readonly Key[]): Promise<Deno.KvEntryMaybe<T>[]> {
  const parts: Promise<Deno.KvEntryMaybe<T>[]>[] = [];
  for (let at = 0; at < keys.length; at += MAX_KEYS) {
    parts.push(kv.getMany<T[]>(keys.slice(at, at + MAX_KEYS)));
  }
  return (await Promise.all(parts)).flat();
}
