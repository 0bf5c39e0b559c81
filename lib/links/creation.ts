import { dayOf } from "@/lib/core/days.ts";
import { AppError, toError } from "@/lib/core/errors.ts";
import type { RandomSource } from "@/lib/core/random.ts";
import { durably } from "@/lib/store/durably.ts";
import { createGroupCommitter, type GroupCommitter } from "@/lib/store/group_commit.ts";
import type { Store } from "@/lib/store/open.ts";
import { MAX_CHECKS } from "@/lib/store/limits.ts";
import { type Alphabet, countShorts, drawShort, isUsableShort, shortAt } from "./alphabet.ts";
import { termsOf } from "./search/words.ts";
import { linkKeys, type LinkRecord } from "./store.ts";

/** Stores new links and returns the id of each. */
export type LinkCommitter = GroupCommitter<LinkRecord, string>;

/** Random ids that are tried for a link before the space counts as crowded. */
const RANDOM_ATTEMPTS = 32;
/** Spaces up to this size are searched completely, so that even the last free id is found. */
const SEARCHABLE_SPACE = 4096;

interface Creation {
  readonly store: Store;
  readonly random: RandomSource;
  readonly alphabet: Alphabet;
}

/**
 * Creates links in groups. An id is written only where none exists; after a collision, the links of the group
 * are stored one by one, each with new ids until one is free.
 */
export function createLinkCommitter(creation: Creation): LinkCommitter {
  return createGroupCommitter({
    maxItems: MAX_CHECKS,
    commit: async (links) => {
      // Terms of properties take writes, so links with terms are stored one by one.
      const isPlain = links.every((link) => termsOf(link).length === 0);
      const shorts = isPlain ? drawDistinct(creation, links.length) : null;
      if (shorts !== null && await insert(creation.store, links, shorts)) return shorts;
      return await insertOneByOne(creation, links);
    },
  });
}

/** Draws distinct ids; null when the same one was drawn twice. */
function drawDistinct({ alphabet, random }: Creation, count: number): string[] | null {
  const shorts = new Set<string>();
  for (let at = 0; at < count; at++) {
    const short = drawShort(alphabet, random);
    if (isUsableShort(short)) shorts.add(short);
  }
  return shorts.size === count ? [...shorts] : null;
}

/** A link without a free id fails alone: the links before it are stored already. */
async function insertOneByOne(creation: Creation, links: readonly LinkRecord[]): Promise<(string | Error)[]> {
  const results: (string | Error)[] = [];
  for (const link of links) {
    results.push(await insertWithFreeId(creation, link).catch((error: unknown) => toError(error)));
  }
  return results;
}

async function insertWithFreeId(creation: Creation, link: LinkRecord): Promise<string> {
  const { alphabet, random, store } = creation;
  for (let attempt = 0; attempt < RANDOM_ATTEMPTS; attempt++) {
    const short = drawShort(alphabet, random);
    if (isUsableShort(short) && await insert(store, [link], [short])) return short;
  }
  const space = countShorts(alphabet);
  if (space <= SEARCHABLE_SPACE) {
    const start = random.below(space);
    for (let step = 0; step < space; step++) {
      const short = shortAt(alphabet, (start + step) % space);
      if (isUsableShort(short) && await insert(store, [link], [short])) return short;
    }
  }
  throw new AppError("UNAVAILABLE", "All short IDs are taken. The operator can increase SHORT_LENGTH.", {
    retryAfter: 3600,
  });
}

/**
 * Writes the links with their terms, lists and counts them, and queues them for the index of words, in one
 * commit; returns false and writes nothing when an id is taken.
 */
function insert(store: Store, links: readonly LinkRecord[], shorts: readonly string[]): Promise<boolean> {
  const days = Map.groupBy(links, ({ createdAt }) => dayOf(createdAt));
  const [first, batch] = [links[0]?.createdAt ?? 0, crypto.randomUUID()];
  return durably(store, async () => {
    const atomic = store.kv.atomic();
    links.forEach((link, at) => {
      const short = shorts[at] ?? "";
      const key = linkKeys.link(short);
      atomic.check({ key, versionstamp: null }).set(key, link);
      for (const term of termsOf(link)) atomic.set(linkKeys.term(term, short), true);
    });
    atomic.sum(linkKeys.linkCount, BigInt(links.length)).set(linkKeys.linksMadeAt(first, batch), shorts);
    atomic.set(linkKeys.unindexedAt(first, batch), shorts);
    for (const [day, { length }] of days) atomic.sum(linkKeys.linkDay(day), BigInt(length));
    return (await atomic.commit()).ok;
  });
}
