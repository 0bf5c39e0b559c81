import type { Kv } from "@/lib/store/kv.ts";
import type { Key } from "@/lib/store/key.ts";

/** User who shortened a URL while signed in. */
export interface LinkCreator {
  readonly realmId: number;
  readonly userId: number;
}

/** A shortened URL as stored; properties that are not set are absent. */
export interface LinkRecord {
  /** The long URL, byte for byte as it was sent; empty for a deleted link. */
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly creator?: LinkCreator;
  readonly title?: string;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly isDisabled?: true;
  /** Time from which on the link is closed, in milliseconds since 1970 UTC. */
  readonly expiresAt?: number;
  /** Number of visits after which the link is closed. */
  readonly maxVisits?: number;
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

/** Parts of the keys of a kind of rows, or the first of them, which give a prefix of these keys. */
type Prefix<Parts extends Deno.KvKeyPart[]> = Parts extends [...infer Rest extends Deno.KvKeyPart[], unknown]
  ? Parts | Prefix<Rest>
  : Parts;

function rows<Parts extends Deno.KvKeyPart[]>(kind: string) {
  return (...parts: Prefix<Parts>): Key => [kind, ...parts];
}

export const linkKeys = {
  link: rows<[short: string]>("link"),
  /** Counter of the changes of links and blocked hosts, with the latest of them. */
  changes: ["link_changes"],
  blockedHost: rows<[host: string]>("blocked_host"),
  /** Earlier destinations of a link, the latest one last. */
  destinations: rows<[short: string]>("link_destinations"),
  /** Series that new ids are from, and the number of its ids that processes took. */
  idSeries: ["link_id_series"],
  idsTaken: ["link_ids_taken"],
  linkCount: ["link_count"],
  /** Number of all visits, and of those of a short URL as far as the log is compacted. */
  visitCount: rows<[short: string]>("visit_count"),
  /** `time` is the first visit's; `batch` is unique, so that two processes never write the same key. */
  visits: rows<[short: string, time: number, batch: string]>("visit"),
  visitFold: rows<[short: string]>("visit_fold"),
  /** Sums of all visits. */
  visitDay: rows<[day: number]>("visit_day"),
  visitHour: rows<[hour: number]>("visit_hour"),
  /** First hour whose visits are all in the sums by hour; absent when those of every hour are. */
  visitHoursSince: ["visit_hours_since"],
  /** Sums of a short URL's visits by day, as far as the log is compacted. */
  visitDayOf: rows<[short: string, day: number]>("visit_day_of"),
  /** Sums of new links. */
  linkDay: rows<[day: number]>("link_day"),
  /** Packed ids in the order of creation; `time` is the first one's. */
  made: rows<[time: number, batch: string]>("link_made"),
  /** Visits that are not in the counters and pages of their links yet: a log for each writer, one row for each commit. */
  log: rows<[writer: string, number: number]>("visit_log"),
  /** Progress of the compactor; every step changes this record, so that one of two processes gives way. */
  round: ["visit_log_round"],
  /** Number of visits of a link with a maximum, which the commits of its visits check and change. */
  limitedVisits: rows<[short: string]>("visit_limited"),
  /** Visited short URLs by their number of visits. */
  rank: rows<[count: number, short: string]>("link_rank"),
  rankOf: rows<[short: string]>("link_rank_of"),
  /** Terms of the properties of links, each with the ids of the links that have it. */
  term: rows<[term: string, short: string]>("link_term"),
  /**
   * Words of long URLs, each with the links of a batch whose URL contains it: their numbers in the batch, or their ids if
   * they were indexed by version 16 or before.
   */
  word: rows<[word: string, batch: string]>("link_word"),
  /** Packed ids of links that were indexed together. */
  wordBatch: rows<[batch: string]>("link_word_batch"),
  /** Packed ids whose URLs are not in the index of words yet, in the order of creation. */
  unindexed: rows<[time: number, batch: string]>("link_unindexed"),
  /** Deleted links whose visits are being removed. */
  removal: rows<[short: string]>("link_removal"),
} as const;

/**
 * Returns the largest size of a key of the shortener in bytes, from the number of code units of the ids, words and terms
 * in it. A commit with keys of `COMMIT_BUDGET.keyBytes` has no more than 900 of them.
 */
export function sizeOfKey(units: number): number {
  return 80 + 3 * units;
}

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

/** Reads both totals as of one moment. */
export async function readInstanceCounts(kv: Kv) {
  const keys = [linkKeys.linkCount, linkKeys.visitCount()] as const;
  const [links, visits] = await kv.getMany<[Deno.KvU64, Deno.KvU64]>(keys);
  return { urls: Number(links.value?.value ?? 0n), visits: Number(visits.value?.value ?? 0n) };
}
