import type { Clock } from "@/lib/core/clock.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { COMMIT_BUDGET, type Kv } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { linkKeys, type LinkRecord } from "../store.ts";
import { urlWords } from "./words.ts";

/** Adds the words of new long URLs to the index. */
export interface LinkIndexer extends Worker {
  /** Indexes now, for about `maxMs` milliseconds; returns true when every link is in the index. */
  catchUp(maxMs?: number): Promise<boolean>;
}

/** Time between two looks at the queue; links that accumulate meanwhile share their words. */
const EVERY_MS = 2000;
/** Bounds of one commit. A list of ids of maximum length fits into a value of 65,536 bytes, and a number into a byte. */
const MAX_PACKS = 60;
const MAX_LINKS = 200;
const MAX_WORDS = 700;
/** Maximum number of links in a batch, whose numbers take a byte. */
const MAX_SHORTS = 256;
/** Bytes of a word's key besides the word, and of a code unit. */
const KEY_BYTES = 60;
const KEY_UNIT_BYTES = 3;
/** Latest time that a date can have, in milliseconds since 1970 UTC. */
const LATEST = 8_640_000_000_000_000;

/**
 * Creates the indexer of a store's links. It reads the queue that new links are entered in by the commit that
 * creates them, so it continues after an interruption; several processes may run it.
 */
export function createLinkIndexer(
  store: Store,
  clock: Clock,
  report: (error: unknown) => void,
): LinkIndexer {
  const index = async (isDone: () => boolean) => {
    let packs = 0;
    while (!isDone()) {
      const count = await indexSome(store);
      if (count === 0) return { packs, isComplete: true };
      packs += count;
    }
    return { packs, isComplete: false };
  };
  const worker = createWorker(async (isStopped) => (await index(isStopped)).packs, {
    everyMs: EVERY_MS,
    report,
  });
  return {
    ...worker,
    async catchUp(maxMs = Infinity) {
      const started = clock.monotonic();
      return (await index(() => clock.monotonic() - started >= maxMs)).isComplete;
    },
  };
}

/** Indexes a bounded number of links; returns the number of packs that it looked at. */
async function indexSome(store: Store): Promise<number> {
  const packs = await listPacks(store.kv);
  if (packs.length === 0) return 0;
  const posting = new Posting();
  const rests: (readonly string[])[] = [];
  for (const { value } of packs) {
    const links = await readMany<LinkRecord>(store.kv, value.map((short) => linkKeys.link(short)));
    const fitting = links.findIndex(({ value: link }, at) => !posting.add(value[at] ?? "", link));
    rests.push(fitting === -1 ? [] : value.slice(fitting));
    if (fitting !== -1) break;
  }
  const batch = nameWordBatch(Number(packs[0]?.key[1]), crypto.randomUUID().slice(0, 8));
  await durably(store, async () => {
    const atomic = store.kv.atomic();
    for (const [at, rest] of rests.entries()) {
      const pack = packs[at];
      if (pack === undefined) continue;
      // Of two processes that index the same links, one gives way.
      atomic.check(pack);
      if (rest.length === 0) atomic.delete(pack.key);
      else atomic.set(pack.key, rest);
    }
    if (posting.shorts.length > 0) {
      const key = linkKeys.wordBatch(batch);
      atomic.check({ key, versionstamp: null }).set(key, posting.shorts);
    }
    for (const [word, numbers] of posting.words) {
      atomic.set(linkKeys.word(word, batch), Uint8Array.from(numbers));
    }
    await atomic.commit();
  });
  return rests.length;
}

/** Returns the name of a batch of links, from the time of the first one; batches of newer links come first. */
export function nameWordBatch(time: number, unique: string): string {
  return `${String(LATEST - time).padStart(16, "0")}-${unique}`;
}

async function listPacks(kv: Kv): Promise<Entry<string[]>[]> {
  const packs: Entry<string[]>[] = [];
  let links = 0;
  const options = { limit: MAX_PACKS, batchSize: MAX_PACKS };
  for await (const listed of kv.list({ prefix: linkKeys.unindexed }, options)) {
    const pack = toEntry<string[]>(listed);
    links += pack.value.length;
    if (links > MAX_LINKS && packs.length > 0) break;
    packs.push(pack);
  }
  return packs;
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
    const keyBytes = added.reduce(
      (sum, { length }) => sum + KEY_BYTES + KEY_UNIT_BYTES * length,
      this.#keyBytes,
    );
    const hasRoom = this.shorts.length < MAX_SHORTS && this.words.size + added.length <= MAX_WORDS &&
      keyBytes <= COMMIT_BUDGET.keyBytes;
    if (!hasRoom && this.words.size > 0) return false;
    this.#keyBytes = keyBytes;
    const number = this.shorts.push(short) - 1;
    for (const word of added) this.words.set(word, []);
    for (const word of own) this.words.get(word)?.push(number);
    return true;
  }
}
