import { dayOf, hourOf } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, readRecord, toEntry } from "@/lib/store/key.ts";
import { termsOf, urlWords } from "./search/words.ts";
import { linkKeys, type LinkRecord, type Rank, readInstanceCounts } from "./store.ts";
import { readLoggedTimes } from "./visit_log.ts";

/** Maximum number of problems that are listed. */
const MAX_LISTED = 100;

/** Numbers by name. A link has its percent-encoded id as its name. */
type Counts = Map<string, number>;

/**
 * Recounts links and visits and compares them with every counter, order and index. A problem is a sentence for a counter
 * that is wrong.
 */
export async function checkLinks(
  kv: Kv,
): Promise<{ urls: number; visits: number; problems: readonly string[] }> {
  const problems: string[] = [];
  const complain = (sentence: string) => {
    if (problems.length < MAX_LISTED) problems.push(sentence);
  };
  const compare = (what: string, wanted: Counts, found: Counts) => {
    for (const name of new Set([...wanted.keys(), ...found.keys()])) {
      const [there, here] = [wanted.get(name) ?? 0, found.get(name) ?? 0];
      if (there !== here) complain(`The ${what} ${name}: ${here} is stored; it should be ${there}.`);
    }
  };
  const visits = await countVisits(kv);
  const counted = await readSums(kv, linkKeys.visitCount());
  // In this order, as the index of a server that runs takes links out of the queue.
  const unindexed = await countPacked(kv, linkKeys.unindexed());
  const indexed = await countWords(kv);
  const links = await countLinks(kv);
  const limited = await countByLink<number>(kv, linkKeys.limitedVisits(), (_key, number) => number);
  compareVisits(visits, { links: links.all, counted, limited }, complain);
  const total = [...visits.logged.values(), ...counted.values()].reduce((sum, number) => sum + number, 0);
  const totals = await readInstanceCounts(kv);
  if (totals.urls !== links.open.size) {
    complain(`The count of URLs is ${totals.urls}; ${links.open.size} are stored.`);
  }
  if (totals.visits !== total) {
    complain(`The count of all visits is ${totals.visits}; the counts of the URLs add up to ${total}.`);
  }
  compare("visits of day", visits.byDay, await readSums(kv, linkKeys.visitDay()));
  // The sums of hours before all visits were counted are not complete.
  const since = await readRecord<number>(kv, linkKeys.visitHoursSince) ?? -Infinity;
  const complete = (hours: Counts) => new Map([...hours].filter(([hour]) => Number(hour) >= since));
  compare("visits of hour", complete(visits.byHour), complete(await readSums(kv, linkKeys.visitHour())));
  compare("visits by short URL and day", visits.byLinkAndDay, await readSums(kv, linkKeys.visitDayOf()));
  const ranked = await countByLink<Rank>(kv, linkKeys.rankOf(), (_key, rank) => rank.count);
  const ordered = await count(kv, linkKeys.rank(), ([, visits, short]) => [[nameOf(short), Number(visits)]]);
  compare("position in the ranking of", ranked, ordered);
  compare("ranked visits of", counted, ranked);
  compare("new URLs of day", links.byDay, await readSums(kv, linkKeys.linkDay()));
  compare("entries in the order of", links.all, await countPacked(kv, linkKeys.made()));
  for (const [name, words] of links.open) {
    // A link that was indexed twice has more words.
    const isIndexed = unindexed.has(name) || (indexed.get(name) ?? 0) >= words;
    if (!isIndexed) complain(`Words of ${name} are missing in the index.`);
  }
  const termOf = ([, term, short]: Key) => [[`${String(term)} of ${nameOf(short)}`, 1] as const];
  compare("index entry", links.terms, await count(kv, linkKeys.term(), termOf));
  for (const name of (await countByLink(kv, linkKeys.removal())).keys()) {
    const isDeleted = links.all.has(name) && !links.open.has(name);
    if (!isDeleted) complain(`The visits of ${name} are to be removed, but it is not deleted.`);
  }
  for (const name of (await countByLink(kv, linkKeys.destinations())).keys()) {
    if (!links.open.has(name)) complain(`${name} has earlier destinations, but it is deleted.`);
  }
  return { urls: links.open.size, visits: total, problems };
}

async function count<T>(
  kv: Kv,
  prefix: Key,
  read: (key: Key, value: T) => Iterable<readonly [name: string, count: number]>,
): Promise<Counts> {
  const counts: Counts = new Map();
  for await (const listed of kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<T>(listed);
    for (const [name, number] of read(key, value)) add(counts, name, number);
  }
  return counts;
}

