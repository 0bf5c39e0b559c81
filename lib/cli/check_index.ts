import { type Key, toEntry } from "@/lib/kv/key.ts";

/** Takes a sentence about something that does not agree. */
export type Complain = (sentence: string) => void;

/** The rows of an index: what is left of each key, and the value. */
export type Index = readonly (readonly [name: string, value: unknown])[];

/** How many entries are read from the store at once. */
export const BATCH = 500;

/** Complains of every row that an index lacks, has with another value, or has beyond what is wanted. */
export function compareIndex(
  complain: Complain,
  what: string,
  { wanted, found }: { wanted: Index; found: Index },
): void {
  const rest = new Map(found.map(([name, value]) => [name, JSON.stringify(value)]));
  for (const [name, value] of wanted) {
    if (rest.get(name) !== JSON.stringify(value)) {
      complain(`in its ${what}, ${name} is ${rest.get(name) ?? "missing"}, not ${JSON.stringify(value)}.`);
    }
    rest.delete(name);
  }
  for (const name of rest.keys()) complain(`in its ${what}, ${name} belongs to nothing.`);
}

/** What stands below a prefix, named by the rest of each key. */
export async function indexBelow(kv: Deno.Kv, prefix: Key): Promise<[string, unknown][]> {
  const entries: [string, unknown][] = [];
  for await (const { key, value } of kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    entries.push([key.slice(prefix.length).join(" "), value]);
  }
  return entries;
}

/** Sums below a prefix that are not 0, named by the rest of each key. */
export async function sumsBelow(kv: Deno.Kv, prefix: Key): Promise<[string, unknown][]> {
  const sums: [string, unknown][] = [];
  for await (const entry of kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    const { key, value } = toEntry<Deno.KvU64>(entry);
    if (value.value !== 0n) sums.push([key.slice(prefix.length).join(" "), String(value.value)]);
  }
  return sums;
}
