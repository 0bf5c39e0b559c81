import { dayOf } from "@/lib/core/days.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { COMMIT_BUDGET } from "@/lib/store/limits.ts";
import type { Store } from "@/lib/store/open.ts";
import { backOff } from "@/lib/store/retry.ts";
import type { Alphabet } from "./alphabet.ts";
import { IdTaker } from "./id_series.ts";
import type { LinkCache } from "./link_cache.ts";
import { termsOf } from "./search/words.ts";
import { linkKeys, type LinkRecord } from "./store.ts";

/** Stores new links and returns the id of each. */
export type LinkCommitter = CommitQueue<LinkRecord, string>;

/** Maximum number of links in a commit, whose ids are read together later. */
const MAX_LINKS = 100;
/** Bytes of a key besides the id and the term, and of a code unit in a key and in a value. */
const KEY_BYTES = 20;
const KEY_UNIT_BYTES = 4;
const VALUE_UNIT_BYTES = 2;

/** Parts of a committer: the store, the alphabet of new ids, and the cache that knows the blocked hosts. */
export interface LinkCommitterParts {
  readonly store: Store;
  readonly alphabet: Alphabet;
  readonly cache: Pick<LinkCache, "position" | "refresh" | "isBlocked">;
}

/**
 * Creates links in groups, with ids that no other process has. The commit decides whether their hosts are blocked: it
 * fails when any process changed a blocked host since they were read, and then it is decided again.
 */
export function createLinkCommitter(parts: LinkCommitterParts): LinkCommitter {
  const ids = new IdTaker(parts.store, parts.alphabet);
  return new CommitQueue<LinkRecord, string>({
    maxItems: MAX_LINKS,
    maxWeight: 1,
    weigh: (link) => weigh(link, parts.alphabet),
    commit: async (links) => {
      const all: Outcomes = new Map();
      let waiting = links;
      for (let failed = 0; waiting.length > 0;) {
        const outcomes = await tryToCreate(parts, ids, waiting);
        for (const [link, outcome] of outcomes) all.set(link, outcome);
        waiting = waiting.filter((link) => !all.has(link));
        if (outcomes.size > 0) continue;
        await parts.cache.refresh();
        if (failed++ > 0) await backOff(Math.min(failed, 6));
      }
      return links.map((link) => all.get(link) ?? allTaken());
    },
  });
}

/** Links whose outcome is known: the id of a stored one, or its refusal. */
type Outcomes = Map<LinkRecord, string | AppError>;

/** Stores as many links as one commit has ids for; none when the ids or the blocked hosts changed meanwhile. */
async function tryToCreate(
  { store, cache }: LinkCommitterParts,
  ids: IdTaker,
  links: readonly LinkRecord[],
): Promise<Outcomes> {
  if (cache.position === null) await cache.refresh();
  const { position } = cache;
  const outcomes: Outcomes = new Map();
  for (const link of links) if (cache.isBlocked(link.url)) outcomes.set(link, blockedHost());
  const open = links.filter((link) => !outcomes.has(link));
  if (position === null || open.length === 0) return outcomes;
  const taken = await ids.take(open.length);
  if (taken === null) {
    for (const link of open) outcomes.set(link, allTaken());
    return outcomes;
  }
  const { shorts, check } = taken;
  if (await insert(store, open.slice(0, shorts.length), { shorts, checks: [check, position] })) {
    for (const [at, short] of shorts.entries()) {
      const link = open[at];
      if (link !== undefined) outcomes.set(link, short);
    }
  } else {
    ids.forget();
  }
  return outcomes;
}

/** Returns the refusal of a URL whose host is blocked. */
export function blockedHost(): AppError {
  return new AppError("UNPROCESSABLE", "The URL's host is blocked on this server.");
}

/** Returns the part of a commit that a link takes. */
function weigh(link: LinkRecord, { length }: Alphabet): number {
  const terms = termsOf(link);
  const writes = 1 + terms.length;
  const units = terms.reduce((sum, term) => sum + term.length, 2 * length * writes);
  const keyBytes = KEY_BYTES * writes + KEY_UNIT_BYTES * units;
  const { url, title = "", note = "" } = link;
  const bytes = keyBytes + VALUE_UNIT_BYTES * (url.length + title.length + note.length);
  return Math.max(
    writes / COMMIT_BUDGET.writes,
    keyBytes / COMMIT_BUDGET.keyBytes,
    bytes / COMMIT_BUDGET.bytes,
  );
}

function allTaken(): AppError {
  const message = "All short IDs are taken. The operator can increase SHORT_LENGTH.";
  return new AppError("UNAVAILABLE", message, { retryAfter: 3600 });
}

/** Ids of links, and the records whose change makes their commit fail. */
interface InsertOptions {
  readonly shorts: readonly string[];
  readonly checks: readonly Deno.AtomicCheck[];
}

/**
 * Writes links with their terms, lists and counts them, and queues them for the index of words, in one commit; returns
 * false and writes nothing when a check fails.
 */
function insert(
  store: Store,
  links: readonly LinkRecord[],
  { shorts, checks }: InsertOptions,
): Promise<boolean> {
  const days = Map.groupBy(links, ({ createdAt }) => dayOf(createdAt));
  const [first, batch] = [links[0]?.createdAt ?? 0, crypto.randomUUID()];
  return durably(store, async () => {
    const atomic = store.kv.atomic().check(...checks);
    for (const [at, link] of links.entries()) {
      const short = shorts[at] ?? "";
      atomic.set(linkKeys.link(short), link);
      for (const term of termsOf(link)) atomic.set(linkKeys.term(term, short), true);
    }
    atomic.sum(linkKeys.linkCount, BigInt(links.length)).set(linkKeys.linksMadeAt(first, batch), shorts);
    atomic.set(linkKeys.unindexedAt(first, batch), shorts);
    for (const [day, { length }] of days) atomic.sum(linkKeys.linkDay(day), BigInt(length));
    return (await atomic.commit()).ok;
  });
}
