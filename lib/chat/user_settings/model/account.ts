import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { isAdmin, requireFullName, type UserRecord } from "@/lib/chat/users/model.ts";

/** Rate limits of attempts, such as wrong passwords and requested email changes. */
export interface AttemptLimits {
  /**
   * Counts one attempt.
   * @throws AppError RATE_LIMIT_HIT when the limit is exceeded.
   */
  consume(name: "sign_in" | "email_change" | "mail_recipient", client: string): Promise<unknown>;
  /**
   * Checks the limit without counting an attempt.
   * @throws AppError RATE_LIMIT_HIT when no attempt is left.
   */
  requireLeft(name: "sign_in", client: string): Promise<void>;
}

/** A user who changes their own account; `limits` is null when attempts are unlimited. */
export interface AccountCaller {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  /** Whether a browser session identifies the user, which alone does not change their address. */
  readonly isSession: boolean;
  readonly limits: AttemptLimits | null;
}

/** Lifetime of a link that confirms an email address, in milliseconds. */
export const EMAIL_LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The email address that a user requested last and has not confirmed. */
export interface PendingEmail {
  readonly address: string;
  /** The account's session epoch at the time of the request; a later epoch invalidates the link. */
  readonly session_epoch: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

/** Returns whether the user can change their own email address. */
export function canChangeEmail({ settings }: RealmRecord, user: UserRecord): boolean {
  return !settings.email_changes_disabled || isAdmin(user);
}

/** Returns whether the user can change their own name. */
export function canChangeName({ settings }: RealmRecord, user: UserRecord): boolean {
  return !settings.name_changes_disabled || isAdmin(user);
}

/**
 * Returns the account with a new name, or the same object when the name is unchanged or the user cannot
 * change it.
 * @throws AppError BAD_REQUEST for an invalid name.
 */
export function withFullName(realm: RealmRecord, user: UserRecord, newName: string): UserRecord {
  if (newName === user.full_name || !canChangeName(realm, user)) return user;
  const name = requireFullName(newName);
  return name === user.full_name ? user : { ...user, full_name: name };
}
