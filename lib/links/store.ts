import { type Key, readCount, readRecord, toValue } from "@/lib/kv/key.ts";

/** A shortened URL as it is stored; never changed once it is written. */
export interface LinkRecord {
  /** The long URL, byte for byte as it was sent. */
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
}

/** Where the links and visits of this server are counted and kept. */
export const linkKeys = {
  links: ["link"],
  link: (short: string): Key => ["link", short],
  linkCount: ["link_count"],
  visitCount: ["visit_count"],
  visitCountOf: (short: string): Key => ["visit_count", short],
  visitsOf: (short: string): Key => ["visit", short],
  /** `time`: the first visit's; `batch`: unique, so that two processes never write the same key. */
  visits: (short: string, time: number, batch: string): Key => ["visit", short, time, batch],
  visitFold: (short: string): Key => ["visit_fold", short],
  /** Sums of all visits by day. */
  visitDays: ["visit_day"],
  visitDay: (day: number): Key => ["visit_day", day],
  /** Sums of one short URL's visits by day, as far as its journal is read. */
  visitDaysOf: (short: string): Key => ["visit_day_of", short],
  visitDayOf: (short: string, day: number): Key => ["visit_day_of", short, day],
  /** Sums of new links by day. */
  linkDays: ["link_day"],
  linkDay: (day: number): Key => ["link_day", day],
  /** Packed ids in the order in which they were made; `time`: the first one's. */
  linksMade: ["link_made"],
  linksMadeAt: (time: number, batch: string): Key => ["link_made", time, batch],
  /** What each commit of visits still has to tell the ranking. */
  journal: ["visit_journal"],
  journalOf: (time: number, batch: string): Key => ["visit_journal", time, batch],
  /** Journals put together, in parts that one commit of the ranking holds. */
  merged: ["visit_merged"],
  mergedPart: (batch: string, part: number): Key => ["visit_merged", batch, part],
  /** Visited short URLs by their number of visits. */
  ranks: ["link_rank"],
  rank: (count: number, short: string): Key => ["link_rank", count, short],
  rankOf: (short: string): Key => ["link_rank_of", short],
  ranksOf: ["link_rank_of"],
  /** Changed by every step of the ranking, so that of two processes one gives way. */
  rankStep: ["link_rank_step"],
} as const;

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** The day of a time in milliseconds: whole days since 1970 UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** The visits of one short URL on one day that a commit of visits, or several, brought. */
export interface JournalPart {
  readonly short: string;
  readonly day: number;
  readonly count: number;
  /** The latest of these visits, in milliseconds. */
  readonly last: number;
}

/** Where a short URL stands in the ranking. */
export interface Rank {
  readonly count: number;
  /** Its latest visit, in milliseconds. */
  readonly last: number;
}

/** The two totals of the instance. */
export interface InstanceCounts {
  readonly urls: number;
  readonly visits: number;
}

/** One link, or null when the id was never handed out. */
export function readLink(kv: Deno.Kv, short: string): Promise<LinkRecord | null> {
  return readRecord<LinkRecord>(kv, linkKeys.link(short));
}

/** Both totals as of one moment. */
export async function readInstanceCounts(kv: Deno.Kv): Promise<InstanceCounts> {
  const [links, visits] = await kv.getMany([linkKeys.linkCount, linkKeys.visitCount]);
  return { urls: toCount(links?.value), visits: toCount(visits?.value) };
}

/** How often one short URL was visited. */
export async function readVisitCount(kv: Deno.Kv, short: string): Promise<number> {
  return Number(await readCount(kv, linkKeys.visitCountOf(short)));
}

/** All visits on the day of a time. */
export async function readDay(kv: Deno.Kv, time: number): Promise<number> {
  return Number(await readCount(kv, linkKeys.visitDay(dayOf(time))));
}

function toCount(value: unknown): number {
  const count = toValue<Deno.KvU64 | null>(value)?.value ?? 0n;
  return Number(count < BigInt(Number.MAX_SAFE_INTEGER) ? count : BigInt(Number.MAX_SAFE_INTEGER));
}
