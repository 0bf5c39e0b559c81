import { linkKeys } from "@/lib/links/store.ts";
import { VisitLogWriter } from "@/lib/links/log_writer.ts";
import { VisitCompactor } from "@/lib/links/visit_compactor.ts";
import { createVisitCommitter, type VisitCommitter } from "@/lib/links/visits.ts";
import type { Store } from "@/lib/store/open.ts";

/** A process that counts visits of open links with any ids, which need not exist, and compacts them when it is asked. */
export interface VisitProcess {
  readonly visits: VisitCommitter;
  readonly compactor: VisitCompactor;
}

/** Creates a process on a store; `isAutomatic` for one that compacts in the background. */
export function createVisitProcess(store: Store, { isAutomatic = false } = {}): VisitProcess {
  const log = new VisitLogWriter(store);
  const compactor = new VisitCompactor(store, log);
  const cache = {
    position: { key: linkKeys.changes, value: null, versionstamp: null },
    peek: (short: string) => ({
      ...{ short, url: "https://example.com/", createdAt: 0 },
      ...{ isBlocked: false, location: null, limits: null },
    }),
    read: () => Promise.resolve(null),
    refresh: () => Promise.resolve(),
  };
  const asked = { wake: () => {}, makeRoom: () => compactor.makeRoom() };
  const parts = { kv: store.kv, cache, log, compactor: isAutomatic ? compactor : asked };
  return { visits: createVisitCommitter(parts), compactor };
}
