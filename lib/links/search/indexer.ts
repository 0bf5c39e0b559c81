import type { Clock } from "@/lib/core/clock.ts";
import { createWorker } from "@/lib/core/worker.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { linkKeys, type LinkRecord, sizeOfKey } from "../store.ts";
import { urlWords } from "./words.ts";

/** Time between two looks at the queue; links that accumulate meanwhile share their words. */
const EVERY_MS = 2000;
/** Bounds of one commit. A list of ids of maximum length fits into a value of 65,536 bytes, and a number into a byte. */
const MAX_PACKS = 60;
const MAX_LINKS = 200;
/** Latest time that a date can have, in milliseconds since 1970 UTC. */
const LATEST = 8_640_000_000_000_000;

/**
 * Creates the worker that adds the words of new long URLs to the index. It reads the queue that the commit of new links
 * fills, so it continues after an interruption; several processes may run it.
 */
export function createLinkIndexer(store: Store, clock: Clock, report: (error: unknown) => void) {
  const worker = createWorker(async (isStopped) => {
    let commits = 0;
    while (!isStopped() && await indexSome(store)) commits++;
    return commits;
  }, { everyMs: EVERY_MS, report });
  return {
    ...worker,
    /** Indexes now, for about `maxMs` milliseconds; returns true when every link is in the index. */
    async catchUp(maxMs: number): Promise<boolean> {
      const end = clock.monotonic() + maxMs;
      while (clock.monotonic() < end) if (!await indexSome(store)) return true;
      return false;
    },
  };
}

/** Indexes a bounded number of links in one commit; returns false when none was left. */
async function indexSome(store: Store): Promise<boolean> {
  const packs: Entry<string[]>[] = [];
  const shorts: string[] = [];
  for await (const listed of store.kv.list({ prefix: linkKeys.unindexed() }, { limit: MAX_PACKS })) {
    const pack = toEntry<string[]>(listed);
    if (packs.length > 0 && shorts.length + pack.value.length > MAX_LINKS) break;
    packs.push(pack);
    shorts.push(...pack.value);
  }
  const [first] = packs;
  if (first === undefined) return false;
  const links = await readMany<LinkRecord>(store.kv, shorts.map((short) => linkKeys.link(short)));
  const { indexed, words, left } = collectWords(shorts, links.map(({ value }) => value));
  const time = Number(first.key[1]);
  const batch = nameWordBatch(time, crypto.randomUUID().slice(0, 8));
  await durably(store, async () => {
    // Of two processes that index the same links, one gives way. Indexing a link twice would change nothing.
    const atomic = store.kv.atomic().check(first);
    for (const { key } of packs) atomic.delete(key);
    if (left.length > 0) atomic.set(linkKeys.unindexed(time, crypto.randomUUID()), left);
    if (indexed.length > 0) {
      const key = linkKeys.wordBatch(batch);
      atomic.check({ key, versionstamp: null }).set(key, indexed);
    }
    for (const [word, numbers] of words) {
      atomic.set(linkKeys.word(word, batch), Uint8Array.from(numbers));
    }
    await atomic.commit();
  });
  return true;
}

/** Returns the name of a batch of links, from the time of the first one; batches of newer links come first. */
export function nameWordBatch(time: number, unique: string): string {
  return `${String(LATEST - time).padStart(16, "0")}-${unique}`;
}

/** Returns the links that fit into one commit, their words with the numbers of the links that contain them, and the other links. */
function collectWords(shorts: readonly string[], links: readonly (LinkRecord | null)[]) {
  const indexed: string[] = [];
  const words = new Map<string, number[]>();
  let keyBytes = 0;
  for (const [at, short] of shorts.entries()) {
    const link = links[at] ?? null;
    if (link === null || link.deletedAt !== undefined) continue;
    const own = urlWords(link.url);
    for (const word of own) if (!words.has(word)) keyBytes += sizeOfKey(word.length);
    const hasRoom = indexed.length < MAX_LINKS && keyBytes <= COMMIT_BUDGET.keyBytes;
    if (!hasRoom) return { indexed, words, left: shorts.slice(at) };
    const number = indexed.push(short) - 1;
    for (const word of own) words.getOrInsertComputed(word, () => []).push(number);
  }
  return { indexed, words, left: [] };
}
