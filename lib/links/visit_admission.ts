import { AppError } from "@/lib/core/errors.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readMany } from "@/lib/store/read_many.ts";
import type { ChangePosition } from "./change_log.ts";
import type { Link, LinkCache } from "./link_cache.ts";
import { closedError, findClosedReason } from "./link_state.ts";
import { linkKeys } from "./store.ts";
import { readLogTail } from "./visit_log.ts";

/** A visit on its way into a commit. */
export interface PendingVisit {
  readonly short: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Number of the visit among those submitted together. */
  readonly index: number;
  /** Null for an id that was never assigned, and for a visit that always counts. */
  readonly link: Link | null;
  /** Moment at which the link was current; undefined for a visit that always counts. */
  readonly position: ChangePosition | null | undefined;
}

/** Visits whose links are open, and the moment at which that was so. */
export interface AdmittedVisits {
  readonly open: readonly PendingVisit[];
  readonly position: ChangePosition | null;
}

/**
 * Reads the links of visits again where they may have changed, and enters the refusals of visits of closed
 * links in `refusals`.
 */
export async function admitVisits(
  cache: LinkCache | null,
  visits: readonly PendingVisit[],
  refusals: (void | Error)[],
): Promise<AdmittedVisits> {
  if (cache === null) return { open: visits, position: null };
  if (cache.position === null) await cache.refresh();
  let current = visits;
  while (current.some((visit) => isStale(cache, visit))) {
    current = await Promise.all(
      current.map((visit) => isStale(cache, visit) ? readAgain(cache, visit) : visit),
    );
  }
  const open = current.filter((visit) => {
    const refusal = findRefusal(visit);
    if (refusal !== null) refusals[visit.index] = refusal;
    return refusal === null;
  });
  return { open, position: cache.position };
}

function isStale(cache: LinkCache, { position }: PendingVisit): boolean {
  return position !== undefined && position !== cache.position;
}

async function readAgain(cache: LinkCache, visit: PendingVisit): Promise<PendingVisit> {
  const { position } = cache;
  // The first read of a process sets the position; until then, the visit counts as stale.
  return { ...visit, link: await cache.read(visit.short), position };
}

function findRefusal({ link, position, at }: PendingVisit): AppError | null {
  if (position === undefined) return null;
  if (link === null) return new AppError("NOT_FOUND", "No short link has this ID.");
  const reason = findClosedReason(link, at);
  return reason === null ? null : closedError(reason);
}

/** Visits that the maximum of their links allows, what a commit of them has to check, and the other visits. */
export interface WithinMaxVisits {
  readonly within: ReadonlyMap<string, readonly PendingVisit[]>;
  readonly checks: readonly Deno.AtomicCheck[];
  readonly beyond: readonly { readonly index: number; readonly refusal: AppError }[];
}

/**
 * Divides visits of links with a maximum by the number of visits counted so far. `settled` contains the links
 * without visits in the log: those of links with a maximum do not enter it.
 */
export async function withinMaxVisits(
  kv: Kv,
  group: ReadonlyMap<string, readonly PendingVisit[]>,
  settled: WeakSet<Link>,
): Promise<WithinMaxVisits> {
  const counts = await readMany<Deno.KvU64>(
    kv,
    [...group.keys()].map((short) => linkKeys.visitCountOf(short)),
  );
  const logged = await countLogged(kv, group, settled);
  const within = new Map<string, readonly PendingVisit[]>();
  const beyond: { index: number; refusal: AppError }[] = [];
  const checks: Deno.AtomicCheck[] = [];
  for (const [number, [short, visits]] of [...group].entries()) {
    const count = counts[number];
    const max = visits[0]?.link?.limits?.maxVisits ?? Infinity;
    const counted = Number(count?.value?.value ?? 0n) + (logged.get(short) ?? 0);
    const room = Math.max(0, max - counted);
    for (const { index } of visits.slice(room)) beyond.push({ index, refusal: closedError("used_up") });
    if (room === 0 || count === undefined) continue;
    within.set(short, visits.slice(0, room));
    // Compaction of logged visits changes the counter, too.
    checks.push(count);
  }
  return { within, checks, beyond };
}

/** Counts the visits in the log that were committed before the links had a maximum. */
async function countLogged(
  kv: Kv,
  group: ReadonlyMap<string, readonly PendingVisit[]>,
  settled: WeakSet<Link>,
): Promise<Map<string, number>> {
  const open = new Map<string, Link>();
  for (const [short, [visit]] of group) {
    const link = visit?.link ?? null;
    if (link !== null && !settled.has(link)) open.set(short, link);
  }
  const logged = new Map<string, number>();
  if (open.size === 0) return logged;
  const { times } = await readLogTail(kv, new Set(open.keys()));
  for (const [short, link] of open) {
    const own = times.get(short);
    if (own === undefined) settled.add(link);
    else logged.set(short, own.length);
  }
  return logged;
}
