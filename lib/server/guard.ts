import { MAX_WAITING } from "@/lib/chat/events/delivery/hub.ts";
import { AppError } from "@/lib/core/errors.ts";
import { faceOf, toAppError, toErrorResponse } from "../api/envelope.ts";
import { setSecurityHeaders } from "../api/security_headers.ts";
import { clientAddressOf } from "../services/client_address.ts";
import type { Services } from "../services/services.ts";
import { Capacity, type CapacityClient, createClientReader, type Slot } from "./capacity.ts";
import { RefusalPace } from "./refusal_pace.ts";
import { SlowBodies } from "./slow_bodies.ts";
import { withoutTrailingSlash } from "./trailing_slash.ts";
import { TurnQueue } from "./turn_queue.ts";

/** Maximum number of requests handled at the same time; further ones are refused at once. */
export const MAX_IN_FLIGHT = 1024;
/** Maximum number of requests for `/health`, which is answered during overload and shutdown. */
const MAX_FOR_HEALTH = 256;
/** Maximum number of uploads, which take several commits each. */
const MAX_UPLOADS = 128;
const RETRY_SECONDS = 1;
/**
 * Event requests wait most of the time: they use no slot of other requests, and all of them may return at
 * once.
 */
const EVENTS_PATH = "/api/v1/events";
const HEALTH_PATH = "/health";
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

type RequestKind = "inFlight" | "uploads" | "waiting" | "health";

/**
 * Wraps the routes: refuses paths that cannot be decoded, requests beyond the limits and shares, and requests during
 * shutdown (`/health` excepted), lets clients take turns, and answers errors that the routes throw past their own
 * middleware.
 */
export function guard(app: Services, handler: ServeHandler, maxInFlight = MAX_IN_FLIGHT): ServeHandler {
  const entrance = new Entrance(app, maxInFlight);
  const turns = new TurnQueue(app.limiter !== null);
  const refusals = new RefusalPace(app.clock);
  const readClient = createClientReader();
  return async (received, info) => {
    // A request with another method, which is refused, cannot be copied.
    const request = KNOWN_METHODS.includes(received.method) ? withoutTrailingSlash(received) : received;
    const pathname = readPathname(request.url);
    const problem = findProblem(app, request, pathname);
    if (problem !== null) return refuse(app, { request, pathname, error: problem });
    const client = readClient(clientAddressOf(app.addresses, request, info));
    const admitted = entrance.enter(request, kindOf(request, pathname), client);
    if (admitted === null) {
      app.metrics.overload();
      await refusals.wait(client);
      return refuse(app, {
        request,
        pathname,
        error: unavailable("The server is overloaded."),
      });
    }
    using _place = admitted;
    const response = await handle({ app, turns, handler }, admitted, info);
    if (REFUSALS.includes(response.status)) await refusals.wait(client);
    return response;
  };
}

/** Parts that a request is handled with once it has its place. */
interface Handling {
  readonly app: Services;
  readonly turns: TurnQueue;
  readonly handler: ServeHandler;
}

async function handle(
  { app, turns, handler }: Handling,
  { request, slot, line }: Admitted,
  info: Deno.ServeHandlerInfo,
): Promise<Response> {
  try {
    const turn = turns.wait(slot.client, line);
    if (turn !== null) await turn;
    return await handler(request, info);
  } catch (thrown) {
    const isValid = URL.canParse(request.url);
    const pathname = isValid ? readPathname(request.url) : null;
    return refuse(app, { request, pathname, error: isValid ? toAppError(thrown) : badHost() });
  }
}

/** A request that has its place until it is disposed of. */
interface Admitted extends Disposable {
  readonly request: Request;
  readonly slot: Slot;
  /** Requests of one client that are in the same line take no turns. */
  readonly line: string;
}

/** Gives requests their places. */
class Entrance {
  readonly #places: Readonly<Record<RequestKind, Capacity>>;
  readonly #bodies: SlowBodies;

  constructor(private readonly app: Services, maxInFlight: number) {
    const { status, clock } = app;
    this.#places = {
      inFlight: new Capacity(maxInFlight, (by) => status.inFlight += by),
      waiting: new Capacity(MAX_FOR_EVENTS, (by) => status.waiting += by),
      health: new Capacity(MAX_FOR_HEALTH),
      uploads: new Capacity(MAX_UPLOADS),
    };
    this.#bodies = new SlowBodies(clock);
  }

  /** Returns null for a request that has to be refused. */
  enter(request: Request, kind: RequestKind, client: CapacityClient): Admitted | null {
    if (kind === "waiting" || kind === "health") {
      const slot = this.#places[kind].enter(client);
      return slot && { request, slot, line: kind, [Symbol.dispose]: () => slot[Symbol.dispose]() };
    }
    if (kind === "inFlight") return this.#enterFlight(request, client);
    const slot = this.#places.uploads.enter(client);
    const admitted = slot && this.#enterFlight(request, client);
    if (admitted === null) slot?.[Symbol.dispose]();
    return admitted && {
      ...admitted,
      [Symbol.dispose]: () => {
        admitted[Symbol.dispose]();
        slot?.[Symbol.dispose]();
      },
    };
  }

  #enterFlight(request: Request, client: CapacityClient): Admitted | null {
    const places = this.#places.inFlight;
    const slot = places.enter(client) ?? this.#enterForSlowest(client);
    if (slot === null) return null;
    const isWatched = places.countOf(client) > WATCHED_FROM && hasBody(request);
    const watched = isWatched ? this.#bodies.watch(request, slot) : request;
    const line = request.headers.get("authorization") ?? request.headers.get("cookie") ?? "";
    // Requests without credentials have no account.
    const share = line === "" ? null : this.app.shares.open(watched);
    return {
      request: watched,
      slot,
      line,
      [Symbol.dispose]: () => {
        share?.[Symbol.dispose]();
        if (isWatched) this.#bodies.forget(slot);
        slot[Symbol.dispose]();
      },
    };
  }

  /** Takes the place of a slow body: of the client, or of any client when the client's own share is not the limit. */
  #enterForSlowest(client: CapacityClient): Slot | null {
    const places = this.#places.inFlight;
    const isGivenUp = this.#bodies.giveUpSlowest(places.isShareTaken(client) ? client : null);
    return isGivenUp ? places.enter(client) : null;
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

/** Answers a request that the routes did not answer. */
function refuse(
  app: Services,
  { request, pathname, error }: { request: Request; pathname: string | null; error: AppError },
): Response {
  const id = app.requestIds.of(request);
  const response = toErrorResponse(error, faceOf(pathname ?? encodedPathname(request.url)));
  if (app.status.isStopping) response.headers.set("connection", "close");
  response.headers.set("x-request-id", id);
  setSecurityHeaders(response.headers, app.isHttps);
  app.log.request({ id, method: request.method, route: "(refused)", status: response.status, ms: 0 });
  if (error.code === "INTERNAL") {
    app.log.event("error", "request failed", { id, cause: String(error.cause) });
  }
  return response;
}

function kindOf({ method }: Request, pathname: string | null): RequestKind {
  if (pathname === HEALTH_PATH) return "health";
  if (method === "GET") return pathname === EVENTS_PATH ? "waiting" : "inFlight";
  return pathname !== null && UPLOAD_PATH.test(pathname) ? "uploads" : "inFlight";
}

function hasBody({ method, headers }: Request): boolean {
  if (method === "GET" || method === "HEAD") return false;
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

function unavailable(message: string): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_SECONDS });
}

function badHost(): AppError {
  return new AppError("BAD_REQUEST", "The Host header is not valid.");
}
