import type { Config } from "@/lib/config.ts";
import type { RateLimitName } from "@/lib/rate_limit_rules.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { AppError, type ErrorDetails } from "@/lib/core/errors.ts";
import { isNetworkStore, type Store } from "@/lib/store/open.ts";
import { createGroupReader } from "./client_address.ts";
import {
  type CreateCounter,
  createMemoryCounters,
  createSharedCounters,
  type LimitCount,
  type LimitCounter,
} from "./limit_counts.ts";

/** Remaining requests of a limit. */
export interface Allowance {
  /** Requests allowed in each period. */
  readonly limit: number;
  readonly remaining: number;
  /** Time until the period ends, in milliseconds. */
  readonly resetMs: number;
}

/** Error for a request beyond its limit. */
export class LimitHit extends AppError {
  constructor(message: string, details: ErrorDetails, readonly allowance: Allowance) {
    super("RATE_LIMIT_HIT", message, details);
  }
}

/** Counts requests by kind and client. */
export interface RateLimiter {
  /**
   * Counts a request of a client, which is an address or another subject of the limit.
   * @throws LimitHit RATE_LIMIT_HIT when the limit is exceeded.
   */
  consume(name: RateLimitName, client: string): Promise<Allowance>;
  /**
   * Counts a request towards several limits in their order, and returns the allowance of the first with the
   * fewest requests left. A request that one of them refuses does not count towards those after it.
   * @throws LimitHit RATE_LIMIT_HIT.
   */
  consumeAll(names: readonly RateLimitName[], client: string): Promise<Allowance>;
  /** Refuses a client that has used up its limit, like `consume`, without counting the request. */
  requireLeft(name: RateLimitName, client: string): Promise<void>;
  /** Resets a client's count. */
  forget(name: RateLimitName, client: string): Promise<void>;
  /** Number of requests refused so far. */
  readonly hits: number;
}

/**
 * Creates a rate limiter; null when limits are off. It counts in the memory of this process unless
 * `createCounter` creates other counters.
 */
export function createRateLimiter(
  rules: Config["rateLimits"],
  createCounter: CreateCounter | null = null,
): RateLimiter | null {
  if (rules === null) return null;
  const counterOf = keepCounters(createCounter ?? createMemoryCounters(rules));
  // Parsing an address takes longer than counting its request.
  const groupOf = createGroupReader();
  let hits = 0;
  const toAllowance = (
    name: RateLimitName,
    { used, resetMs }: LimitCount = { used: 0, resetMs: 0 },
  ): Allowance => {
    const { points } = rules[name];
    if (used <= points) return { limit: points, remaining: points - used, resetMs };
    hits++;
    throw limitHit(name, points, resetMs);
  };
  return {
    get hits() {
      return hits;
    },
    consume(name, client) {
      return this.consumeAll([name], client);
    },
    async consumeAll(names, client) {
      const counts = await counterOf(...names).add(groupOf(client));
      const allowances = names.slice(0, counts.length).map((name, at) => toAllowance(name, counts[at]));
      return allowances.reduce((least, one) => one.remaining < least.remaining ? one : least);
    },
    async requireLeft(name, client) {
      const { points } = rules[name];
      const count = await counterOf(name).read(groupOf(client));
      if (count === null || count.used < points) return;
      hits++;
      throw limitHit(name, points, count.resetMs);
    },
    forget: (name, client) => counterOf(name).reset(groupOf(client)),
  };
}

/** Returns a function that creates the counter of some limits once. */
function keepCounters(create: CreateCounter): (...names: readonly RateLimitName[]) => LimitCounter {
  const counters = new Map<string, LimitCounter>();
  return (...names) => {
    const counter = counters.get(names.join(" ")) ?? create(names);
    counters.set(names.join(" "), counter);
    return counter;
  };
}

/** Creates a server's rate limiter, whose counts the processes of a store in the network share. */
export function createServerRateLimiter(
  { config, store, clock }: { config: Pick<Config, "rateLimits">; store: Store; clock: Clock },
): RateLimiter | null {
  const { rateLimits: rules } = config;
  const isShared = rules !== null && isNetworkStore(store);
  return createRateLimiter(rules, isShared ? createSharedCounters({ store, clock, rules }) : null);
}

function limitHit(name: RateLimitName, limit: number, resetMs: number): LimitHit {
  const retryAfter = Math.max(1, Math.ceil(resetMs / 1000));
  const sentence = name.startsWith("api_") ? "API usage exceeded rate limit" : "Too many requests";
  const message = `${sentence}. Please try again in ${retryAfter} seconds.`;
  const extra = { "retry-after": Math.max(resetMs, 1) / 1000 };
  return new LimitHit(message, { retryAfter, extra }, { limit, remaining: 0, resetMs });
}
