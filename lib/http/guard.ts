import { AppError } from "@/lib/core/errors.ts";
import { faceOf, toAppError, toErrorResponse } from "./envelope.ts";
import { setSecurityHeaders } from "./security_headers.ts";
import type { Services } from "./services.ts";

/** Requests answered at the same time; what comes beyond is turned away at once. */
export const MAX_IN_FLIGHT = 1024;
const RETRY_SECONDS = 1;

/** A server's handler, as Deno.serve calls it. */
export type ServeHandler = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/**
 * What stands in front of the routes: refuses paths that cannot be decoded, turns away what is too much or comes while
 * the server stops (`/health` still answers), and answers whatever the routes threw past their own middleware.
 */
export function guard(app: Services, handler: ServeHandler, maxInFlight = MAX_IN_FLIGHT): ServeHandler {
  const refuse = (request: Request, error: AppError, pathname: string) => {
    const id = crypto.randomUUID();
    const response = toErrorResponse(error, faceOf(pathname));
    response.headers.set("x-request-id", id);
    setSecurityHeaders(response.headers, app.config.baseUrl.startsWith("https:"));
    app.log.request({ id, method: request.method, route: "(refused)", status: response.status, ms: 0 });
    if (error.code === "INTERNAL") {
      app.log.event("error", "request failed", { id, cause: String(error.cause) });
    }
    return response;
  };
  return async (request, info) => {
    const pathname = readPathname(request.url);
    if (pathname === null) {
      return refuse(request, new AppError("BAD_REQUEST", "The path is not valid percent-encoded UTF-8."), "");
    }
    if (app.status.isStopping && pathname !== "/health") {
      const response = refuse(request, unavailable("The server is stopping."), pathname);
      response.headers.set("connection", "close");
      return response;
    }
    if (app.status.inFlight >= maxInFlight && pathname !== "/health") {
      app.metrics.overload();
      return refuse(request, unavailable("The server has too much to do at the moment."), pathname);
    }
    app.status.inFlight++;
    try {
      return await handler(request, info);
    } catch (thrown) {
      return refuse(request, toAppError(thrown), pathname);
    } finally {
      app.status.inFlight--;
    }
  };
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
