import {
  isAdmin,
  isBot,
  isGuest,
  requireAdmin,
  requireOwner,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { AppError, type ErrorCode, STATUS } from "@/lib/core/errors.ts";
import type { Param, Params } from "@/lib/chat/organization/params/param.ts";

/**
 * Callers that an endpoint accepts: `public` accepts requests without credentials, `anyone` every account,
 * `anyone_or_spectator` also requests without credentials to an organization that allows spectators, `human`
 * users but not bots, `bot` only bots, `human_or_admin_bot` also bots that are administrators, `member` everyone except
 * guests, `human_member` users except guests, `admin` administrators, `human_admin` users who are
 * administrators, `owner` owners, `incoming_webhook` incoming webhook bots, which may call nothing else.
 */
export type Access =
  | "public"
  | "anyone"
  | "anyone_or_spectator"
  | "human"
  | "bot"
  | "human_or_admin_bot"
  | "member"
  | "human_member"
  | "admin"
  | "human_admin"
  | "owner"
  | "incoming_webhook";

/**
 * Refuses accounts that may not call an endpoint.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export function requireAccess(who: Access, user: UserRecord): void {
  const isForBot = !who.startsWith("human") || who === "human_or_admin_bot" && isAdmin(user);
  if (isBot(user) && !isForBot) {
    throw new AppError("BAD_REQUEST", "This endpoint does not accept bot requests.");
  }
  if (who === "bot" && !isBot(user)) {
    throw new AppError("BAD_REQUEST", "This endpoint only accepts bot requests.");
  }
  if (who.endsWith("member") && isGuest(user)) {
    throw new AppError("BAD_REQUEST", "Not allowed for guest users");
  }
  if (who.endsWith("admin")) requireAdmin(user);
  if (who === "owner") requireOwner(user);
}

/** An error code that an endpoint can answer, with its status where that differs from the code's usual one. */
export type Refusal = ErrorCode | readonly [code: ErrorCode, status: 403 | 404];

/** Parts of an endpoint of the chat API that its possible refusals follow from. */
interface RefusingSpec {
  readonly access: Access;
  readonly params: Params;
  readonly ids?: readonly string[];
  readonly refusals?: readonly Refusal[];
}

/** Refusals of every operation: of a request that HTTP forbids, of too many requests, and by a server in distress. */
const ALWAYS: readonly ErrorCode[] = ["BAD_REQUEST", "RATE_LIMIT_HIT", "UNAVAILABLE"];
/** Refusals of a request with a body, and of a change that competes with others. */
const WRITING: readonly ErrorCode[] = [
  "REQUEST_TIMEOUT",
  "CONFLICT",
  "CONTENT_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];
/** Refusals of callers without valid credentials of an account. */
const SIGN_IN: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "INVALID_API_KEY",
  "USER_DEACTIVATED",
  "REALM_DEACTIVATED",
  "NONEXISTENT_SUBDOMAIN",
];

/**
 * Lists the error codes that an operation of the chat API can answer, by status in ascending order. `INTERNAL`
 * is not among them.
 */
export function listRefusals(spec: RefusingSpec, method: string): ReadonlyMap<number, readonly ErrorCode[]> {
  const all: Refusal[] = [
    ...ALWAYS,
    ...(method.toUpperCase() === "GET" ? [] : WRITING),
    ...(spec.access === "public" ? [] : SIGN_IN),
    ...(/^(human_)?admin$|^owner$/.test(spec.access) ? ["UNAUTHORIZED_PRINCIPAL" as const] : []),
    ...listParamRefusals(Object.values(spec.params)),
    ...((spec.ids ?? []).length > 0 ? ["NOT_FOUND" as const] : []),
    ...spec.refusals ?? [],
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  const inOrder = all.map(toCodeAndStatus).sort((one, other) => one.status - other.status);
  for (const { code, status } of inOrder) {
    const codes = byStatus.get(status) ?? [];
    if (!codes.includes(code)) byStatus.set(status, [...codes, code]);
  }
  return byStatus;
}

function listParamRefusals(params: readonly Param<unknown>[]): ErrorCode[] {
  return [
    ...(params.some(({ fallback }) => fallback === undefined) ? ["REQUEST_VARIABLE_MISSING" as const] : []),
    ...(params.some(({ alias }) => alias !== undefined) ? ["REQUEST_CONFUSING_VAR" as const] : []),
  ];
}

function toCodeAndStatus(refusal: Refusal): { readonly code: ErrorCode; readonly status: number } {
  if (typeof refusal === "string") return { code: refusal, status: STATUS[refusal] };
  const [code, status] = refusal;
  return { code, status };
}

/** Parts of an endpoint outside the chat API that its possible refusals follow from. */
interface RefusingLinksSpec {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly rateLimit?: unknown;
  readonly refusals?: readonly ErrorCode[];
}

/** Lists the statuses with which an operation outside the chat API can refuse a request, in ascending order. */
export function listRefusalStatuses(spec: RefusingLinksSpec): readonly number[] {
  const codes: readonly ErrorCode[] = [
    "BAD_REQUEST",
    "UNAVAILABLE",
    ...(spec.body === undefined ? [] : BODY),
    ...(spec.rateLimit === undefined ? [] : ["RATE_LIMIT_HIT" as const]),
    ...spec.refusals ?? [],
  ];
  return [...new Set(codes.map((code) => STATUS[code]))].sort((one, other) => one - other);
}

const BODY: readonly ErrorCode[] = ["REQUEST_TIMEOUT", "CONTENT_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
