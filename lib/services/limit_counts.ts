import { chunk } from "es-toolkit/array/chunk";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { sha256, toHex } from "@/lib/core/bytes.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably, RETRY_AFTER_SECONDS } from "@/lib/store/durably.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { type Key, readRecord, toValue } from "@/lib/store/key.ts";
import { MAX_KEYS } from "@/lib/store/kv.ts";
import type { Store } from "@/lib/store/open.ts";
import { backOff } from "@/lib/store/retry.ts";
import type { RateLimitRule } from "@/lib/rate_limit_rules.ts";

/** Requests of one client in the current period of a limit. */
export interface LimitCount {
  /** Requests counted, refused ones included. */
  readonly used: number;
  /** Time until the period ends, in milliseconds. */
  readonly resetMs: number;
}

/** Counts the requests of clients towards some limits; a period begins with a client's first request. */
export interface LimitCounter {
  /**
   * Counts a request towards the limits in their order, up to the first that it exceeds, and returns their
   * counts with it.
   */
  add(client: string): Promise<LimitCount[]>;
  /** Returns the count of the first limit; null when there is none. */
  read(client: string): Promise<LimitCount | null>;
  /** Ends a client's periods. */
  reset(client: string): Promise<void>;
}

/** Rules of limits by their names. */
type Rules = Readonly<Record<string, RateLimitRule>>;

/** Creates the counter of some limits. */
export type CreateCounter = (names: readonly string[]) => LimitCounter;

/** Returns a function that creates counters in the memory of this process. */
export function createMemoryCounters(rules: Rules): CreateCounter {
  const limiters = new Map(
    Object.entries(rules).map(([name, { points, seconds }]) =>
      [name, new RateLimiterMemory({ points, duration: seconds })] as const
    ),
  );
  return (names) => {
    const all = names.flatMap((name) => limiters.get(name) ?? []);
    return {
      async add(client) {
        const counts: LimitCount[] = [];
        for (const limiter of all) {
          counts.push(await addInMemory(limiter, client));
          if ((counts.at(-1)?.used ?? 0) > limiter.points) break;
        }
        return counts;
      },
      async read(client) {
        const found = await all[0]?.get(client) ?? null;
        return found === null ? null : toCount(found);
      },
      async reset(client) {
        await Promise.all(all.map((limiter) => limiter.delete(client)));
      },
    };
  };
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): LimitCount {
  return { used: consumedPoints, resetMs: msBeforeNext };
}

async function addInMemory(limiter: RateLimiterMemory, client: string): Promise<LimitCount> {
  try {
    return toCount(await limiter.consume(client));
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toCount(refusal);
    throw refusal;
  }
}

/** Maximum number of requests in a commit. */
const MAX_ITEMS = 256;
/** Maximum number of counts in a commit: with fewer checks than a KV Connect server takes. */
const MAX_COUNTS = Math.min(MAX_KEYS, 8);
const ATTEMPTS = 20;

/** A count as stored. */
interface StoredCount {
  readonly used: number;
  /** Milliseconds since 1970 UTC. */
  readonly endsAt: number;
}

/** A store whose processes share their counts. */
interface SharedCounts {
  readonly store: Store;
  readonly clock: Clock;
  readonly rules: Rules;
}

/** Some limits that requests count towards together. */
interface SharedLimits extends SharedCounts {
  readonly names: readonly string[];
}

/** Returns a function that creates counters in the store; requests that arrive together share a commit. */
export function createSharedCounters(shared: SharedCounts): CreateCounter {
  const { store, clock } = shared;
  return (names) => {
    const limits = { ...shared, names };
    const queue = new CommitQueue<string, LimitCount[]>({
      maxItems: MAX_ITEMS,
      commit: (clients) => countAll(limits, clients),
    });
    return {
      add: (client) => queue.submit(client),
      async read(client) {
        const [key = []] = await keysOf(limits, client);
        const found = await readRecord<StoredCount>(store.kv, key);
        const resetMs = (found?.endsAt ?? 0) - clock.now();
        return found === null || resetMs <= 0 ? null : { used: found.used, resetMs };
      },
      async reset(client) {
        const keys = await keysOf(limits, client);
        await Promise.all(keys.map((key) => durably(store, () => store.kv.delete(key))));
      },
    };
  };
}

/** Returns the keys of a client's counts; clients can have texts of any length. */
async function keysOf({ names }: SharedLimits, client: string): Promise<Key[]> {
  const hash = toHex(await sha256(client));
  return names.map((name) => ["rate_limit", name, hash]);
}

/** Counts requests in their order. */
async function countAll(limits: SharedLimits, clients: readonly string[]): Promise<LimitCount[][]> {
  const counts: LimitCount[][] = new Array(clients.length);
  const groups = [...Map.groupBy(clients.keys(), (at) => clients[at] ?? "")];
  const parts = chunk(groups, Math.max(1, Math.floor(MAX_COUNTS / limits.names.length)));
  await Promise.all(parts.map(async (part) => {
    const added = await addTo(limits, part.map(([client, { length }]) => ({ client, by: length })));
    for (const [index, [, positions]] of part.entries()) {
      for (const [nth, at] of positions.entries()) counts[at] = added[index]?.[nth] ?? [];
    }
  }));
  return counts;
}

/** Requests of one client. */
interface Addition {
  readonly client: string;
  readonly by: number;
}

/** Counts requests of several clients in one commit, and returns the counts with each request of each client. */
async function addTo(limits: SharedLimits, additions: readonly Addition[]): Promise<LimitCount[][][]> {
  const { store, clock, names } = limits;
  const keys = (await Promise.all(additions.map(({ client }) => keysOf(limits, client)))).flat();
  for (let failed = 0; failed < ATTEMPTS; failed++) {
    const entries = await store.kv.getMany<StoredCount[]>(keys.map((key) => [...key]));
    const now = clock.now();
    const counts = entries.map(({ value }) => toValue<StoredCount | null>(value));
    const added = additions.map(({ by }, at) => {
      const own = counts.slice(at * names.length, (at + 1) * names.length);
      return addRequests(limits, { counts: own, by, now });
    });
    const { ok } = await durably(store, () => {
      const atomic = store.kv.atomic().check(...entries);
      added.flatMap(({ after }) => after).forEach((count, at) => {
        if (count !== null) atomic.set(keys[at] ?? [], count, { expireIn: Math.max(1, count.endsAt - now) });
      });
      return atomic.commit();
    });
    if (ok) return added.map(({ results }) => results);
    store.tally.conflicts++;
    await backOff(Math.min(failed, 6));
  }
  throw new AppError("UNAVAILABLE", "The store is busy. Please try again.", {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}

/** Stored counts of a client, by limit, and the number of its new requests. */
interface NewRequests {
  readonly counts: readonly (StoredCount | null)[];
  readonly by: number;
  readonly now: number;
}

/** Returns a client's counts after its requests, and the counts with each of them. */
function addRequests({ names, rules }: SharedLimits, { counts, by, now }: NewRequests) {
  const after = counts.map((count) => count !== null && count.endsAt > now ? count : null);
  const results = Array.from({ length: by }, () => {
    const result: LimitCount[] = [];
    for (const [at, name] of names.entries()) {
      const { points = 0, seconds = 0 } = rules[name] ?? {};
      const { used, endsAt } = after[at] ?? { used: 0, endsAt: now + seconds * 1000 };
      after[at] = { used: used + 1, endsAt };
      result.push({ used: used + 1, resetMs: endsAt - now });
      if (used >= points) break;
    }
    return result;
  });
  return { after, results };
}
