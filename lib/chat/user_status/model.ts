import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { isBot, noSuchUser, type UserRecord } from "../users/model.ts";

/** The status of a user; parts that are not set are empty. */
export interface StatusRecord {
  readonly status_text: string;
  readonly emoji_name: string;
  readonly emoji_code: string;
  /** Type of the emoji; `unicode_emoji` when there is none. */
  readonly reaction_type: string;
  /** Set by old clients for users who want to appear away. */
  readonly away: boolean;
}

/** A status as clients receive it, without its empty parts. */
export type UserStatus = Partial<StatusRecord>;

/** Status of a user who has set none. */
export const EMPTY_STATUS: StatusRecord = {
  status_text: "",
  emoji_name: "",
  emoji_code: "",
  reaction_type: "unicode_emoji",
  away: false,
};

/** Maximum length of a status text in code points. */
export const MAX_STATUS_TEXT = 60;

/** Keys of statuses; an account with an empty status has none. */
export const statusKeys = {
  statuses: (realmId: number): Key => [realmId, "status"],
  status: (realmId: number, userId: number): Key => [realmId, "status", userId],
};

/** Returns a status without its empty parts. */
export function toUserStatus({ status_text, away, ...emoji }: StatusRecord): UserStatus {
  return {
    ...(status_text === "" ? {} : { status_text }),
    ...(emoji.emoji_name === "" ? {} : emoji),
    ...(away ? { away } : {}),
  };
}

/** Returns whether no part of a status is set. */
export function isEmptyStatus({ status_text, emoji_name, away }: StatusRecord): boolean {
  return status_text === "" && emoji_name === "" && !away;
}

/**
 * Returns the account if it can have a status: bots have none.
 * @throws AppError BAD_REQUEST for null and for bots.
 */
export function requireHumanUser(user: UserRecord | null): UserRecord {
  if (user === null || isBot(user)) throw noSuchUser();
  return user;
}

/**
 * Refuses deactivated accounts.
 * @throws AppError BAD_REQUEST.
 */
export function requireActiveUser({ is_active }: UserRecord): void {
  if (!is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
}
