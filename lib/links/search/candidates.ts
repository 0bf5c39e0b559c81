import type { Kv } from "@/lib/store/kv.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";
import { linkKeys } from "../store.ts";
import type { ParsedFilter } from "./link_query.ts";
import { TERM, wordsOf } from "./words.ts";

/** Maximum number of links that a search reads and compares; the newest ones, as a rule. */
export const MAX_COMPARED = 5000;
/** Maximum number of ids that are looked up for one word, for each link that is compared. */
const IDS_PER_LINK = 20;
const BATCH = 100;
/** Number of batches of links from which they are forgotten, each with up to 200 ids. */
const MAX_BATCHES = 500;
/** Maximum number of tags, words and labels of a host that are looked up; the others are compared with the links. */
const MAX_LOOKUPS = 5;
/** Sorts after every character of a word. */
const LAST = "\u{10ffff}";
/** States that links with a searched status have. */
const STATES = { disabled: "disabled", expired: "expires", used_up: "limited" } as const;

/**
 * Returns the ids of links that may fulfill a filter, and whether no other link may; null for a filter without anything
 * that is indexed.
 */
export async function listCandidates(kv: Kv, filter: ParsedFilter, maxCompared: number) {
  const lookups = lookupsOf(filter);
  if (lookups.length === 0) return null;
  // The ids of a single lookup are the candidates, of which no more are compared.
  const max = lookups.length === 1 ? maxCompared : IDS_PER_LINK * maxCompared;
  const found = await Array.fromAsync(lookups, (ranges) => collect(kv, ranges, max));
  // A set that is not complete would exclude links that fulfill the filter.
  const complete = found.filter(({ isComplete }) => isComplete);
  const common = (complete.length === 0 ? found.slice(0, 1) : complete).map(({ shorts }) => shorts)
    .sort((one, other) => one.size - other.size)
    .reduce((some, others) => some.intersection(others));
  const isComplete = complete.length > 0 && common.size <= maxCompared;
  return { shorts: [...common].slice(0, maxCompared), isComplete };
}

/** Returns what a link must have: for each of that, ranges of the index, of which it is in at least one. */
function lookupsOf({ words, host, tags, status }: ParsedFilter): Deno.KvListSelector[][] {
  const startingWith = (toKey: (word: string) => Key, start: string) => ({
    start: toKey(start),
    end: toKey(start + LAST),
  });
  // The longest words are the rarest, as a rule.
  const longest = [...words].sort((one, other) => other.length - one.length).slice(0, MAX_LOOKUPS);
  return [
    ...tags.slice(0, MAX_LOOKUPS).map((tag) => [{ prefix: linkKeys.term(TERM.tag + tag) }]),
    ...status === undefined || status === "active"
      ? []
      : [[{ prefix: linkKeys.term(TERM.state + STATES[status]) }]],
    ...longest.map((word) => [
      startingWith(linkKeys.word, word),
      startingWith(linkKeys.term, TERM.title + word),
      startingWith(linkKeys.term, TERM.tag + word),
    ]),
    ...wordsOf(host, MAX_LOOKUPS).map((word) => [{ prefix: linkKeys.word(word) }]),
  ];
}

/** Returns ids in ranges of the index, and whether these are all of them. */
async function collect(kv: Kv, ranges: readonly Deno.KvListSelector[], max: number) {
  const shorts = new Set<string>();
  const batches = new Map<string, readonly string[]>();
  for (const range of ranges) {
    for await (const entries of inBatches(kv.list(range, { batchSize: BATCH }), BATCH)) {
      const named = entries.filter(({ value }) => value instanceof Uint8Array);
      if (batches.size > MAX_BATCHES) batches.clear();
      const missing = new Set(named.map(({ key }) => String(key.at(-1)))).difference(batches);
      const read = await readMany<string[]>(kv, [...missing].map((name) => linkKeys.wordBatch(name)));
      for (const { key, value } of read) batches.set(String(key.at(-1)), value ?? []);
      for (const { key, value } of entries) {
        // The id of a term is in its key; a word has ids or their numbers in a batch.
        const last = String(key.at(-1));
        const ids = value instanceof Uint8Array
          ? [...value].flatMap((number) => batches.get(last)?.[number] ?? [])
          : value === true
          ? [last]
          : toValue<string[]>(value);
        for (const short of ids) shorts.add(short);
        if (shorts.size > max) return { shorts, isComplete: false };
      }
    }
  }
  return { shorts, isComplete: true };
}

export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
