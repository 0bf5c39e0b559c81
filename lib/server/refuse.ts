import { AppError } from "@/lib/core/errors.ts";
import { type Face, faceOf, toErrorResponse, toErrorText } from "../api/envelope.ts";
import { setSecurityHeaders } from "../api/security_headers.ts";
import type { Services } from "../services/services.ts";
import { isOpenPath } from "./open_paths.ts";

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
export type OverloadRefusal = (request: Request, path: string) => Response;

/**
 * Creates the answer of requests that are refused because of the load. All but the request's id is prepared, because the
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

/** An answer without the request's id. */
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
