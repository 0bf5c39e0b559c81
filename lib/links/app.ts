import type { Clock } from "@/lib/core/clock.ts";
import type { RandomSource } from "@/lib/core/random.ts";
import type { GroupCommitter } from "@/lib/kv/group_commit.ts";
import type { Store } from "@/lib/kv/open.ts";
import type { Alphabet } from "./alphabet.ts";
import { createLinkCommitter, type LinkCommitter } from "./creation.ts";
import { type BlockList, createBlockList } from "./hostnames.ts";
import { createLinkCache, type LinkCache } from "./link_cache.ts";
import { createLiveCounts, type LiveCounts } from "./live_counts.ts";
import { createRanking, type Ranking } from "./ranking.ts";
import { createVisitCommitter, type Visit } from "./visits.ts";

/** Configuration of the shortener. */
export interface LinksConfig {
  /** The public address, without a final slash. */
  readonly baseUrl: string;
  readonly alphabet: Alphabet;
  readonly rewrites: ReadonlyMap<string, string>;
  readonly blockedHostnames: readonly string[];
  /** Key that shortening requires, or null when anyone may shorten. */
  readonly shortenApiKey: string | null;
}

/** Services of the shortener; the first argument of its functions. */
export interface LinksApp {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: LinksConfig;
  readonly isBlocked: BlockList;
  readonly cache: LinkCache;
  readonly creation: LinkCommitter;
  readonly visits: GroupCommitter<Visit, void>;
  readonly ranking: Ranking;
  readonly live: LiveCounts;
}

/** Composes the shortener over an open store. */
export function createLinksApp(
  parts: { store: Store; clock: Clock; random: RandomSource; config: LinksConfig },
): LinksApp {
  const { store, clock, random, config } = parts;
  const isBlocked = createBlockList(config.blockedHostnames);
  const ranking = createRanking(store);
  return {
    store,
    clock,
    config,
    isBlocked,
    cache: createLinkCache(store.kv, isBlocked),
    creation: createLinkCommitter({ store, random, alphabet: config.alphabet }),
    visits: createVisitCommitter(store, ranking.wake),
    ranking,
    live: createLiveCounts({ kv: store.kv, clock }),
  };
}

/** Settles once everything that callers wait for is written, and stops the background work. */
export async function drainLinks(app: LinksApp): Promise<void> {
  await Promise.all([app.creation.drain(), app.visits.drain()]);
  app.live.stop();
  await app.ranking.stop();
}
