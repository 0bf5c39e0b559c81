import type { Kv } from "@/lib/store/kv.ts";
import { toEntry, toValue } from "@/lib/store/key.ts";
import { compareCounts, type Complain, type Counts } from "./check_stats.ts";
import { termsOf, urlWords } from "./search/words.ts";
import { linkKeys, type LinkRecord } from "./store.ts";

/** Compares the index of links with the links, and the queue of removals with the deleted links. */
export async function checkLinkIndex(kv: Kv, complain: Complain): Promise<void> {
  // In this order, as the index of a server that runs takes links out of the queue.
  const [unindexed, indexed] = [await listUnindexed(kv), await countWords(kv)];
  const [wanted, found]: [Counts, Counts] = [new Map(), await countTerms(kv)];
  const removals = await listRemovals(kv);
  for await (const listed of kv.list({ prefix: linkKeys.links }, { batchSize: 1000 })) {
    const { key, value } = toEntry<LinkRecord>(listed);
    const short = toValue<string>(key[1]);
    for (const term of termsOf(value)) wanted.set(nameOf(term, short), 1);
    if (value.deletedAt !== undefined) {
      removals.delete(short);
      continue;
    }
    // A link that was indexed twice has more words.
    const isIndexed = unindexed.has(short) || (indexed.get(short) ?? 0) >= urlWords(value.url).length;
    if (!isIndexed) complain(`Words of ${encodeURIComponent(short)} are missing in the index.`);
  }
  compareCounts({ what: "index entry", wanted, found }, complain);
  for (const short of removals) {
    complain(`The visits of ${encodeURIComponent(short)} are to be removed, but it is not deleted.`);
  }
}

async function countWords(kv: Kv): Promise<Counts> {
  const counts: Counts = new Map();
  for await (const { value } of kv.list<string[]>({ prefix: linkKeys.words }, { batchSize: 200 })) {
    for (const short of value) counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return counts;
}

async function listUnindexed(kv: Kv): Promise<Set<string>> {
  const shorts = new Set<string>();
  for await (const { value } of kv.list<string[]>({ prefix: linkKeys.unindexed }, { batchSize: 200 })) {
    for (const short of value) shorts.add(short);
  }
  return shorts;
}

async function countTerms(kv: Kv): Promise<Counts> {
  const counts: Counts = new Map();
  for await (const { key } of kv.list({ prefix: linkKeys.terms }, { batchSize: 500 })) {
    counts.set(nameOf(toValue<string>(key[1]), toValue<string>(key[2])), 1);
  }
  return counts;
}

async function listRemovals(kv: Kv): Promise<Set<string>> {
  const shorts = new Set<string>();
  for await (const { key } of kv.list({ prefix: linkKeys.removals }, { batchSize: 500 })) {
    shorts.add(toValue<string>(key[1]));
  }
  return shorts;
}

function nameOf(term: string, short: string): string {
  return `${term} of ${encodeURIComponent(short)}`;
}
