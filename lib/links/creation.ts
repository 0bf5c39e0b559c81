import { dayOf } from "@/lib/core/days.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { createGroupCommitter, type GroupCommitter } from "@/lib/store/group_commit.ts";
import { COMMIT_BUDGET } from "@/lib/store/limits.ts";
import type { Store } from "@/lib/store/open.ts";
import { backOff } from "@/lib/store/retry.ts";
import type { Alphabet } from "./alphabet.ts";
import { IdTaker, type TakenIds } from "./id_series.ts";
import { termsOf } from "./search/words.ts";
import { linkKeys, type LinkRecord } from "./store.ts";

/** Stores new links and returns the id of each. */
export type LinkCommitter = GroupCommitter<LinkRecord, string>;

/** Maximum number of links in a commit, whose ids are read together later. */
const MAX_LINKS = 100;
/** Bytes of a key besides the id and the term, and of a code unit in a key and in a value. */
const KEY_BYTES = 20;
const KEY_UNIT_BYTES = 4;
const VALUE_UNIT_BYTES = 2;

/** Creates links in groups, with ids that no other process has. */
export function createLinkCommitter(store: Store, alphabet: Alphabet): LinkCommitter {
  const ids = new IdTaker(store, alphabet);
  return createGroupCommitter<LinkRecord, string>({
    maxItems: MAX_LINKS,
    maxWeight: 1,
    weigh: (link) => weigh(link, alphabet),
    commit: async (links) => {
      const results: (string | Error)[] = [];
      for (let failed = 0; results.length < links.length;) {
        if (failed > 1) await backOff(Math.min(failed, 6));
        const waiting = links.slice(results.length);
        const taken = await ids.take(waiting.length);
        if (taken === null) return [...results, ...waiting.map(allTaken)];
        if (await insert(store, waiting, taken)) {
          results.push(...taken.shorts);
        } else {
          failed++;
          ids.forget();
        }
      }
      return results;
    },
  });
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

/**
 * Writes as many links as there are ids with their terms, lists and counts them, and queues them for the index of
 * words, in one commit; returns false and writes nothing when the series of the ids has ended.
 */
function insert(store: Store, all: readonly LinkRecord[], { shorts, check }: TakenIds): Promise<boolean> {
  const links = all.slice(0, shorts.length);
  const days = Map.groupBy(links, ({ createdAt }) => dayOf(createdAt));
  const [first, batch] = [links[0]?.createdAt ?? 0, crypto.randomUUID()];
  return durably(store, async () => {
    const atomic = store.kv.atomic().check(check);
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
