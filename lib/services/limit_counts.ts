import { chunk } from "es-toolkit/array/chunk";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { sha256, toHex } from "@/lib/core/bytes.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably, RETRY_AFTER_SECONDS } from "@/lib/kv/durably.ts";
import { createGroupCommitter, type GroupCommitter } from "@/lib/kv/group_commit.ts";
import { type Key, readRecord, toValue } from "@/lib/kv/key.ts";
import { MAX_KEYS } from "@/lib/kv/limits.ts";
import type { Store } from "@/lib/kv/open.ts";
import { backOff } from "@/lib/kv/retry.ts";
import type { RateLimitRule } from "@/lib/rate_limit_rules.ts";

/** Requests of one client in the current period of a limit. */
export interface LimitCount {
  /** Requests counted, refused ones included. */
  readonly used: number;
  /** Time until the period ends, in milliseconds. */
  readonly resetMs: number;
}

/** Counts the requests of one limit by client; a period begins with a client's first request. */
export interface LimitCounter {
  /** Counts a request and returns the count with it. */
  add(client: string): Promise<LimitCount>;
  /** Returns the count; null when there is none. */
  read(client: string): Promise<LimitCount | null>;
  /** Ends a client's period. */
  reset(client: string): Promise<void>;
}

/** Creates a counter in the memory of this process. */
export function createMemoryCounter({ points, seconds }: RateLimitRule): LimitCounter {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const toCount = ({ consumedPoints, msBeforeNext }: RateLimiterRes): LimitCount => ({
    used: consumedPoints,
    resetMs: msBeforeNext,
  });
  return {
    async add(client) {
      try {
        return toCount(await limiter.consume(client));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return toCount(refusal);
        throw refusal;
      }
    },
    async read(client) {
      const found = await limiter.get(client);
      return found === null ? null : toCount(found);
    },
    async reset(client) {
      await limiter.delete(client);
    },
  };
}

/** Maximum number of requests in a commit. */
const MAX_ITEMS = 256;
/** Maximum number of clients in a commit: with fewer checks than a KV Connect server takes. */
const MAX_CLIENTS = Math.min(MAX_KEYS, 8);
const ATTEMPTS = 20;

/** A count as stored. */
interface StoredCount {
  readonly used: number;
  /** Milliseconds since 1970 UTC. */
  readonly endsAt: number;
}

/** A limit whose counts all processes of a store share. */
interface SharedLimit {
  readonly store: Store;
  readonly clock: Clock;
  readonly name: string;
  readonly rule: RateLimitRule;
}

/** Creates a counter in the store; requests that arrive together share a commit. */
export function createSharedCounter(limit: SharedLimit): LimitCounter {
  const { store, clock, name } = limit;
  const line: GroupCommitter<string, LimitCount> = createGroupCommitter({
    maxItems: MAX_ITEMS,
    commit: (clients) => countAll(limit, clients),
  });
  return {
    add: (client) => line.submit(client),
    async read(client) {
      const found = await readRecord<StoredCount>(store.kv, await keyOf(name, client));
      const resetMs = (found?.endsAt ?? 0) - clock.now();
      return found === null || resetMs <= 0 ? null : { used: found.used, resetMs };
    },
    async reset(client) {
      const key = await keyOf(name, client);
      await durably(store, () => store.kv.delete(key));
    },
  };
}

/** Returns the key of a client's count; clients can have texts of any length. */
async function keyOf(name: string, client: string): Promise<Key> {
  return ["rate_limit", name, toHex(await sha256(client))];
}

/** Counts requests, each of which gets the number that it has among those of its client. */
async function countAll(limit: SharedLimit, clients: readonly string[]): Promise<LimitCount[]> {
  const counts: LimitCount[] = new Array(clients.length);
  const groups = [...Map.groupBy(clients.keys(), (at) => clients[at] ?? "")];
  await Promise.all(
    chunk(groups, MAX_CLIENTS).map(async (part) => {
      const added = await addTo(limit, part.map(([client, { length }]) => ({ client, by: length })));
      for (const [index, [, positions]] of part.entries()) {
        const { used, resetMs } = added[index] ?? { used: 0, resetMs: 0 };
        for (const [nth, at] of positions.entries()) {
          counts[at] = { used: used - positions.length + nth + 1, resetMs };
        }
      }
    }),
  );
  return counts;
}

async function addTo(
  { store, clock, name, rule }: SharedLimit,
  additions: readonly { readonly client: string; readonly by: number }[],
): Promise<LimitCount[]> {
  const keys = await Promise.all(additions.map(({ client }) => keyOf(name, client)));
  for (let failed = 0; failed < ATTEMPTS; failed++) {
    const entries = await store.kv.getMany<StoredCount[]>([...keys]);
    const now = clock.now();
    const next = additions.map(({ by }, at): StoredCount => {
      const found = toValue<StoredCount | null>(entries[at]?.value ?? null);
      const isCurrent = found !== null && found.endsAt > now;
      return isCurrent
        ? { ...found, used: found.used + by }
        : { used: by, endsAt: now + rule.seconds * 1000 };
    });
    const { ok } = await durably(store, () => {
      const atomic = store.kv.atomic().check(...entries);
      next.forEach((count, at) =>
        atomic.set(keys[at] ?? [], count, { expireIn: Math.max(1, count.endsAt - now) })
      );
      return atomic.commit();
    });
    if (ok) return next.map(({ used, endsAt }) => ({ used, resetMs: endsAt - now }));
    store.tally.conflicts++;
    await backOff(Math.min(failed, 6));
  }
  throw new AppError("UNAVAILABLE", "The store is busy. Please try again.", {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
