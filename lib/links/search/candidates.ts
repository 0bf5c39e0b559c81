import type { Kv } from "@/lib/store/kv.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";
import { linkKeys } from "../store.ts";
import type { ParsedFilter } from "./link_query.ts";
import { TERM, wordsOf } from "./words.ts";

/** Maximum number of links that a search reads and compares; the newest ones, as a rule. */
export const MAX_CANDIDATES = 5000;
/** Maximum number of ids that are looked up for one word. */
const MAX_IDS = 100_000;

/** Most work that a search does; the rest of the index is not searched. */
export interface SearchBounds {
  /** Maximum number of ids that are looked up for one word. */
  readonly ids: number;
  /** Maximum number of links that are read and compared. */
  readonly links: number;
}

const FULL_SEARCH: SearchBounds = { ids: MAX_IDS, links: MAX_CANDIDATES };
/** Number of index entries that are read at once. */
const BATCH = 100;
/** Maximum number of words of a query that are looked up; the others are compared with the links. */
const MAX_LOOKUPS = 5;
/** Sorts after every character of a word. */
const LAST = "\u{10ffff}";
/** States that links with a searched status have. */
const STATES = { disabled: "disabled", expired: "expires", used_up: "limited" } as const;

/** Links that may fulfill a filter. */
export interface Candidates {
  readonly shorts: readonly string[];
  /** Whether no other link can fulfill it. */
  readonly isComplete: boolean;
}

/** Looks a filter up in the index; returns null for a filter without anything that is indexed. */
export async function listCandidates(
  kv: Kv,
  filter: ParsedFilter,
  bounds: SearchBounds = FULL_SEARCH,
): Promise<Candidates | null> {
  const lookups = lookupsOf(filter);
  if (lookups.length === 0) return null;
  // The ids of a single lookup are the candidates, of which no more are compared.
  const max = lookups.length === 1 ? Math.min(bounds.ids, bounds.links) : bounds.ids;
  const sets: CollectedIds[] = [];
  for (const sources of lookups) sets.push(await collect(kv, sources, max));
  // A set that is not whole would exclude links that fulfill the filter.
  const whole = sets.filter(({ isComplete }) => isComplete);
  const [smallest, ...others] = (whole.length === 0 ? sets.slice(0, 1) : whole).map(({ shorts }) => shorts)
    .sort((one, other) => one.size - other.size);
  const common = [...smallest ?? []].filter((short) => others.every((set) => set.has(short)));
  const isComplete = whole.length > 0 && common.length <= bounds.links;
  return { shorts: common.slice(0, bounds.links), isComplete };
}

/** Returns what a link must have: for each of that, ranges of the index, of which it is in at least one. */
function lookupsOf({ words, host, tags, status }: ParsedFilter): Deno.KvListSelector[][] {
  const startingWith = (prefix: Key, start: string) => ({
    start: [...prefix, start],
    end: [...prefix, start + LAST],
  });
  const withTerm = (term: string) => [{ prefix: [...linkKeys.termsOf(term)] }];
  // The longest words are the rarest, as a rule.
  const longest = [...words].sort((one, other) => other.length - one.length).slice(0, MAX_LOOKUPS);
  return [
    ...tags.map((tag) => withTerm(TERM.tag + tag)),
    ...status === null || status === "active" ? [] : [withTerm(TERM.state + STATES[status])],
    ...longest.map((word) => [
      startingWith(linkKeys.words, word),
      startingWith(linkKeys.terms, TERM.title + word),
      startingWith(linkKeys.terms, TERM.tag + word),
    ]),
    ...wordsOf(host).map((word) => [{ prefix: [...linkKeys.words, word] }]),
  ];
}

/** Ids that an index lookup found. */
interface CollectedIds {
  readonly shorts: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** Collects the ids of a lookup up to a maximum. */
async function collect(
  kv: Kv,
  ranges: readonly Deno.KvListSelector[],
  max: number,
): Promise<CollectedIds> {
  const shorts = new Set<string>();
  const batches = new Map<string, readonly string[]>();
  for (const range of ranges) {
    for await (const entries of inBatches(kv.list(range, { batchSize: BATCH }), BATCH)) {
      await readBatches(kv, entries, batches);
      for (const entry of entries) {
        for (const short of idsOf(entry, batches)) shorts.add(short);
        if (shorts.size > max) return { shorts, isComplete: false };
      }
    }
  }
  return { shorts, isComplete: true };
}

/** Number of batches from which they are forgotten, each with up to 200 ids. */
const MAX_BATCHES = 500;

/** Adds the ids of the batches that entries refer to. */
async function readBatches(
  kv: Kv,
  entries: readonly Deno.KvEntry<unknown>[],
  batches: Map<string, readonly string[]>,
): Promise<void> {
  const names = entries.filter(({ value }) => value instanceof Uint8Array).map(({ key }) =>
    String(key.at(-1))
  );
  if (batches.size > MAX_BATCHES) batches.clear();
  const missing = [...new Set(names)].filter((name) => !batches.has(name));
  const read = await readMany<string[]>(kv, missing.map((name) => linkKeys.wordBatch(name)));
  for (const [at, name] of missing.entries()) batches.set(name, read[at]?.value ?? []);
}

/** Returns the ids in an entry: that of a term is in the key, and a word has ids or their numbers in a batch. */
function idsOf(
  { key, value }: Deno.KvEntry<unknown>,
  batches: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const last = toValue<string>(key.at(-1));
  if (value === true) return [last];
  if (!(value instanceof Uint8Array)) return toValue<string[]>(value);
  return [...value].flatMap((number) => batches.get(last)?.[number] ?? []);
}

/** Yields so many items at once. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
