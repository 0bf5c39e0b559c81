/** Reasons for which a request is refused; `lib/api/envelope.ts` maps each to its HTTP status. */
export type ErrorCode =
  | "BAD_REQUEST"
  | "REQUEST_VARIABLE_MISSING"
  | "REQUEST_VARIABLE_INVALID"
  | "REQUEST_CONFUSING_VAR"
  | "BAD_EVENT_QUEUE_ID"
  | "BAD_NARROW"
  | "CANNOT_DEACTIVATE_LAST_USER"
  | "REACTION_ALREADY_EXISTS"
  | "REACTION_DOES_NOT_EXIST"
  | "STREAM_DOES_NOT_EXIST"
  | "STREAM_WILDCARD_MENTION_NOT_ALLOWED"
  | "EXPECTATION_MISMATCH"
  | "SYSTEM_GROUP_REQUIRED"
  | "CANNOT_DEACTIVATE_GROUP_IN_USE"
  | "UNAUTHORIZED_PRINCIPAL"
  | "UNAUTHORIZED"
  | "INVALID_API_KEY"
  | "USER_DEACTIVATED"
  | "REALM_DEACTIVATED"
  | "AUTHENTICATION_FAILED"
  | "NONEXISTENT_SUBDOMAIN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "REQUEST_TIMEOUT"
  | "CONFLICT"
  | "CHANNEL_ALREADY_EXISTS"
  | "INVITATION_FAILED"
  | "REALM_UPLOAD_QUOTA"
  | "PUSH_SERVICE_NOT_CONFIGURED"
  | "NO_ACTIVE_PUSH_DEVICE"
  | "INVALID_PUSH_DEVICE_TOKEN"
  | "INVALID_BOUNCER_PUBLIC_KEY"
  | "REQUEST_EXPIRED"
  | "MISSING_REMOTE_REALM"
  | "INVALID_VIDEO_CALL_PROVIDER_TOKEN"
  | "GONE"
  | "CONTENT_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "UNPROCESSABLE"
  | "RATE_LIMIT_HIT"
  | "INTERNAL"
  | "UNAVAILABLE";

/** Details of an error besides its message. */
export interface ErrorDetails {
  /** Problems by field, for clients; `path` names the field from the outside in. */
  readonly errors?: readonly FieldError[];
  /** Parameter that is refused, for forms; never sent. */
  readonly field?: string;
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** HTTP status where it differs from that of the code. */
  readonly status?: 403 | 404;
  /** Methods that a path answers. */
  readonly allow?: readonly string[];
  /** Further members of a chat error's body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Underlying error; logged, never sent. */
  readonly cause?: unknown;
}

interface FieldError {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A refusal: its code decides the status, and its message is sent to the client. */
export class AppError extends Error {
  override readonly name = "AppError";

  constructor(readonly code: ErrorCode, message: string, readonly details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
  }

  /** Parameter that is refused; null when it is none or several. */
  get field(): string | null {
    const name = this.details.field ?? this.details.errors?.[0]?.path[0];
    return name === undefined ? null : String(name);
  }
}

/** Returns whether an error refuses an action for good, rather than because of a passing state of the server. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && !["CONFLICT", "UNAVAILABLE", "INTERNAL"].includes(error.code);
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
