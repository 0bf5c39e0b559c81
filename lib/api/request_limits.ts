import type { Context } from "fresh";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { RateLimitName } from "@/lib/rate_limit_rules.ts";
import { clientAddressOf } from "../services/client_address.ts";
import type { Allowance } from "../services/rate_limit.ts";
import type { Services, State } from "../services/services.ts";

/** The organization and account whose limits a request counts towards; null where they are unknown. */
export interface LimitSubject {
  readonly realm: RealmRecord | null;
  readonly user: UserRecord | null;
}

/**
 * Counts a request against a limit of its address; null when limits are off.
 * @throws LimitHit RATE_LIMIT_HIT.
 */
export async function consumeAddressLimit(
  { state, req, info }: Context<State>,
  name: RateLimitName,
): Promise<Allowance | null> {
  const { limiter, addresses } = state.app;
  state.isCounted = true;
  return limiter === null ? null : await limiter.consume(name, clientAddressOf(addresses, req, info));
}

/**
 * Counts a request to the chat API against the limits of its caller, or of its address when the caller is
 * unknown; null when limits are off.
 * @throws LimitHit RATE_LIMIT_HIT.
 */
export async function consumeLimits(
  ctx: Context<State>,
  { realm, user }: LimitSubject,
  limit?: "api_events",
): Promise<Allowance | null> {
  const { limiter } = ctx.state.app;
  if (limiter === null) return null;
  if (user === null) return await consumeAddressLimit(ctx, "api_address");
  ctx.state.isCounted = true;
  const client = `${realm?.id} ${user.id}`;
  if (limit !== undefined) return await limiter.consume(limit, client);
  // A request refused by the limit per minute does not count towards the limit per hour.
  return await limiter.consumeAll(["api_user", "api_user_hour"], client);
}

/**
 * Requires that an address has not used up its limit of refused requests, before a form that anyone may send is read.
 * @throws LimitHit RATE_LIMIT_HIT.
 */
export async function requireRefusalsLeft({ state, req, info }: Context<State>): Promise<void> {
  const { limiter, addresses } = state.app;
  await limiter?.requireLeft("refused", clientAddressOf(addresses, req, info));
}

/** Sets the headers that state the remaining requests of a limit. */
export function setAllowance(
  headers: Headers,
  { clock }: Pick<Services, "clock">,
  { limit, remaining, resetMs }: Allowance,
): void {
  headers.set("x-ratelimit-limit", String(limit));
  headers.set("x-ratelimit-remaining", String(remaining));
  headers.set("x-ratelimit-reset", String(Math.ceil((clock.now() + resetMs) / 1000)));
}
