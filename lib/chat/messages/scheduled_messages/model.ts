import { AppError } from "@/lib/core/errors.ts";
import { Collection } from "@/lib/chat/organization/collection.ts";
import type { MessageTarget } from "@/lib/chat/organization/app.ts";

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

/** The scheduled messages of each user, with those that failed. */
export const scheduledMessages = new Collection<ScheduledMessageRecord>({
  name: "scheduled_message",
  plural: "scheduled messages",
  max: 100,
  full: (max) => `You can schedule ${max} messages at most.`,
  missing: "Scheduled message does not exist",
  dueAt: ({ due_at, failure }) => failure === null ? due_at : null,
});

/** Latest time of delivery in seconds since 1970 UTC: the end of the year 9999. */
export const MAX_TIMESTAMP = 253_402_300_799;

/**
 * Converts a time of delivery in seconds to milliseconds.
 * @throws AppError BAD_REQUEST for a time that is not in the future.
 */
export function toDueTime(seconds: number, now: number): number {
  if (seconds * 1000 > now) return seconds * 1000;
  throw new AppError("BAD_REQUEST", "Scheduled delivery time must be in the future.");
}
