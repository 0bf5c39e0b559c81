import type { Kv } from "./kv.ts";
import { chunk } from "es-toolkit/array/chunk";
import { MAX_KEYS } from "./limits.ts";
import type { Key } from "./key.ts";

/** Returns the entries of any number of keys, in their order; they may stem from different moments. */
export async function readMany<T>(
  kv: Pick<Kv, "getMany">,
  keys: readonly Key[],
): Promise<Deno.KvEntryMaybe<T>[]> {
  const parts = chunk(keys, MAX_KEYS).map((part) => kv.getMany<T[]>(part));
  return (await Promise.all(parts)).flat();
}
