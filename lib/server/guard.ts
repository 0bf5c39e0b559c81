import { MAX_WAITING } from "@/lib/chat/register/events/hub.ts";
import { AppError, STATUS } from "@/lib/core/errors.ts";
import { faceOf, statusOf, toAppError } from "../api/envelope.ts";
import { clientAddressOf } from "../services/client_address.ts";
import type { Services } from "../services/services.ts";
import { Capacity, type CapacityClient, createClientReader, type Slot } from "./capacity.ts";
import { createOverloadRefusal, RefusalPace, refuse, unavailable } from "./refuse.ts";
import { SlowBodies } from "./slow_bodies.ts";
import { withoutTrailingSlash } from "./trailing_slash.ts";
import { type Turn, TurnQueue } from "./turn_queue.ts";

/**
 * Maximum number of requests handled at the same time; further ones are refused at once. Requests that only resolve a
 * short link weigh an eighth, because thousands of them wait for less than a second.
 */
export const MAX_IN_FLIGHT = 1024;
/**
 * Weight of the requests that are worked on at the same time, as much as 64 of the chat API. More of them would only
 * make each other slower.
 */
const MAX_RUNNING = 512;
/** Weight of a request for anything else than a short link, which weighs 1. */
const WEIGHT = 8;
/** Maximum number of probes, which are answered during overload. */
const MAX_PROBES = 256;
/** Maximum number of uploads, which take several commits each. */
const MAX_UPLOADS = 128;
/**
 * Event requests wait most of the time: they use no slot of other requests, and all of them may return at
 * once.
 */
const EVENTS_PATH = "/api/v1/events";
/** The probes; only the first is answered during shutdown. */
const HEALTH_PATH = "/health";
const PROBE_PATHS: readonly string[] = [HEALTH_PATH, "/ready"];
const METRICS_PATH = "/metrics";
const UPLOAD_PATH = /^\/api\/v1\/(user_uploads|tus)(\/|$)/;
const MAX_FOR_EVENTS = MAX_WAITING + MAX_IN_FLIGHT;
/** Number of a client's requests in flight from which its bodies are watched; few cannot keep others out. */
const WATCHED_FROM = 16;
/** Statuses that ask a client to wait. */
const REFUSALS = [429, 503];
/** Methods that Fresh's router can handle; it fails on every other one. */
const KNOWN_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** A request handler as Deno.serve calls it. */
export type ServeHandler = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

type RequestKind = "inFlight" | "exempt" | "uploads" | "waiting" | "probes";

/**
 * Wraps the routes: refuses paths that cannot be decoded, requests beyond the limits and quotas or for which the server
 * has no time, and requests during shutdown (`/health` excepted), lets clients take turns, and answers errors that the
 * routes throw past their own middleware.
 */
export function guard(app: Services, handler: ServeHandler, maxInFlight = MAX_IN_FLIGHT): ServeHandler {
  const entrance = new Entrance(app, maxInFlight);
  const refusals = new RefusalPace(app.clock);
  const refuseOverload = createOverloadRefusal(app);
  const readClient = createClientReader();
  return async (received, info) => {
    // A request with another method, which is refused, cannot be copied.
    const request = KNOWN_METHODS.includes(received.method) ? withoutTrailingSlash(received) : received;
    const pathname = readPathname(request.url);
    const path = pathname ?? encodedPathname(request.url);
    const address = clientAddressOf(app.addresses, request, info);
    const client = readClient(address);
    const problem = findProblem(app, request, pathname);
    if (problem !== null) {
      const error = await countRefused(app, problem, address);
      if (statusOf(error) === STATUS.RATE_LIMIT_HIT) await refusals.wait(client);
      return refuse(app, { request, path, error });
    }
    const admitted = entrance.enter(request, kindOf(request, path), client);
    if (admitted === null) {
      app.metrics.overload();
      const pause = refusals.wait(client);
      if (pause !== null) await pause;
      return refuseOverload(request, path);
    }
    try {
      const response = await handle({ app, handler }, admitted, info);
      if (REFUSALS.includes(response.status)) await refusals.wait(client);
      return response;
    } finally {
      admitted[Symbol.dispose]();
    }
  };
}

