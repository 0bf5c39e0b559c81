import type { Clock } from "@/lib/core/clock.ts";
import { createWorker } from "@/lib/core/worker.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { linkKeys, type LinkRecord } from "../store.ts";
import { urlWords } from "./words.ts";

/** Time between two looks at the queue; links that accumulate meanwhile share their words. */
const EVERY_MS = 2000;
/** Bounds of one commit. A list of ids of maximum length fits into a value of 65,536 bytes, and a number into a byte. */
const MAX_PACKS = 60;
const MAX_LINKS = 200;
const MAX_WORDS = 700;
/** Size of a word's key besides the word, and of a code unit, in bytes. */
const KEY_BYTES = 60;
const UNIT_BYTES = 3;
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
  const posting = new Posting();
  const left = links.findIndex(({ value }, at) => !posting.add(shorts[at] ?? "", value));
  const time = Number(first.key[1]);
  const batch = nameWordBatch(time, crypto.randomUUID().slice(0, 8));
  await durably(store, async () => {
    // Of two processes that index the same links, one gives way. Indexing a link twice would change nothing.
    const atomic = store.kv.atomic().check(first);
    for (const { key } of packs) atomic.delete(key);
    if (left !== -1) atomic.set(linkKeys.unindexed(time, crypto.randomUUID()), shorts.slice(left));
    if (posting.shorts.length > 0) {
      const key = linkKeys.wordBatch(batch);
      atomic.check({ key, versionstamp: null }).set(key, posting.shorts);
    }
    for (const [word, numbers] of posting.words) {
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

/** Links that are indexed together, as far as they fit into one commit. */
class Posting {
  readonly shorts: string[] = [];
  /** Words with the numbers of the links whose URLs contain them. */
  readonly words = new Map<string, number[]>();
  #keyBytes = 0;

  /** Adds a link; returns false when it does not fit. */
  add(short: string, link: LinkRecord | null): boolean {
    if (link === null || link.deletedAt !== undefined) return true;
    const own = urlWords(link.url);
    const added = own.filter((word) => !this.words.has(word));
    for (const { length } of added) this.#keyBytes += KEY_BYTES + UNIT_BYTES * length;
    const hasRoom = this.shorts.length < MAX_LINKS && this.words.size + added.length <= MAX_WORDS &&
      this.#keyBytes <= COMMIT_BUDGET.keyBytes;
    if (!hasRoom) return false;
    const number = this.shorts.push(short) - 1;
    for (const word of own) this.words.getOrInsertComputed(word, () => []).push(number);
    return true;
  }
}
