import { AppError, type ErrorCode, type ErrorDetails } from "@/lib/core/errors.ts";
import { RETRY_AFTER_SECONDS } from "@/lib/store/durably.ts";
import { ReadFailure } from "@/lib/store/database.ts";

/** HTTP status of each error code. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  REQUEST_VARIABLE_MISSING: 400,
  REQUEST_VARIABLE_INVALID: 400,
  REQUEST_CONFUSING_VAR: 400,
  BAD_EVENT_QUEUE_ID: 400,
  BAD_NARROW: 400,
  CANNOT_DEACTIVATE_LAST_USER: 400,
  REACTION_ALREADY_EXISTS: 400,
  REACTION_DOES_NOT_EXIST: 400,
  STREAM_DOES_NOT_EXIST: 400,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 400,
  EXPECTATION_MISMATCH: 400,
  SYSTEM_GROUP_REQUIRED: 400,
  CANNOT_DEACTIVATE_GROUP_IN_USE: 400,
  INVITATION_FAILED: 400,
  REALM_UPLOAD_QUOTA: 400,
  PUSH_SERVICE_NOT_CONFIGURED: 400,
  NO_ACTIVE_PUSH_DEVICE: 400,
  INVALID_PUSH_DEVICE_TOKEN: 400,
  INVALID_BOUNCER_PUBLIC_KEY: 400,
  REQUEST_EXPIRED: 400,
  MISSING_REMOTE_REALM: 403,
  INVALID_VIDEO_CALL_PROVIDER_TOKEN: 400,
  UNAUTHORIZED_PRINCIPAL: 400,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  USER_DEACTIVATED: 401,
  REALM_DEACTIVATED: 401,
  AUTHENTICATION_FAILED: 401,
  NONEXISTENT_SUBDOMAIN: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  CHANNEL_ALREADY_EXISTS: 409,
  GONE: 410,
  CONTENT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMIT_HIT: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

/** Returns the HTTP status of a refusal. */
export function statusOf({ code, details }: AppError): number {
  return details.status ?? STATUS[code];
}

/** Returns the reason phrase of an error status. */
export function statusText(status: number): string {
  return STATUS_TEXT.get(status) ?? "Error";
}

const STATUS_TEXT: ReadonlyMap<number, string> = new Map([
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [408, "Request Timeout"],
  [409, "Conflict"],
  [410, "Gone"],
  [413, "Content Too Large"],
  [415, "Unsupported Media Type"],
  [422, "Unprocessable Entity"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [503, "Service Unavailable"],
]);

/** The API that a request addresses, which decides the shape of its errors. */
export type Face = "links" | "chat";

/** Returns the API of a path: everything below `/api` belongs to the chat API. */
export function faceOf(pathname: string): Face {
  return pathname === "/api" || pathname.startsWith("/api/") ? "chat" : "links";
}

/**
 * Converts any failure to a refusal: of a store that cannot be read to UNAVAILABLE, an unexpected error to
 * INTERNAL. Both keep their cause for the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isHttpNotFound(thrown)) return new AppError("NOT_FOUND", "Nothing is here.");
  if (thrown instanceof ReadFailure) {
    const message = "The store cannot be read at the moment.";
    return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_AFTER_SECONDS, cause: thrown.cause });
  }
  return new AppError(
    "INTERNAL",
    "Something went wrong on the server. It was logged with the request's id.",
    {
      cause: thrown,
    },
  );
}

/**
 * Recognizes Fresh's error for a path without a route by its shape, because it may come from either package.
 */
function isHttpNotFound(thrown: unknown): boolean {
  return thrown instanceof Error && "status" in thrown && thrown.status === 404;
}

/** Converts a refusal to a response in the shape of its API. */
export function toErrorResponse(error: AppError, face: Face): Response {
  const response = new Response(toErrorText(error, face), { status: statusOf(error) });
  const { headers } = response;
  headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  setErrorHeaders(headers, error, face);
  return response;
}

/** Returns the body of a refusal in the shape of its API. */
export function toErrorText(error: AppError, face: Face): string {
  return JSON.stringify(toErrorBody(error, face));
}

/** Sets the headers of a refusal, which do not depend on its body. */
export function setErrorHeaders(headers: Headers, { code, details }: AppError, face: Face): void {
  if (details.allow !== undefined) headers.set("allow", details.allow.join(", "));
  if (details.retryAfter !== undefined) headers.set("retry-after", String(Math.ceil(details.retryAfter)));
  if (STATUS[code] === 401) headers.set("www-authenticate", `${SCHEME[face]} realm="Sotto"`);
  // The rest of a half-read body cannot be distinguished from the next request.
  if (code === "CONTENT_TOO_LARGE" || code === "REQUEST_TIMEOUT") headers.set("connection", "close");
}

const SCHEME: Readonly<Record<Face, string>> = { links: "Bearer", chat: "Basic" };

function toErrorBody(error: AppError, face: Face): Record<string, unknown> {
  const { code, message, details } = error;
  if (face === "chat") return toChatErrorBody(code, message, details);
  const status = statusOf(error);
  const body = { statusCode: status, error: statusText(status), message };
  return details.errors === undefined ? body : { ...body, errors: details.errors };
}

function toChatErrorBody(code: ErrorCode, message: string, { allow, retryAfter, extra }: ErrorDetails) {
  if (code === "NOT_FOUND") return { result: "error", msg: "Not found", code };
  const msg = code === "METHOD_NOT_ALLOWED" ? "Method Not Allowed" : message;
  return {
    result: "error",
    msg,
    code,
    ...(allow === undefined ? {} : { allowed_methods: allow }),
    ...(code === "RATE_LIMIT_HIT" ? { "retry-after": retryAfter } : {}),
    ...extra,
  };
}
