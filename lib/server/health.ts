import { z } from "zod";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { readBearer } from "../api/principal.ts";
import { isLoopback } from "../services/client_address.ts";
import type { Services } from "../services/services.ts";

export const healthSchema = z.object({ status: z.literal("ok") }).meta({ id: "Health" });

/** Time limit of the store, in milliseconds. */
const STORE_DEADLINE_MS = 2000;
const PROBE_KEY = ["ready_probe"];
/** Size of a trial write, in bytes. Room for a small write would not prove that a request's commit fits. */
const PROBE_BYTES = 60_000;
const RETRY_SECONDS = 5;

/**
 * Reads from the store.
 * @throws AppError UNAVAILABLE when the store does not answer within two seconds.
 */
export async function requireReadable({ store }: Services): Promise<void> {
  await withinDeadline(store.kv.get(linkKeys.linkCount));
}

/**
 * Checks that requests can be served: the store can be read and written, and the server is not stopping.
 * @throws AppError UNAVAILABLE with the reason.
 */
export async function requireReady(app: Services): Promise<void> {
  if (app.status.isStopping) throw unavailable("The server is stopping.");
  await requireReadable(app);
  // Requests show whether writes succeed; only after a failure is one tried here, so that readiness returns by itself.
  const { store } = app;
  if (!store.tally.writable) {
    await withinDeadline(durably(store, () => store.kv.set(PROBE_KEY, new Uint8Array(PROBE_BYTES))));
  }
}

/** Headers that proxies add to what they forward. */
const PROXY_HEADERS = /^(x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|forwarded|via|.*-connecting-ip)$/;

/**
 * Requires the metrics token or, where none is configured, a request from this machine. Requests that are refused
 * count as those of a stranger.
 * @throws AppError UNAUTHORIZED for any other request, RATE_LIMIT_HIT for too many.
 */
export async function requireMetricsReader(
  app: Services,
  request: Request,
  clientAddress: string,
): Promise<void> {
  const { metricsToken } = app.config;
  if (metricsToken === null) {
    if (isLoopback(clientAddress) && isDirect(request)) return;
    await app.limiter?.consume("api_address", clientAddress);
    throw new AppError(
      "UNAUTHORIZED",
      "Without METRICS_TOKEN, the metrics are available on loopback only.",
    );
  }
  const token = readBearer(request);
  if (token !== null && await equalSecrets(token, metricsToken)) return;
  await app.limiter?.consume("api_address", clientAddress);
  throw new AppError("UNAUTHORIZED", "The metrics require the token: Authorization: Bearer TOKEN.");
}

/**
 * Whether a request from this machine came without a proxy, behind which every client looks local: it has none of a
 * proxy's headers, and its Host names this machine.
 */
function isDirect({ headers, url }: Request): boolean {
  const { hostname } = new URL(url);
  const isLocalHost = hostname === "localhost" || isLoopback(hostname.replace(/^\[|\]$/g, ""));
  return isLocalHost && ![...headers.keys()].some((name) => PROXY_HEADERS.test(name));
}

async function withinDeadline(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer in time")), STORE_DEADLINE_MS);
  try {
    await Promise.race([work, late.promise]);
  } catch (cause) {
    throw unavailable("The store is not working.", cause);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_SECONDS, cause });
}
