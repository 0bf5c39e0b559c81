import { type Link, LinkCache } from "@/lib/links/link_cache.ts";
import { VisitCompactor } from "@/lib/links/visit_compactor.ts";
import { createVisitCommitter } from "@/lib/links/visits.ts";
import type { Store } from "@/lib/store/open.ts";

/** A process that counts visits of open links with any ids, which need not exist, and compacts them when it is asked. */
export interface VisitProcess {
  readonly visits: ReturnType<typeof createVisitCommitter>;
  readonly compactor: VisitCompactor;
}

/** Creates a process on a store; `isAutomatic` for one that compacts in the background. */
export function createVisitProcess(store: Store, { isAutomatic = false } = {}): VisitProcess {
  const compactor = isAutomatic ? new VisitCompactor(store) : new AskedCompactor(store);
  return {
    visits: createVisitCommitter({ kv: store.kv, cache: new OpenLinks(store, []), compactor }),
    compactor,
  };
}

/** Knows an open link with each id. */
class OpenLinks extends LinkCache {
  override readAll(shorts: readonly string[]): Promise<ReadonlyMap<string, Link>> {
    const link = { url: "https://example.com/", createdAt: 0, isBlocked: false, location: null };
    return Promise.resolve(new Map(shorts.map((short) => [short, { ...link, short }])));
  }
}

/** Begins nothing when visits are counted. */
class AskedCompactor extends VisitCompactor {
  override wake(): void {}
}
