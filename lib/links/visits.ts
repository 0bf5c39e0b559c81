import { toHex } from "@/lib/core/bytes.ts";
import { createGroupCommitter, type GroupCommitter } from "@/lib/store/group_commit.ts";
import type { Store } from "@/lib/store/open.ts";
import { backOff } from "@/lib/store/retry.ts";
import type { ChangePosition } from "./change_log.ts";
import type { Link, LinkCache } from "./link_cache.ts";
import { admitVisits, type PendingVisit, withinMaxVisits } from "./visit_admission.ts";
import { MAX_LIMITED } from "./commit_budget.ts";
import { commitLimitedVisits, commitVisits, groupVisits } from "./visit_commit.ts";
import type { VisitCompactor } from "./visit_compactor.ts";
import { PAGE_VISITS } from "./visit_pages.ts";

/** A visit to count. */
export interface Visit {
  readonly short: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** The visited link, which decides whether the visit counts; without one, it does. */
  readonly link?: Link;
  /** Moment at which the link was current; null when it has to be read again. */
  readonly position?: ChangePosition | null;
}

/** Options of a committer: the cache that knows the links, and the compactor that follows its commits. */
export interface VisitCommitterOptions {
  readonly cache?: LinkCache;
  readonly compactor?: VisitCompactor;
}

interface Parts {
  readonly store: Store;
  readonly cache: LinkCache | null;
  readonly compactor: VisitCompactor | null;
  readonly nextBatch: () => string;
  /** Links with a maximum whose visits are all in their counters. */
  readonly settled: WeakSet<Link>;
}

/**
 * Counts visits in groups: each commit adds one row to the log and a sum to the total, the day's and the hour's,
 * all or nothing. Callers are answered after the commit; the compactor applies the log to the links later. The commit
 * decides whether the links are still open: it fails when any process changed a link since it was read, or counted
 * a visit of a link with a maximum, and then it is decided again.
 */
export function createVisitCommitter(
  store: Store,
  { cache, compactor }: VisitCommitterOptions = {},
): GroupCommitter<Visit, void> {
  const parts: Parts = {
    ...{ store, cache: cache ?? null, compactor: compactor ?? null },
    ...{ nextBatch: createBatchNames(), settled: new WeakSet() },
  };
  return createGroupCommitter<Visit, void>({
    maxItems: PAGE_VISITS,
    commit: async (visits) => {
      await compactor?.makeRoom();
      return await countVisits(parts, visits);
    },
  });
}

/** Creates names that no batch of any process shares. */
function createBatchNames(): () => string {
  const process = toHex(crypto.getRandomValues(new Uint8Array(8)));
  let batch = 0;
  return () => `${process}-${(batch++).toString(36)}`;
}

/** Counts the visits and returns the refusal of each that does not count. */
async function countVisits(parts: Parts, visits: readonly Visit[]): Promise<(void | Error)[]> {
  const refusals: (void | Error)[] = new Array(visits.length).fill(undefined);
  let waiting: readonly PendingVisit[] = visits.map(({ short, at, link, position }, index) => ({
    short,
    at,
    index,
    link: link ?? null,
    // Without a link there is nothing to read again.
    position: link === undefined ? undefined : position,
  }));
  for (let failed = 0; waiting.length > 0; failed++) {
    if (failed > 1) await backOff(Math.min(failed, 6));
    const { open, position } = await admitVisits(parts.cache, waiting, refusals);
    const [limited, ordinary] = splitByMaxVisits(open);
    waiting = [
      ...await commitOrdinary(parts, ordinary, position),
      ...await commitLimited(parts, limited, { position, refusals }),
    ];
    if (waiting.length > 0) await parts.cache?.refresh();
  }
  return refusals;
}

function splitByMaxVisits(visits: readonly PendingVisit[]): [PendingVisit[], readonly PendingVisit[]] {
  const isLimited = ({ link }: PendingVisit) => link !== null && (link.limits?.maxVisits ?? null) !== null;
  if (!visits.some(isLimited)) return [[], visits];
  return [visits.filter(isLimited), visits.filter((visit) => !isLimited(visit))];
}

/** Commits visits of links without a maximum; returns those whose links have to be looked at again. */
async function commitOrdinary(
  parts: Parts,
  visits: readonly PendingVisit[],
  position: ChangePosition | null,
): Promise<PendingVisit[]> {
  const failed: PendingVisit[] = [];
  for (const group of groupVisits(visits)) {
    const checks = position === null ? [] : [position];
    if (!await commitGroup(parts, group, { checks, commit: commitVisits })) {
      failed.push(...[...group.values()].flat());
    }
  }
  return failed;
}

/** Commits visits as far as the maximum of their links allows, which the same commit checks. */
async function commitLimited(
  parts: Parts,
  visits: readonly PendingVisit[],
  { position, refusals }: { position: ChangePosition | null; refusals: (void | Error)[] },
): Promise<PendingVisit[]> {
  const failed: PendingVisit[] = [];
  for (const group of groupVisits(visits, MAX_LIMITED)) {
    const { within, checks, beyond } = await withinMaxVisits(parts.store.kv, group, parts.settled);
    // A process may have raised the maximum since the link was read.
    if (beyond.length > 0) await parts.cache?.refresh();
    if ((parts.cache?.position ?? null) !== position) {
      failed.push(...[...group.values()].flat());
      continue;
    }
    for (const { index, refusal } of beyond) refusals[index] = refusal;
    if (within.size === 0) continue;
    const all = { checks: position === null ? checks : [position, ...checks], commit: commitLimitedVisits };
    if (!await commitGroup(parts, within, all)) failed.push(...[...within.values()].flat());
  }
  return failed;
}

/** Visits of one commit by short URL. */
type PendingGroup = ReadonlyMap<string, readonly PendingVisit[]>;

async function commitGroup(
  { store, compactor, nextBatch }: Parts,
  group: PendingGroup,
  { checks, commit }: { checks: readonly Deno.AtomicCheck[]; commit: typeof commitVisits },
): Promise<boolean> {
  if (!await commit(store, group, { batch: nextBatch(), checks })) return false;
  compactor?.wake(group.values().reduce((sum, { length }) => sum + length, 0));
  return true;
}
