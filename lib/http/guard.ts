import { MAX_WAITING } from "@/lib/chat/event_queues/hub.ts";
import { AppError } from "@/lib/core/errors.ts";
import { faceOf, toAppError, toErrorResponse } from "./envelope.ts";
import { setSecurityHeaders } from "./security_headers.ts";
import type { Services } from "./services.ts";

/** Requests answered at the same time; what comes beyond is turned away at once. */
export const MAX_IN_FLIGHT = 1024;
const RETRY_SECONDS = 1;
/** Requests for events wait most of the time: they take no place from others, and all may come back at once. */
const EVENTS_PATH = "/api/v1/events";
const MAX_FOR_EVENTS = MAX_WAITING + MAX_IN_FLIGHT;
/** Fresh's router fails on every other method. */
const KNOWN_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** A server's handler, as Deno.serve calls it. */
export type ServeHandler = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/**
 * What stands in front of the routes: refuses paths that cannot be decoded, turns away what is too much or comes while
 * the server stops (`/health` still answers), and answers whatever the routes threw past their own middleware.
 */
export function guard(app: Services, handler: ServeHandler, maxInFlight = MAX_IN_FLIGHT): ServeHandler {
  const limits = { inFlight: maxInFlight, waiting: MAX_FOR_EVENTS };
  const refuse = (request: Request, error: AppError, pathname: string | null) => {
    const id = app.requestIds.of(request);
    const response = toErrorResponse(error, faceOf(pathname ?? ""));
    if (app.status.isStopping) response.headers.set("connection", "close");
    response.headers.set("x-request-id", id);
    setSecurityHeaders(response.headers, app.isHttps);
    app.log.request({ id, method: request.method, route: "(refused)", status: response.status, ms: 0 });
    if (error.code === "INTERNAL") {
      app.log.event("error", "request failed", { id, cause: String(error.cause) });
    }
    return response;
  };
  const findRefusal = (request: Request, pathname: string | null, kind: RequestKind) => {
    if (pathname === null) return new AppError("BAD_REQUEST", "The path is not valid percent-encoded UTF-8.");
    if (!KNOWN_METHODS.includes(request.method)) {
      return new AppError("METHOD_NOT_ALLOWED", "No path answers this method.", { allow: KNOWN_METHODS });
    }
    if (pathname === "/health") return null;
    if (app.status.isStopping) return unavailable("The server is stopping.");
    if (app.status[kind] < limits[kind]) return null;
    app.metrics.overload();
    return unavailable("The server has too much to do at the moment.");
  };
  return async (request, info) => {
    const pathname = readPathname(request.url);
    const kind = kindOf(request, pathname);
    const refusal = findRefusal(request, pathname, kind);
    if (refusal !== null) return refuse(request, refusal, pathname);
    app.status[kind]++;
    try {
      return await handler(request, info);
    } catch (thrown) {
      return refuse(request, URL.canParse(request.url) ? toAppError(thrown) : badHost(), pathname);
    } finally {
      app.status[kind]--;
    }
  };
}

type RequestKind = "inFlight" | "waiting";

function kindOf({ method }: Request, pathname: string | null): RequestKind {
  return method === "GET" && pathname === EVENTS_PATH ? "waiting" : "inFlight";
}

/** The decoded path of an absolute URL, or null when it cannot be decoded. */
function readPathname(url: string): string | null {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?", start);
  const pathname = url.slice(start, query === -1 ? url.length : query);
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
