import { AppError } from "@/lib/core/errors.ts";
import { type Face, faceOf, toErrorResponse, toErrorText } from "../api/envelope.ts";
import { setSecurityHeaders } from "../api/security_headers.ts";
import type { Services } from "../services/services.ts";
import { isOpenPath } from "./open_paths.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { CapacityClient } from "./capacity.ts";

const RETRY_SECONDS = 1;
const OPEN_TO_ORIGINS: [name: string, value: string] = ["access-control-allow-origin", "*"];
/** Route of a refused request in the log. */
const ROUTE = "(refused)";

/** A request that the routes do not answer, and why. */
interface Refused {
  readonly request: Request;
  /** Its path, decoded as far as it is valid. */
  readonly path: string;
  readonly error: AppError;
}

/** Creates the error of a request that the server does not take at present. */
export function unavailable(message: string): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_SECONDS });
}

/** Answers a request that the routes did not answer. */
export function refuse(app: Services, { request, path, error }: Refused): Response {
  const id = app.requestIds.of(request);
  const response = toRefusal(app, error, faceOf(path));
  if (isOpenPath(path)) response.headers.set(...OPEN_TO_ORIGINS);
  if (app.status.isStopping) response.headers.set("connection", "close");
  response.headers.set("x-request-id", id);
  app.log.request({ id, method: request.method, route: ROUTE, status: response.status, ms: 0 });
  if (error.code === "INTERNAL") {
    app.log.event("error", "request failed", { id, cause: String(error.cause) });
  }
  return response;
}

/** Answers a request to a path that is refused because of the load. */
type OverloadRefusal = (request: Request, path: string) => Response;

/**
 * Creates the response to requests that are refused because of the load. All but the request's id is prepared, because the
 * time that refusals take is missing for the requests that are served.
 */
export function createOverloadRefusal(app: Services): OverloadRefusal {
  const prepared = { links: prepare(app, "links"), chat: prepare(app, "chat") };
  return (request, path) => {
    const { body, status, headers } = prepared[faceOf(path)];
    const id = app.requestIds.of(request);
    app.log.request({ id, method: request.method, route: ROUTE, status, ms: 0 });
    const own: [string, string][] = [["x-request-id", id], ...(isOpenPath(path) ? [OPEN_TO_ORIGINS] : [])];
    return new Response(body, { status, headers: [...headers, ...own] });
  };
}

/** A response without the request's id. */
interface PreparedRefusal {
  readonly body: string;
  readonly status: number;
  readonly headers: readonly [string, string][];
}

function prepare(app: Services, face: Face): PreparedRefusal {
  const error = unavailable("The server is overloaded.");
  const { status, headers } = toRefusal(app, error, face);
  return { body: toErrorText(error, face), status, headers: [...headers] };
}

function toRefusal(app: Services, error: AppError, face: Face): Response {
  const response = toErrorResponse(error, face);
  setSecurityHeaders(response.headers, app.isHttps);
  return response;
}

/** Refusals of one client that are answered at once in a second. */
const AT_ONCE = 50;
const SECOND_MS = 1000;
/** Time after which further refusals are answered, in milliseconds. */
const LATER_MS = 2000;

/**
 * Slows down clients that ignore refusals: their first refusals of a second are answered at once, further ones two
 * seconds later. Otherwise refusing would take most of the processor from others.
 */
export class RefusalPace {
  readonly #counts = new Map<string, number>();
  #second = 0;

  constructor(private readonly clock: Pick<Clock, "monotonic">) {}

  /** Counts a refusal; resolves when it should be answered, or returns null for at once. */
  wait({ group, isLocal }: CapacityClient): Promise<void> | null {
    // All clients behind a proxy that forwards no addresses look alike.
    if (isLocal) return null;
    const second = Math.floor(this.clock.monotonic() / SECOND_MS);
    if (second !== this.#second) this.#counts.clear();
    this.#second = second;
    const count = (this.#counts.get(group) ?? 0) + 1;
    this.#counts.set(group, count);
    return count <= AT_ONCE ? null : new Promise((resolve) => setTimeout(resolve, LATER_MS));
  }
}
