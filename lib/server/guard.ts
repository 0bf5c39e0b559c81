import { MAX_WAITING } from "@/lib/chat/events/delivery/hub.ts";
import { AppError } from "@/lib/core/errors.ts";
import { faceOf, toAppError, toErrorResponse } from "../api/envelope.ts";
import { setSecurityHeaders } from "../api/security_headers.ts";
import type { Services } from "../services/services.ts";

/** Maximum number of requests handled at the same time; further ones are refused at once. */
export const MAX_IN_FLIGHT = 1024;
const RETRY_SECONDS = 1;
/**
 * Event requests wait most of the time: they use no slot of other requests, and all of them may return at
 * once.
 */
const EVENTS_PATH = "/api/v1/events";
const MAX_FOR_EVENTS = MAX_WAITING + MAX_IN_FLIGHT;
/** Methods that Fresh's router can handle; it fails on every other one. */
const KNOWN_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** A request handler as Deno.serve calls it. */
export type ServeHandler = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/**
 * Wraps the routes: refuses paths that cannot be decoded, requests beyond the limits and requests during
 * shutdown (`/health` excepted), and answers errors that the routes throw past their own middleware.
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
      return new AppError("METHOD_NOT_ALLOWED", "No path supports this method.", { allow: KNOWN_METHODS });
    }
    if (pathname === "/health") return null;
    if (app.status.isStopping) return unavailable("The server is stopping.");
    if (app.status[kind] < limits[kind]) return null;
    app.metrics.overload();
    return unavailable("The server is overloaded.");
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

/** Decodes the path of an absolute URL; null when it is not valid percent-encoded UTF-8. */
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
