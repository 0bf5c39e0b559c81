import { chunk } from "es-toolkit/array/chunk";
import { hourOf } from "@/lib/core/clock.ts";
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
import { type LimitedCounts, MAX_ROW_BYTES, readVisitCount, type Visit, weighVisit } from "./visit_log.ts";

/** Maximum number of visits of links with a maximum in a commit: each link takes one of its 100 checks. */
const MAX_LIMITED = 90;

/**
 * Counts visits in groups: each commit adds one row to the log and a sum to the total, the day's and the hour's,
 * all or nothing. Visits settle with their links after the commit; the compactor applies the log to the links later.
 * The commit decides whether the links are open: it fails when any process changed a link since it was read, or
 * counted a visit of a link with a maximum, and then it is decided again.
 */
export function createVisitCommitter(
  { kv, cache, compactor }: { kv: Kv; cache: LinkCache; compactor: VisitCompactor },
) {
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
    const commit = async (visits: readonly Visit[], counts: LimitedCounts) => {
      if (!await compactor.log.append(visits, position, counts)) return;
      compactor.wake();
      for (const visit of visits) outcomes.set(visit, links.get(visit.short) ?? NO_LINK);
    };
    for (const ofHour of groupByHour(ordinary)) await commit(ofHour, new Map());
    for (const ofHour of chunk(limited, MAX_LIMITED).flatMap(groupByHour)) {
      const { within, beyond, counts } = await splitByMaximum(kv, ofHour, links);
      if (beyond.length > 0) {
        // A process may have raised the maximum since the link was read.
        if ((await cache.refresh()).versionstamp !== position.versionstamp) continue;
        for (const visit of beyond) outcomes.set(visit, CLOSED.used_up);
      }
      if (within.length > 0) await commit(within, counts);
    }
    return outcomes;
  };
  return new CommitQueue<Visit, Link>({
    maxItems: Infinity,
    maxWeight: MAX_ROW_BYTES,
    weigh: weighVisit,
    commit: async (visits) => {
      await compactor.makeRoom();
      return await cache.decide(visits, tryToCount);
    },
  });
}

function groupByHour(visits: readonly Visit[]): Visit[][] {
  return [...Map.groupBy(visits, ({ at }) => hourOf(at)).values()];
}

/** Returns the visits that the maximum of their links allows, and the counts with them; and the other visits. */
async function splitByMaximum(kv: Kv, visits: readonly Visit[], links: ReadonlyMap<string, Link>) {
  const groups = Map.groupBy(visits, ({ short }) => short);
  const [within, beyond]: [Visit[], Visit[]] = [[], []];
  const counts = new Map<Deno.KvEntryMaybe<number>, number>();
  const keys = [...groups.keys()].map((short) => linkKeys.limitedVisits(short));
  for (const entry of await readMany<number>(kv, keys)) {
    const short = toValue<string>(entry.key[1]);
    const own = groups.get(short) ?? [];
    // The first commit of a maximum counts the earlier visits. All others check what it writes.
    const before = entry.value ?? await readVisitCount(kv, short);
    const allowed = own.slice(0, Math.max(0, (links.get(short)?.maxVisits ?? Infinity) - before));
    within.push(...allowed);
    beyond.push(...own.slice(allowed.length));
    if (allowed.length > 0) counts.set(entry, before + allowed.length);
  }
  return { within, beyond, counts };
}
