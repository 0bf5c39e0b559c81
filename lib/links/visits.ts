import type { Kv } from "@/lib/store/kv.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";
import {
  type ChangePosition,
  CLOSED,
  findClosedReason,
  type Link,
  type LinkCache,
  NO_LINK,
  type Outcomes,
} from "./link_cache.ts";
import { linkKeys } from "./store.ts";
import type { VisitCompactor } from "./visit_compactor.ts";
import { type CommitOptions, groupVisits, readVisitCount, type Visit, type VisitGroup } from "./visit_log.ts";
import { PAGE_VISITS } from "./visit_pages.ts";

/** Maximum number of short URLs with a maximum of visits in a commit: each takes one of its 100 checks. */
const MAX_LIMITED = 90;

/** Settles with the visited link. */
export type VisitCommitter = CommitQueue<Visit, Link>;

/**
 * Counts visits in groups: each commit adds one row to the log and a sum to the total, the day's and the hour's,
 * all or nothing. Callers are answered after the commit; the compactor applies the log to the links later. The commit
 * decides whether the links are open: it fails when any process changed a link since it was read, or counted
 * a visit of a link with a maximum, and then it is decided again.
 */
export function createVisitCommitter(
  { kv, cache, compactor }: {
    readonly kv: Kv;
    readonly cache: LinkCache;
    readonly compactor: VisitCompactor;
  },
): VisitCommitter {
  /** Decides about visits as of one moment, and commits them. Those whose commit failed have no outcome. */
  const tryToCount = async (visits: readonly Visit[], position: ChangePosition) => {
    const outcomes: Outcomes<Visit, Link> = new Map();
    const links = await cache.readAll(visits.map(({ short }) => short));
    if (cache.position !== position) return outcomes;
    const [ordinary, limited]: [Visit[], Visit[]] = [[], []];
    for (const visit of visits) {
      const link = links.get(visit.short);
      const reason = link === undefined ? null : findClosedReason(link, visit.at);
      if (link === undefined) outcomes.set(visit, NO_LINK);
      else if (reason !== null) outcomes.set(visit, CLOSED[reason]);
      else (link.maxVisits === undefined ? ordinary : limited).push(visit);
    }
    const commit = async (group: VisitGroup, options: CommitOptions) => {
      if (!await compactor.log.append(group, options)) return;
      compactor.wake();
      for (const [short, counted] of group) {
        for (const visit of counted) outcomes.set(visit, links.get(short) ?? NO_LINK);
      }
    };
    for (const group of groupVisits(ordinary)) await commit(group, { checks: [position] });
    for (const group of groupVisits(limited, MAX_LIMITED)) {
      const { within, beyond, counts, checks } = await splitByMaximum(kv, group, links);
      if (beyond.length > 0) {
        // A process may have raised the maximum since the link was read.
        if ((await cache.refresh()).versionstamp !== position.versionstamp) continue;
        for (const visit of beyond) outcomes.set(visit, CLOSED.used_up);
      }
      if (within.size > 0) await commit(within, { checks: [position, ...checks], limited: counts });
    }
    return outcomes;
  };
  return new CommitQueue<Visit, Link>({
    maxItems: PAGE_VISITS,
    commit: async (visits) => {
      await compactor.makeRoom();
      return await cache.decide(visits, tryToCount);
    },
  });
}

/** Returns the visits that the maximum of their links allows, and what their commit checks and writes; and the others. */
async function splitByMaximum(kv: Kv, group: VisitGroup, links: ReadonlyMap<string, Link>) {
  const within = new Map<string, readonly Visit[]>();
  const beyond: Visit[] = [];
  const counts = new Map<string, number>();
  const checks: Deno.AtomicCheck[] = [];
  const keys = [...group.keys()].map((short) => linkKeys.limitedVisits(short));
  for (const entry of await readMany<number>(kv, keys)) {
    const short = toValue<string>(entry.key[1]);
    const visits = group.get(short) ?? [];
    // The first commit of a maximum counts the visits before. All others check what it writes.
    const before = entry.value ?? await readVisitCount(kv, short);
    const allowed = visits.slice(0, Math.max(0, (links.get(short)?.maxVisits ?? Infinity) - before));
    beyond.push(...visits.slice(allowed.length));
    if (allowed.length === 0) continue;
    within.set(short, allowed);
    counts.set(short, before + allowed.length);
    checks.push(entry);
  }
  return { within, beyond, counts, checks };
}
