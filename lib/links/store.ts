import type { Kv } from "@/lib/store/kv.ts";
import { type Key, toValue } from "@/lib/store/key.ts";

/** User who shortened a URL while signed in. */
export interface LinkCreator {
  readonly realmId: number;
  readonly userId: number;
}

/** Optional properties of a link; those that are not set are absent. */
export interface LinkProperties {
  readonly title?: string;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly isDisabled?: true;
  /** Time from which on the link is closed, in milliseconds since 1970 UTC. */
  readonly expiresAt?: number;
  /** Number of visits after which the link is closed. */
  readonly maxVisits?: number;
  readonly creator?: LinkCreator;
}

/** A shortened URL as stored. */
export interface LinkRecord extends LinkProperties {
  /** The long URL, byte for byte as it was sent; empty for a deleted link. */
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Set for a deleted link, whose record keeps its id from being assigned again. */
  readonly deletedAt?: number;
}

/** An earlier destination of a link. */
export interface EarlierDestination {
  readonly url: string;
  /** Time in milliseconds at which it was replaced. */
  readonly until: number;
  /** User who replaced it; null for the shorten key. */
  readonly replacedBy: LinkCreator | null;
}

export const linkKeys = {
  links: ["link"],
  /** Counter of the changes of links and blocked hosts, with the latest of them. */
  changes: ["link_changes"],
  link: (short: string): Key => ["link", short],
  /** Earlier destinations of a link, the latest one last. */
  destinations: ["link_destinations"],
  destinationsOf: (short: string): Key => ["link_destinations", short],
  /** Series that new ids are from, and the number of its ids that processes took. */
  idSeries: ["link_id_series"],
  idsTaken: ["link_ids_taken"],
  linkCount: ["link_count"],
  visitCount: ["visit_count"],
  visitCountOf: (short: string): Key => ["visit_count", short],
  visitsOf: (short: string): Key => ["visit", short],
  /** `time` is the first visit's; `batch` is unique, so that two processes never write the same key. */
  visits: (short: string, time: number, batch: string): Key => ["visit", short, time, batch],
  visitFold: (short: string): Key => ["visit_fold", short],
  visitDays: ["visit_day"],
  visitDay: (day: number): Key => ["visit_day", day],
  visitHours: ["visit_hour"],
  visitHour: (hour: number): Key => ["visit_hour", hour],
  /** First hour whose visits are all in the sums by hour; absent when those of every hour are. */
  visitHoursSince: ["visit_hours_since"],
  /** Sums of a short URL's visits by day, as far as the log is compacted. */
  visitDaysOf: (short: string): Key => ["visit_day_of", short],
  visitDayOf: (short: string, day: number): Key => ["visit_day_of", short, day],
  linkDays: ["link_day"],
  linkDay: (day: number): Key => ["link_day", day],
  /** Packed ids in the order of creation; `time` is the first one's. */
  linksMade: ["link_made"],
  linksMadeAt: (time: number, batch: string): Key => ["link_made", time, batch],
  /** Visits that are not in the counters and pages of their links yet: a log for each writer, one row for each commit. */
  log: ["visit_log"],
  logOf: (writer: string): Key => ["visit_log", writer],
  logRow: (writer: string, number: number): Key => ["visit_log", writer, number],
  /** Progress of the compactor; every step changes this record, so that one of two processes gives way. */
  round: ["visit_log_round"],
  /** Number of visits of a link with a maximum, which the commits of its visits check and change. */
  limitedVisits: ["visit_limited"],
  limitedVisitsOf: (short: string): Key => ["visit_limited", short],
  /** Visited short URLs by their number of visits. */
  ranks: ["link_rank"],
  rank: (count: number, short: string): Key => ["link_rank", count, short],
  rankOf: (short: string): Key => ["link_rank_of", short],
  ranksOf: ["link_rank_of"],
  /** Terms of the properties of links, each with the ids of the links that have it. */
  terms: ["link_term"],
  termsOf: (term: string): Key => ["link_term", term],
  term: (term: string, short: string): Key => ["link_term", term, short],
  /**
   * Words of long URLs, each with the links of a batch whose URL contains it: their numbers in the batch, or their ids if
   * they were indexed by version 16 or before.
   */
  words: ["link_word"],
  word: (word: string, batch: string): Key => ["link_word", word, batch],
  /** Packed ids of links that were indexed together. */
  wordBatches: ["link_word_batch"],
  wordBatch: (batch: string): Key => ["link_word_batch", batch],
  /** Packed ids whose URLs are not in the index of words yet, in the order of creation. */
  unindexed: ["link_unindexed"],
  unindexedAt: (time: number, batch: string): Key => ["link_unindexed", time, batch],
  /** Deleted links whose visits are being removed. */
  removals: ["link_removal"],
  removal: (short: string): Key => ["link_removal", short],
} as const;

/** Visits of a commit, by short URL. */
export interface LogRow {
  readonly shorts: readonly string[];
  /** Number of visits of each short URL. */
  readonly counts: readonly number[];
  /** Times in milliseconds of the visits of the first short URL, then of the second, and so on. */
  readonly times: Float64Array;
}

/** Progress of the compactor. */
export interface CompactionRound {
  /** Process that made the latest step. */
  readonly owner: string;
  /** Number of the first row of each log that is not part of the round; empty between two rounds. */
  readonly ends: ReadonlyMap<string, number>;
  /** Short URL up to which, in the order of their code units, the rows are applied; null when all are. */
  readonly done: string | null;
}

export interface Rank {
  readonly count: number;
  /** Its latest visit, in milliseconds. */
  readonly last: number;
}

export interface InstanceCounts {
  readonly urls: number;
  readonly visits: number;
}

/** Reads both totals as of one moment. */
export async function readInstanceCounts(kv: Kv): Promise<InstanceCounts> {
  const [links, visits] = await kv.getMany([linkKeys.linkCount, linkKeys.visitCount]);
  return { urls: toCount(links?.value), visits: toCount(visits?.value) };
}

function toCount(value: unknown): number {
  const count = toValue<Deno.KvU64 | null>(value)?.value ?? 0n;
  return Number(count < BigInt(Number.MAX_SAFE_INTEGER) ? count : BigInt(Number.MAX_SAFE_INTEGER));
}
