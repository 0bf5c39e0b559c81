import { AppError } from "@/lib/core/errors.ts";
import type { LinkRecord } from "./store.ts";

/** Properties that can close a link. */
export interface LinkLimits {
  readonly isDeleted: boolean;
  readonly isDisabled: boolean;
  /** Milliseconds since 1970 UTC, or null. */
  readonly expiresAt: number | null;
  readonly maxVisits: number | null;
}

/** Reason for which a link is closed. */
export type ClosedReason = "deleted" | "blocked" | "disabled" | "expired" | "used_up";

const SENTENCES: Readonly<Record<ClosedReason, string>> = {
  deleted: "This short link was deleted.",
  blocked: "The link leads to a host that is blocked on this server.",
  disabled: "This short link is disabled.",
  expired: "This short link has expired.",
  used_up: "This short link has reached its maximum number of visits.",
};

/** Returns the properties of a link that can close it; null for a link without any. */
export function limitsOf({ deletedAt, isDisabled, expiresAt, maxVisits }: LinkRecord): LinkLimits | null {
  const hasNone = deletedAt === undefined && isDisabled === undefined && expiresAt === undefined &&
    maxVisits === undefined;
  if (hasNone) return null;
  return {
    isDeleted: deletedAt !== undefined,
    isDisabled: isDisabled === true,
    expiresAt: expiresAt ?? null,
    maxVisits: maxVisits ?? null,
  };
}

/**
 * Returns why a link is closed at a time; null when it is open, as far as that does not depend on the number
 * of its visits.
 */
export function findClosedReason(
  { limits, isBlocked }: { readonly limits: LinkLimits | null; readonly isBlocked: boolean },
  time: number,
): ClosedReason | null {
  if (limits === null) return isBlocked ? "blocked" : null;
  if (limits.isDeleted) return "deleted";
  if (isBlocked) return "blocked";
  if (limits.isDisabled) return "disabled";
  return limits.expiresAt !== null && time >= limits.expiresAt ? "expired" : null;
}

/** Returns the refusal of a request for a closed link. */
export function closedError(reason: ClosedReason): AppError {
  return new AppError("GONE", SENTENCES[reason]);
}
