import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "@/lib/config.ts";
import type { RateLimitName } from "@/lib/rate_limit_rules.ts";
import { AppError, type ErrorDetails } from "@/lib/core/errors.ts";
import { toAddressGroup } from "./client_address.ts";

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
  /** Refuses a client that has used up its limit, like `consume`, without counting the request. */
  requireLeft(name: RateLimitName, client: string): Promise<void>;
  /** Resets a client's count. */
  forget(name: RateLimitName, client: string): Promise<void>;
  /** Number of requests refused so far. */
  readonly hits: number;
}

/** Creates a rate limiter in the memory of this process; null when limits are off. */
export function createRateLimiter(rules: Config["rateLimits"]): RateLimiter | null {
  if (rules === null) return null;
  const limiters = new Map(
    Object.entries(rules).map(([name, { points, seconds }]) =>
      [name, new RateLimiterMemory({ points, duration: seconds })] as const
    ),
  );
  const limiterOf = (name: RateLimitName) => {
    const limiter = limiters.get(name);
    if (limiter === undefined) throw new Error(`There is no limit ${name}`);
    return limiter;
  };
  let hits = 0;
  return {
    get hits() {
      return hits;
    },
    async consume(name, client) {
      try {
        const { remainingPoints, msBeforeNext } = await limiterOf(name).consume(toAddressGroup(client));
        return { limit: rules[name].points, remaining: remainingPoints, resetMs: msBeforeNext };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        hits++;
        throw limitHit(name, rules[name].points, refusal.msBeforeNext);
      }
    },
    async requireLeft(name, client) {
      const used = await limiterOf(name).get(toAddressGroup(client));
      if (used === null || used.consumedPoints < rules[name].points) return;
      hits++;
      throw limitHit(name, rules[name].points, used.msBeforeNext);
    },
    async forget(name, client) {
      await limiterOf(name).delete(toAddressGroup(client));
    },
  };
}

function limitHit(name: RateLimitName, limit: number, resetMs: number): LimitHit {
  const retryAfter = Math.max(1, Math.ceil(resetMs / 1000));
  const sentence = name.startsWith("api_") ? "API usage exceeded rate limit" : "Too many requests";
  const message = `${sentence}. Please try again in ${retryAfter} seconds.`;
  const extra = { "retry-after": Math.max(resetMs, 1) / 1000 };
  return new LimitHit(message, { retryAfter, extra }, { limit, remaining: 0, resetMs });
}
