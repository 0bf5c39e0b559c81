import { AppError, type ErrorCode } from "@/lib/core/errors.ts";

/** The HTTP status of each error code. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  GONE: 410,
  CONTENT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMIT_HIT: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

/** The words that HTTP has for each of these statuses. */
export const STATUS_TEXT: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: "Bad Request",
  UNAUTHORIZED: "Unauthorized",
  NOT_FOUND: "Not Found",
  METHOD_NOT_ALLOWED: "Method Not Allowed",
  REQUEST_TIMEOUT: "Request Timeout",
  CONFLICT: "Conflict",
  GONE: "Gone",
  CONTENT_TOO_LARGE: "Content Too Large",
  UNSUPPORTED_MEDIA_TYPE: "Unsupported Media Type",
  UNPROCESSABLE: "Unprocessable Entity",
  RATE_LIMIT_HIT: "Too Many Requests",
  INTERNAL: "Internal Server Error",
  UNAVAILABLE: "Service Unavailable",
};

/** Which API a request speaks to, and so the shape of its errors. */
export type Face = "links" | "chat";

/** The face that a path belongs to: everything below `/api` is the chat API. */
export function faceOf(pathname: string): Face {
  return pathname === "/api" || pathname.startsWith("/api/") ? "chat" : "links";
}

/** Any failure as a refusal: what is not one already becomes an opaque INTERNAL that keeps its cause for the log. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isHttpNotFound(thrown)) return new AppError("NOT_FOUND", "Nothing is here.");
  return new AppError(
    "INTERNAL",
    "Something went wrong on the server. It was logged with the request's id.",
    {
      cause: thrown,
    },
  );
}

/** Fresh throws its own error for a path without a route; told by its shape, as it may come from either package. */
function isHttpNotFound(thrown: unknown): boolean {
  return thrown instanceof Error && "status" in thrown && thrown.status === 404;
}

/** A refusal in the shape of its face. */
export function toErrorResponse(error: AppError, face: Face): Response {
  const response = new Response(JSON.stringify(toErrorBody(error, face)), { status: STATUS[error.code] });
  const { headers } = response;
  headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  if (face === "links") headers.set("access-control-allow-origin", "*");
  setErrorHeaders(headers, error);
  return response;
}

/** The headers that belong to a refusal, whatever its body is. */
export function setErrorHeaders(headers: Headers, { code, details }: AppError): void {
  if (details.allow !== undefined) headers.set("allow", details.allow.join(", "));
  if (details.retryAfter !== undefined) headers.set("retry-after", String(Math.ceil(details.retryAfter)));
  if (code === "UNAUTHORIZED") headers.set("www-authenticate", 'Bearer realm="Sotto"');
  // What is left of a body that was refused half-way cannot be told from the next request.
  if (code === "CONTENT_TOO_LARGE" || code === "REQUEST_TIMEOUT") headers.set("connection", "close");
}

function toErrorBody({ code, message, details }: AppError, face: Face): Record<string, unknown> {
  if (face === "chat") return toChatErrorBody(code, message, details.allow);
  const body = { statusCode: STATUS[code], error: STATUS_TEXT[code], message };
  return details.errors === undefined ? body : { ...body, errors: details.errors };
}

function toChatErrorBody(code: ErrorCode, message: string, allow: readonly string[] | undefined) {
  if (code === "NOT_FOUND") return { result: "error", msg: "Not found", code };
  const body = { result: "error", msg: message, code };
  return allow === undefined ? body : { ...body, allowed_methods: allow };
}
