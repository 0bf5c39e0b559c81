import { STATUS_CODES } from "node:http";
import { AppError, type ErrorCode, type ErrorDetails, STATUS } from "@/lib/core/errors.ts";
import { RETRY_AFTER_SECONDS } from "@/lib/store/durably.ts";
import { ReadFailure } from "@/lib/store/database.ts";

/** Returns the HTTP status of a refusal. */
export function statusOf({ code, details }: AppError): number {
  return details.status ?? STATUS[code];
}

/** Returns the reason phrase of an error status. */
export function statusText(status: number): string {
  // Node.js has the former phrase of this one.
  return status === 413 ? "Content Too Large" : STATUS_CODES[status] ?? "Error";
}

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
