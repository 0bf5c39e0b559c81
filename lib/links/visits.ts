import type { Kv } from "@/lib/store/kv.ts";
import { AppError } from "@/lib/core/errors.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { backOff } from "@/lib/store/retry.ts";
import { toValue } from "@/lib/store/key.ts";
import type { ChangePosition } from "./change_log.ts";
import type { Link, LinkCache } from "./link_cache.ts";
import { closedError, findClosedReason } from "./link_state.ts";
import { type CommitOptions, groupVisits, type VisitLogWriter } from "./log_writer.ts";
import { linkKeys } from "./store.ts";
import type { VisitCompactor } from "./visit_compactor.ts";
import { readVisitCount } from "./visit_log.ts";
import { PAGE_VISITS } from "./visit_pages.ts";

/** Maximum number of short URLs with a maximum of visits in a commit: each takes one of its 100 checks. */
const MAX_LIMITED = 90;

/** A visit to count. */
export interface Visit {
  readonly short: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Counts visits; settles with the visited link. */
export type VisitCommitter = CommitQueue<Visit, Link>;

/** Parts of a committer: the links, the process's log, and the compactor that follows its commits. */
export interface VisitCommitterParts {
  readonly kv: Kv;
  readonly cache: Pick<LinkCache, "position" | "peek" | "read" | "refresh">;
  readonly log: VisitLogWriter;
  readonly compactor: Pick<VisitCompactor, "wake" | "makeRoom">;
}

/**
 * Counts visits in groups: each commit adds one row to the log and a sum to the total, the day's and the hour's,
 * all or nothing. Callers are answered after the commit; the compactor applies the log to the links later. The commit
 * decides whether the links are open: it fails when any process changed a link since it was read, or counted
 * a visit of a link with a maximum, and then it is decided again.
 */
export function createVisitCommitter(parts: VisitCommitterParts): VisitCommitter {
  return new CommitQueue<Visit, Link>({
    maxItems: PAGE_VISITS,
    commit: async (visits) => {
      await parts.compactor.makeRoom();
      return await countVisits(parts, visits);
    },
  });
}

/** Visits whose outcome is known: the link of a counted one, or its refusal. */
type Outcomes = Map<Visit, Link | AppError>;

async function countVisits(parts: VisitCommitterParts, visits: readonly Visit[]): Promise<(Link | Error)[]> {
  const all = await tryToCount(parts, visits);
  for (let failed = 1; all.size < visits.length; failed++) {
    await parts.cache.refresh();
    if (failed > 1) await backOff(Math.min(failed, 6));
    const waiting = visits.filter((visit) => !all.has(visit));
    for (const [visit, outcome] of await tryToCount(parts, waiting)) all.set(visit, outcome);
  }
  return visits.map((visit) => all.get(visit) ?? notFound());
}

/** Decides about visits as of one moment, and commits them. Those whose commit failed have no outcome. */
async function tryToCount(parts: VisitCommitterParts, visits: readonly Visit[]): Promise<Outcomes> {
  const { links, position } = await readLinks(parts.cache, visits);
  const outcomes: Outcomes = new Map();
  const [ordinary, limited]: [Visit[], Visit[]] = [[], []];
  for (const visit of visits) {
    const link = links.get(visit.short) ?? null;
    const reason = link === null ? null : findClosedReason(link, visit.at);
    if (link === null) outcomes.set(visit, notFound());
    else if (reason !== null) outcomes.set(visit, closedError(reason));
    else (link.limits?.maxVisits ?? null) === null ? ordinary.push(visit) : limited.push(visit);
  }
  const commit = async (group: VisitsByShort, options: CommitOptions) => {
    if (!await parts.log.append(group, options)) return;
    parts.compactor.wake();
    for (const [short, counted] of group) {
      const link = links.get(short) ?? null;
      for (const visit of counted) outcomes.set(visit, link ?? notFound());
    }
  };
  for (const group of groupVisits(ordinary)) await commit(group, { checks: [position] });
  for (const group of groupVisits(limited, MAX_LIMITED)) {
    const { within, beyond, counts, checks } = await splitByMaximum(parts.kv, group, links);
    if (beyond.length > 0) {
      // A process may have raised the maximum since the link was read.
      await parts.cache.refresh();
      if (parts.cache.position?.versionstamp !== position.versionstamp) continue;
      for (const visit of beyond) outcomes.set(visit, closedError("used_up"));
    }
    if (within.size > 0) await commit(within, { checks: [position, ...checks], limited: counts });
  }
  return outcomes;
}

type Links = ReadonlyMap<string, Link | null>;
type VisitsByShort = ReadonlyMap<string, readonly Visit[]>;

/** Returns the links of visits, and a moment at which all of them were current. */
async function readLinks(
  cache: VisitCommitterParts["cache"],
  visits: readonly Visit[],
): Promise<{ links: Links; position: ChangePosition }> {
  for (;;) {
    const { position } = cache;
    if (position === null) {
      await cache.refresh();
      continue;
    }
    const links = new Map<string, Link | null>();
    const missing = new Set<string>();
    for (const { short } of visits) {
      const link = cache.peek(short);
      if (link === undefined) missing.add(short);
      else links.set(short, link);
    }
    const read = [...missing].map(async (short) => links.set(short, await cache.read(short)));
    await Promise.all(read);
    if (cache.position === position) return { links, position };
  }
}

/** Visits that the maximum of their links allows, and what their commit checks and writes; and the other visits. */
interface SplitVisits {
  readonly within: VisitsByShort;
  readonly beyond: readonly Visit[];
  readonly counts: ReadonlyMap<string, number>;
  readonly checks: readonly Deno.AtomicCheck[];
}

async function splitByMaximum(kv: Kv, group: VisitsByShort, links: Links): Promise<SplitVisits> {
  const within = new Map<string, readonly Visit[]>();
  const beyond: Visit[] = [];
  const counts = new Map<string, number>();
  const checks: Deno.AtomicCheck[] = [];
  const shorts = [...group.keys()];
  const entries = await readMany<number>(kv, shorts.map((short) => linkKeys.limitedVisitsOf(short)));
  for (const entry of entries) {
    const short = toValue<string>(entry.key[1]);
    const visits = group.get(short) ?? [];
    // The first commit of a maximum counts the visits before. All others check what it writes.
    const before = entry.value ?? await readVisitCount(kv, short);
    const allowed = visits.slice(0, Math.max(0, (links.get(short)?.limits?.maxVisits ?? Infinity) - before));
    beyond.push(...visits.slice(allowed.length));
    if (allowed.length === 0) continue;
    within.set(short, allowed);
    counts.set(short, before + allowed.length);
    checks.push(entry);
  }
  return { within, beyond, counts, checks };
}

function notFound(): AppError {
  return new AppError("NOT_FOUND", "No short link has this ID.");
}