/** Counts rows that have the id of a link after their kind; each as 1 by default. */
function countByLink<T>(
  kv: Kv,
  prefix: Key,
  read: (key: Key, value: T) => number = () => 1,
): Promise<Counts> {
  return count<T>(kv, prefix, (key, value) => [[nameOf(key[1]), read(key, value)]]);
}

function readSums(kv: Kv, prefix: Key): Promise<Counts> {
  return count<Deno.KvU64>(kv, prefix, ([, ...parts], { value }) => [[nameOf(...parts), Number(value)]]);
}

function countPacked(kv: Kv, prefix: Key): Promise<Counts> {
  return count<string[]>(kv, prefix, (_key, shorts) => shorts.map((short) => [nameOf(short), 1]));
}

async function countWords(kv: Kv): Promise<Counts> {
  const batches = new Map<unknown, readonly string[]>();
  const listing = kv.list<string[]>({ prefix: linkKeys.wordBatch() }, { batchSize: 500 });
  for await (const { key, value } of listing) batches.set(key[1], value);
  return await count<Uint8Array | string[]>(kv, linkKeys.word(), ([, , batch], links) => {
    const isNumbered = links instanceof Uint8Array;
    const shorts = isNumbered ? [...links].flatMap((number) => batches.get(batch)?.[number] ?? []) : links;
    return shorts.map((short) => [nameOf(short), 1]);
  });
}

/** Returns the name of what the parts of a key after its kind stand for: a link, a time, or both. */
function nameOf(...parts: readonly unknown[]): string {
  return parts.map((part) => encodeURIComponent(String(part))).join(" ");
}

function add(counts: Counts, name: string, number: number): void {
  counts.set(name, (counts.get(name) ?? 0) + number);
}

/** Counts the visits in pages and in the logs; by link and day, those in pages only. */
async function countVisits(kv: Kv) {
  const [byDay, byHour]: [Counts, Counts] = [new Map(), new Map()];
  const [byLinkAndDay, logged]: [Counts, Counts] = [new Map(), new Map()];
  const addTimes = (times: Iterable<number>) => {
    for (const time of times) {
      add(byDay, String(dayOf(time)), 1);
      add(byHour, String(hourOf(time)), 1);
    }
  };
  const byLink = await countByLink<Float64Array>(kv, linkKeys.visits(), ([, short], times) => {
    addTimes(times);
    for (const time of times) add(byLinkAndDay, nameOf(short, dayOf(time)), 1);
    return times.length;
  });
  for (const [short, times] of await readLoggedTimes(kv, null)) {
    addTimes(times);
    logged.set(nameOf(short), times.length);
    add(byLink, nameOf(short), times.length);
  }
  return { byDay, byHour, byLink, byLinkAndDay, logged };
}

/** Counts the stored links. `open` has those that are not deleted, with the number of words of their URL. */
async function countLinks(kv: Kv) {
  const [byDay, terms, open]: [Counts, Counts, Counts] = [new Map(), new Map(), new Map()];
  const all = await count<LinkRecord>(kv, linkKeys.link(), ([, short], link) => {
    const name = nameOf(short);
    add(byDay, String(dayOf(link.createdAt)), 1);
    for (const term of termsOf(link)) terms.set(`${term} of ${name}`, 1);
    if (link.deletedAt === undefined) open.set(name, urlWords(link.url).length);
    return [[name, 1]];
  });
  return { byDay, terms, open, all };
}

/** Compares the visits of each link with its counter, and with the number that counts towards its maximum. */
function compareVisits(
  visits: Awaited<ReturnType<typeof countVisits>>,
  { links, counted, limited }: { readonly links: Counts; readonly counted: Counts; readonly limited: Counts },
  complain: (sentence: string) => void,
): void {
  for (const name of new Set([...links.keys(), ...visits.byLink.keys()])) {
    const listed = visits.byLink.get(name) ?? 0;
    const number = (counted.get(name) ?? 0) + (visits.logged.get(name) ?? 0);
    const towards = limited.get(name) ?? number;
    if (!links.has(name)) complain(`Visits of ${name} are stored, but not the short URL.`);
    else if (listed !== number) complain(`${name} has ${listed} visits in its list; its count is ${number}.`);
    if (towards !== number) complain(`${name} has ${number} visits; ${towards} count towards its maximum.`);
  }
}
