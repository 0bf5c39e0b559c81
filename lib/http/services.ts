import { createDefine } from "fresh";
import type { Config } from "@/lib/config.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { RandomSource } from "@/lib/core/random.ts";
import type { Store } from "@/lib/kv/open.ts";
import { createLinksApp, drainLinks, type LinksApp } from "@/lib/links/app.ts";
import { type AddressReader, createAddressReader } from "./client_address.ts";
import type { Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createRateLimiter, type RateLimiter } from "./rate_limit.ts";
import { createRequestIds, type RequestIds } from "./request_id.ts";

/** Everything that routes work with: what travels first through every call. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: Store;
  readonly links: LinksApp;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter | null;
  readonly addresses: AddressReader;
  readonly requestIds: RequestIds;
  /** Whether the public address is https. */
  readonly isHttps: boolean;
  /** What changes while the server runs. */
  readonly status: ServerStatus;
}

/** The server's own condition. */
export interface ServerStatus {
  inFlight: number;
  /** Set when the server was told to stop. */
  isStopping: boolean;
}

/** What a request carries through its middlewares. */
export interface State {
  app: Services;
  /** Names this request in answers and in the log. */
  requestId: string;
}

/** Fresh's helpers, with Sotto's state. */
export const define = createDefine<State>();

/** Composes the services over an open store. */
export function createServices(
  parts: { config: Config; clock: Clock; random: RandomSource; store: Store; log: Log },
): Services {
  const { config, clock, random, store, log } = parts;
  const links = createLinksApp({ store, clock, random, config });
  const limiter = createRateLimiter(config.rateLimits);
  const status: ServerStatus = { inFlight: 0, isStopping: false };
  const metrics = createMetrics({ links, limiter, inFlight: () => status.inFlight });
  return {
    config,
    clock,
    store,
    links,
    log,
    metrics,
    limiter,
    status,
    addresses: createAddressReader(config.trustedProxies),
    requestIds: createRequestIds(),
    isHttps: config.baseUrl.startsWith("https:"),
  };
}

/** Settles once everything that callers wait for is in the store and in the log. */
export async function drainServices({ links, log }: Services): Promise<void> {
  await drainLinks(links);
  await log.flush();
}
