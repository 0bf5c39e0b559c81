import { dayOf } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Alphabet } from "./alphabet.ts";
import { IdTaker } from "./id_series.ts";
import type { ChangePosition, LinkCache, Outcomes } from "./link_cache.ts";
import { termsOf } from "./search/words.ts";
import { linkKeys, type LinkRecord, sizeOfKey } from "./store.ts";

export const BLOCKED_HOST = new AppError("UNPROCESSABLE", "The URL's host is blocked on this server.", {
  field: "url",
});

/** Maximum number of links in a commit, so that the largest ones fit into it. */
const MAX_LINKS = 80;

/**
 * Creates links in groups, with ids that no other process has, and returns the id of each. The commit decides whether
 * their hosts are blocked: it fails when any process changed a blocked host since they were read, and then it is
 * decided again.
 */
export function createLinkCommitter(store: Store, cache: LinkCache, alphabet: Alphabet) {
  const ids = new IdTaker(store, alphabet);
  /** Stores as many links as one commit has ids for; none when the ids or the blocked hosts changed meanwhile. */
  const tryToCreate = async (links: readonly LinkRecord[], position: ChangePosition) => {
    const outcomes: Outcomes<LinkRecord, string> = new Map();
    for (const link of links) if (cache.isBlocked(link.url)) outcomes.set(link, BLOCKED_HOST);
    const open = links.filter((link) => !outcomes.has(link));
    if (open.length === 0) return outcomes;
    const taken = await ids.take(open.length);
    if (taken === null) {
      const message = "All short IDs are taken. The operator can increase SHORT_LENGTH.";
      const refusal = new AppError("UNAVAILABLE", message, { retryAfter: 3600 });
      for (const link of open) outcomes.set(link, refusal);
      return outcomes;
    }
    const { shorts, check } = taken;
    const created = open.slice(0, shorts.length);
    const batch = crypto.randomUUID();
    const first = created[0]?.createdAt ?? 0;
    const isStored = await durably(store, async () => {
      const atomic = store.kv.atomic().check(check, position);
      for (const [at, link] of created.entries()) {
        const short = shorts[at] ?? "";
        atomic.set(linkKeys.link(short), link);
        for (const term of termsOf(link)) atomic.set(linkKeys.term(term, short), true);
      }
      atomic.sum(linkKeys.linkCount, BigInt(created.length)).set(linkKeys.made(first, batch), shorts);
      atomic.set(linkKeys.unindexed(first, batch), shorts);
      for (const [day, { length }] of Map.groupBy(created, ({ createdAt }) => dayOf(createdAt))) {
        atomic.sum(linkKeys.linkDay(day), BigInt(length));
      }
      return (await atomic.commit()).ok;
    });
    if (!isStored) ids.forget();
    else created.forEach((link, at) => outcomes.set(link, shorts[at] ?? ""));
    return outcomes;
  };
  return new CommitQueue<LinkRecord, string>({
    maxItems: MAX_LINKS,
    maxWeight: COMMIT_BUDGET.keyBytes,
    weigh: (link) => {
      const units = 2 * alphabet.length;
      return termsOf(link).reduce((sum, term) => sum + sizeOfKey(units + term.length), sizeOfKey(units));
    },
    commit: (links) => cache.decide(links, tryToCreate),
  });
}
