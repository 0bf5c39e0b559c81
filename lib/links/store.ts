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
} as const;

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

function toCount(value: unknown): number {
  const count = toValue<Deno.KvU64 | null>(value)?.value ?? 0n;
  return Number(count < BigInt(Number.MAX_SAFE_INTEGER) ? count : BigInt(Number.MAX_SAFE_INTEGER));
}
