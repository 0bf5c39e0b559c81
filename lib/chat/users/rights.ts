import { AppError } from "@/lib/core/errors.ts";
import { isAdmin, isOwner, type UserRecord } from "./user.ts";

/** The refusal of a request that only an account may make, and that came without one. */
export function notLoggedIn(): AppError {
  return new AppError("UNAUTHORIZED", "Not logged in: API authentication or user session required");
}

/**
 * Lets administrators through, owners among them.
 * @throws AppError UNAUTHORIZED_PRINCIPAL for all others.
 */
export function requireAdmin(user: UserRecord): void {
  if (!isAdmin(user)) throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator");
}

/**
 * Lets owners through.
 * @throws AppError UNAUTHORIZED_PRINCIPAL for all others.
 */
export function requireOwner(user: UserRecord): void {
  if (!isOwner(user)) throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
}
