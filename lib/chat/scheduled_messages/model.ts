import { AppError } from "@/lib/core/errors.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import type { MessageTarget } from "../messages/model.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";

/** Destination of a scheduled message; channels are stored by id, so that they may be renamed. */
export type ScheduledTarget =
  | { readonly kind: "channel"; readonly channel: number; readonly topic: string }
  | Extract<MessageTarget, { kind: "direct" }>;

/** A message that the server will send at a time its author chose. */
export interface ScheduledMessageRecord {
  readonly id: number;
  readonly target: ScheduledTarget;
  /** Markdown. */
  readonly content: string;
  /** HTML; null when it is too large for the record and stored in pieces. */
  readonly rendered: string | null;
  /** Name of the program that scheduled the message. */
  readonly client: string;
  /** Time to send it, in milliseconds since 1970 UTC. */
  readonly due_at: number;
  /** Number of changes since it was created, so that a delivery applies to the version that it read. */
  readonly revision: number;
  /** Reason for which it was not sent; null while it waits. */
  readonly failure: string | null;
}

/** A user who schedules messages, and their organization. */
export interface ScheduledMessageOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** A record that waits for its time, as the key of its due row identifies it. */
export interface DueRecord {
  readonly realmId: number;
  readonly userId: number;
  readonly id: number;
}

/** Maximum number of scheduled messages of one account, including those that failed. */
export const MAX_SCHEDULED_MESSAGES = 100;
/** Time after which a message that could not be sent in time is not sent any more, in milliseconds. */
export const MAX_LATENESS_MS = 10 * 60 * 1000;
/** Latest time of delivery in seconds since 1970 UTC: the end of the year 9999. */
export const MAX_TIMESTAMP = 253_402_300_799;

/** Keys of scheduled messages. */
export const scheduledMessageKeys = {
  all: (realmId: number): Key => [realmId, "scheduled_message"],
  messages: (realmId: number, userId: number): Key => [realmId, "scheduled_message", userId],
  message: (realmId: number, userId: number, id: number): Key => [realmId, "scheduled_message", userId, id],
  /** Prefix of the HTML pieces of a message that is too large for its record. */
  rendered: (realmId: number, id: number): Key => [realmId, "scheduled_message_rendered", id],
  counts: (realmId: number): Key => [realmId, "scheduled_message_count"],
  /** Number of scheduled messages of an account. */
  count: (realmId: number, userId: number): Key => [realmId, "scheduled_message_count", userId],
  /** Prefix of the messages that wait, ordered by due time in milliseconds since 1970 UTC. */
  dueRows: ["scheduled_message_due"],
  due: (due: number, { realmId, userId, id }: DueRecord): Key => [
    "scheduled_message_due",
    due,
    realmId,
    userId,
    id,
  ],
} as const;

/** Returns the name of the in-process lock for changes of a user's scheduled messages. */
export function scheduledMessageLock({ realm, user }: ScheduledMessageOwner): string {
  return `scheduled messages ${realm.id} ${user.id}`;
}

/** Returns the record that the key of a due row identifies. */
export function parseDueKey(key: Key): DueRecord {
  const [, , realmId, userId, id] = toValue<readonly [string, number, number, number, number]>(key);
  return { realmId, userId, id };
}

/**
 * Converts a time of delivery in seconds to milliseconds.
 * @throws AppError BAD_REQUEST for a time that is not in the future.
 */
export function toDueTime(seconds: number, now: number): number {
  if (seconds * 1000 > now) return seconds * 1000;
  throw new AppError("BAD_REQUEST", "Scheduled delivery time must be in the future.");
}
