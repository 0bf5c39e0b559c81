import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config, RateLimitName } from "@/lib/config.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toAddressGroup } from "./client_address.ts";

/** How much of a limit is left. */
export interface Allowance {
  /** Requests in each period. */
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the period ends. */
  readonly resetMs: number;
}

/** Counts requests by kind and by client; null when limits are off. */
export interface RateLimiter {
  /**
   * Counts one request of this client.
   * @throws AppError RATE_LIMIT_HIT when it is one too many.
   */
  consume(name: RateLimitName, clientAddress: string): Promise<Allowance>;
  /** Requests refused so far. */
  readonly hits: number;
}

/** Limits kept in this process's memory, as the configuration has them. */
export function createRateLimiter(rules: Config["rateLimits"]): RateLimiter | null {
  if (rules === null) return null;
  const limiters = {
    shorten: new RateLimiterMemory({ points: rules.shorten.points, duration: rules.shorten.seconds }),
    resolve: new RateLimiterMemory({ points: rules.resolve.points, duration: rules.resolve.seconds }),
    link_stats: new RateLimiterMemory({
      points: rules.link_stats.points,
      duration: rules.link_stats.seconds,
    }),
  };
  let hits = 0;
  return {
    get hits() {
      return hits;
    },
    async consume(name, clientAddress) {
      try {
        const { remainingPoints, msBeforeNext } = await limiters[name].consume(toAddressGroup(clientAddress));
        return { limit: rules[name].points, remaining: remainingPoints, resetMs: msBeforeNext };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        hits++;
        const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw new AppError(
          "RATE_LIMIT_HIT",
          `Too many requests. Please try again in ${retryAfter} seconds.`,
          {
            retryAfter,
          },
        );
      }
    },
  };
}