/** Parts that a request is handled with once it has its slot. */
interface Handling {
  readonly app: Services;
  readonly handler: ServeHandler;
}

// Here and above, `using` would take longer than all that it disposes of.
async function handle(
  { app, handler }: Handling,
  { request, turn }: Admitted,
  info: Deno.ServeHandlerInfo,
): Promise<Response> {
  try {
    if (turn !== null && turn.start !== null) await turn.start;
    return await handler(request, info);
  } catch (thrown) {
    const isValid = URL.canParse(request.url);
    const path = (isValid ? readPathname(request.url) : null) ?? encodedPathname(request.url);
    if (isValid) return refuse(app, { request, path, error: toAppError(thrown) });
    const error = await countRefused(app, badHost(), clientAddressOf(app.addresses, request, info));
    return refuse(app, { request, path, error });
  } finally {
    // Before a slow response to a client that ignores refusals.
    turn?.[Symbol.dispose]();
  }
}

/** A request that has its slots until it is disposed of. */
class Admitted implements Disposable {
  constructor(
    readonly request: Request,
    /** Null for a request that takes no turn. */
    readonly turn: Turn | null,
    /** Slots that the request takes, in the order in which it leaves them. */
    readonly slots: readonly Disposable[],
  ) {}

  [Symbol.dispose](): void {
    for (const slot of this.slots) slot[Symbol.dispose]();
  }
}

/** Gives requests their slots and turns. */
class Entrance {
  readonly #capacities: Readonly<Record<Exclude<RequestKind, "exempt">, Capacity>>;
  readonly #bodies: SlowBodies;
  readonly #turns: TurnQueue;
  /** Turns of requests for events, thousands of which may return at once. */
  readonly #eventTurns: TurnQueue;

  constructor(private readonly app: Services, maxInFlight: number) {
    const { status, clock, limiter, arrivals } = app;
    this.#capacities = {
      inFlight: new Capacity(maxInFlight * WEIGHT, (by) => status.inFlight += by),
      waiting: new Capacity(MAX_FOR_EVENTS, (by) => status.waiting += by),
      probes: new Capacity(MAX_PROBES),
      uploads: new Capacity(MAX_UPLOADS),
    };
    this.#bodies = new SlowBodies(clock, arrivals);
    const isRateLimited = limiter !== null;
    this.#turns = new TurnQueue({ isRateLimited, maxRunning: MAX_RUNNING }, clock);
    this.#eventTurns = new TurnQueue({ isRateLimited, maxRunning: Infinity }, clock);
  }

  /** Returns null for a request that has to be refused. */
  enter(request: Request, kind: RequestKind, client: CapacityClient): Admitted | null {
    if (kind === "waiting" || kind === "probes") return this.#enterBeside(request, kind, client);
    if (kind === "exempt") return this.#enterFlight(request, client, false);
    if (kind === "inFlight") return this.#enterFlight(request, client);
    const slot = this.#capacities.uploads.enter(client);
    const admitted = slot && this.#enterFlight(request, client);
    if (admitted === null) slot?.[Symbol.dispose]();
    if (admitted === null || slot === null) return null;
    return new Admitted(admitted.request, admitted.turn, [...admitted.slots, slot]);
  }

  /** Admits a request that is not refused because of the load. */
  #enterBeside(request: Request, kind: "waiting" | "probes", client: CapacityClient): Admitted | null {
    const slot = this.#capacities[kind].enter(client);
    if (slot === null) return null;
    const isFirst = kind === "probes" && this.#turns.startProbe(client);
    const turns = kind === "waiting" ? this.#eventTurns : this.#turns;
    const turn = isFirst ? null : turns.take(client, kind);
    return new Admitted(request, turn, [slot]);
  }

  #enterFlight(request: Request, client: CapacityClient, isRefusable = true): Admitted | null {
    const credentials = request.headers.get("authorization") ?? request.headers.get("cookie") ?? "";
    if (isRefusable && this.#turns.isTooLong(client, credentials)) return null;
    const capacity = this.#capacities.inFlight;
    const weight = isSafe(request) ? weightOf(request.url) : WEIGHT;
    const slot = capacity.enter(client, weight) ?? this.#enterForSlowest(client, weight);
    if (slot === null) return null;
    if (credentials === "" && !hasBody(request)) {
      return new Admitted(request, this.#take(request, client, credentials), [slot]);
    }
    return this.#enterWithContent(request, slot, credentials);
  }

  /** Admits a request that has credentials or a body. */
  #enterWithContent(request: Request, slot: Slot, credentials: string): Admitted {
    const slots: Disposable[] = [slot];
    const isWatched = this.#capacities.inFlight.countOf(slot.client) > WATCHED_FROM * WEIGHT &&
      hasBody(request);
    if (isWatched) slots.unshift(this.#bodies.watch(request, slot));
    // Requests without credentials have no account.
    if (credentials !== "") slots.unshift(this.app.quotas.open(request));
    return new Admitted(request, this.#take(request, slot.client, credentials), slots);
  }

  #take({ url }: Request, client: CapacityClient, credentials: string): Turn {
    return this.#turns.take(client, credentials, weightOf(url));
  }

  /** Takes the slot of a slow body: of the client, or of any client when the client's own quota is not the limit. */
  #enterForSlowest(client: CapacityClient, weight: number): Slot | null {
    const capacity = this.#capacities.inFlight;
    const isGivenUp = this.#bodies.giveUpSlowest(capacity.isQuotaUsed(client) ? client : null);
    return isGivenUp ? capacity.enter(client, weight) : null;
  }
}

