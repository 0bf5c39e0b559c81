import type { Kv } from "@/lib/store/kv.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";

/** Reports a disagreement as a sentence. */
export type Complain = (sentence: string) => void;

/** Rows of an index: the remaining parts of each key, and its value. */
export type Index = readonly (readonly [name: string, value: unknown])[];

export const BATCH = 500;

/** Reports every row that an index lacks, holds with another value, or holds without need. */
export function compareIndex(
  complain: Complain,
  what: string,
  { wanted, found }: { wanted: Index; found: Index },
): void {
  const unmatched = new Map(found.map(([name, value]) => [name, JSON.stringify(value)]));
  for (const [name, value] of wanted) {
    if (unmatched.get(name) !== JSON.stringify(value)) {
      complain(
        `in its ${what}, ${name} is ${unmatched.get(name) ?? "missing"}, not ${JSON.stringify(value)}.`,
      );
    }
    unmatched.delete(name);
  }
  for (const name of unmatched.keys()) complain(`in its ${what}, ${name} should not exist.`);
}

/** Returns the entries below a prefix, named by the remaining parts of each key. */
export async function indexBelow(kv: Kv, prefix: Key): Promise<[string, unknown][]> {
  const entries: [string, unknown][] = [];
  for await (const { key, value } of kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    entries.push([key.slice(prefix.length).join(" "), value]);
  }
  return entries;
}

/** Returns the sums below a prefix that are not 0, named by the remaining parts of each key. */
export async function sumsBelow(kv: Kv, prefix: Key): Promise<[string, unknown][]> {
  const sums: [string, unknown][] = [];
  for await (const entry of kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    const { key, value } = toEntry<Deno.KvU64>(entry);
    if (value.value !== 0n) sums.push([key.slice(prefix.length).join(" "), String(value.value)]);
  }
  return sums;
}
