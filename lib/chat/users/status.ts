import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import { isBot, type UserRecord } from "./user.ts";

/** What somebody says of himself at the moment; a part that is not said is empty. */
export interface StatusRecord {
  readonly status_text: string;
  readonly emoji_name: string;
  readonly emoji_code: string;
  /** The kind of the emoji; `unicode_emoji` where there is none. */
  readonly reaction_type: string;
  /** Old clients set it for those who do not want to be seen at work. */
  readonly away: boolean;
}

/** What is shown of a status: the parts that say something. */
export type ShownStatus = Partial<StatusRecord>;

/** The status of those who set none. */
export const NO_STATUS: StatusRecord = {
  status_text: "",
  emoji_name: "",
  emoji_code: "",
  reaction_type: "unicode_emoji",
  away: false,
};

/** No text of a status is longer, in code points. */
export const MAX_STATUS_TEXT = 60;

/** Where statuses lie in the store: that of an account, where it says anything. */
export const statusKeys = {
  statuses: (realmId: number): Key => [realmId, "status"],
  status: (realmId: number, userId: number): Key => [realmId, "status", userId],
};

/** The parts of a status that say something. */
export function toShownStatus({ status_text, away, ...emoji }: StatusRecord): ShownStatus {
  return {
    ...(status_text === "" ? {} : { status_text }),
    ...(emoji.emoji_name === "" ? {} : emoji),
    ...(away ? { away } : {}),
  };
}

/** Whether a status says nothing at all. */
export function isNoStatus({ status_text, emoji_name, away }: StatusRecord): boolean {
  return status_text === "" && emoji_name === "" && !away;
}

/**
 * The account, if it can have a status: bots have none.
 * @throws AppError BAD_REQUEST.
 */
export function requirePerson(user: UserRecord | null): UserRecord {
  if (user === null || isBot(user)) throw new AppError("BAD_REQUEST", "No such user");
  return user;
}

/**
 * Lets accounts through that are in use.
 * @throws AppError BAD_REQUEST.
 */
export function requireInUse({ is_active }: UserRecord): void {
  if (!is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
}
