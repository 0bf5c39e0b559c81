import type { Clock } from "@/lib/core/clock.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Alphabet } from "./alphabet.ts";
import { createLinkCommitter } from "./creation.ts";
import { LinkCache } from "./link_cache.ts";
import { createOwnShortReader } from "./hostnames.ts";
import { createVisitRemover } from "./manage/visit_removal.ts";
import { createLinkIndexer } from "./search/indexer.ts";
import { VisitCompactor } from "./visit_compactor.ts";
import { createFiguresReader } from "./stats.ts";
import { createVisitCommitter } from "./visits.ts";

interface LinksConfig {
  readonly baseUrl: string;
  readonly alphabet: Alphabet;
  readonly rewrites: ReadonlyMap<string, string>;
  readonly blockedHostnames: readonly string[];
  /** Key that shortening requires, or null when anyone may shorten. */
  readonly shortenApiKey: string | null;
}

/** Services of the shortener; the first argument of its functions. */
export type LinksApp = ReturnType<typeof createLinksApp>;

/** Composes the shortener over an open store; `report` is called with failures of background work. */
export function createLinksApp(
  { store, clock, config }: { store: Store; clock: Clock; config: LinksConfig },
  report: (problem: string, error: unknown) => void,
) {
  const cache = new LinkCache(store, config.blockedHostnames);
  const compactor = new VisitCompactor(store);
  return {
    store,
    clock,
    config,
    cache,
    creation: createLinkCommitter(store, cache, config.alphabet),
    visits: createVisitCommitter({ kv: store.kv, cache, compactor }),
    compactor,
    readFigures: createFiguresReader(store.kv, clock),
    readOwnShort: createOwnShortReader(config.baseUrl),
    indexer: createLinkIndexer(store, clock, (error) => report("new links not added to the index", error)),
    visitRemover: createVisitRemover(
      store,
      compactor,
      (error) => report("visits of a deleted link not removed", error),
    ),
  };
}

/** Settles once everything that callers wait for is written, and stops the background work. */
export async function drainLinks(app: LinksApp): Promise<void> {
  await Promise.all([app.creation.drain(), app.visits.drain()]);
  await Promise.all([app.indexer.stop(), app.visitRemover.stop()]);
  await app.compactor.stop();
}
