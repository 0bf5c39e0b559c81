import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "@/lib/config.ts";
import type { RateLimitName } from "@/lib/rate_limit_rules.ts";
import { AppError, type ErrorDetails } from "@/lib/core/errors.ts";
import { toAddressGroup } from "./client_address.ts";

/** How much of a limit is left. */
export interface Allowance {
  /** Requests in each period. */
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the period ends. */
  readonly resetMs: number;
}

/** The refusal of a request that is one too many. */
export class LimitHit extends AppError {
  constructor(message: string, details: ErrorDetails, readonly allowance: Allowance) {
    super("RATE_LIMIT_HIT", message, details);
  }
}

/** Counts requests by kind and by client; null when limits are off. */
export interface RateLimiter {
  /**
   * Counts one request of this client, which is an address or whatever the limit is for.
   * @throws LimitHit RATE_LIMIT_HIT when it is one too many.
   */
  consume(name: RateLimitName, client: string): Promise<Allowance>;
  /** Refuses like `consume` a client that has used its limit up, but counts nothing. */
  requireLeft(name: RateLimitName, client: string): Promise<void>;
  /** Counts as if the client had asked for nothing yet. */
  forget(name: RateLimitName, client: string): Promise<void>;
  /** Requests refused so far. */
  readonly hits: number;
}

/** Limits kept in this process's memory, as the configuration has them. */
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
