/** Reasons for which a request is refused, with the HTTP status of each. */
export const STATUS = {
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

export type ErrorCode = keyof typeof STATUS;

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