/** Returns why a request is refused independently of its client, or null. */
function findProblem({ status }: Services, { method }: Request, pathname: string | null): AppError | null {
  if (pathname === null) return new AppError("BAD_REQUEST", "The path is not valid percent-encoded UTF-8.");
  if (!KNOWN_METHODS.includes(method)) {
    return new AppError("METHOD_NOT_ALLOWED", "No path supports this method.", { allow: KNOWN_METHODS });
  }
  const isRefused = status.isStopping && pathname !== HEALTH_PATH;
  return isRefused ? unavailable("The server is stopping.") : null;
}

/** Counts a request that no route refuses; returns its error, or that of a client with too many of them. */
async function countRefused({ limiter }: Services, error: AppError, address: string): Promise<AppError> {
  if (statusOf(error) >= 500) return error;
  try {
    await limiter?.consume("refused", address);
    return error;
  } catch (hit) {
    return toAppError(hit);
  }
}

function kindOf({ method }: Request, path: string): RequestKind {
  if (PROBE_PATHS.includes(path)) return "probes";
  if (method === "GET" && path === EVENTS_PATH) return "waiting";
  if (method === "GET") return isExempt(path) ? "exempt" : "inFlight";
  return UPLOAD_PATH.test(path) ? "uploads" : "inFlight";
}

/**
 * Whether a path is not refused because of the load: the metrics, and assets, without which a page is of no use, and for
 * which browsers do not try again.
 */
function isExempt(path: string): boolean {
  return path === METRICS_PATH || (faceOf(path) === "links" && path.includes("."));
}

/** Returns what a request counts while it is worked on; short links have paths of one segment without a dot. */
function weightOf(url: string): number {
  const start = url.indexOf("/", url.indexOf("//") + 2) + 1;
  return url.indexOf("/", start) === -1 && url.indexOf(".", start) === -1 ? 1 : WEIGHT;
}

function isSafe({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function hasBody(request: Request): boolean {
  const { headers } = request;
  if (isSafe(request)) return false;
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
}

/** Returns the path of an absolute URL, percent-encoded. */
function encodedPathname(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?", start);
  return url.slice(start, query === -1 ? url.length : query);
}

/** Decodes the path of an absolute URL; null when it is not valid percent-encoded UTF-8. */
function readPathname(url: string): string | null {
  const pathname = encodedPathname(url);
  if (!pathname.includes("%")) return pathname;
  try {
    return decodeURI(pathname);
  } catch {
    return null;
  }
}

function badHost(): AppError {
  return new AppError("BAD_REQUEST", "The Host header is not valid.");
}
