import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import type { UserRecord } from "../organization/users/model.ts";
import type { MentionEdit, MessageRecord } from "./model.ts";

/** A message to push to devices; the receiving devices are determined later. */
export interface PushMessageJob {
  /** Last user whose devices were handled; 0 before the first. */
  readonly after: number;
  /** Present when the job is only for users whom an edit newly mentioned. */
  readonly edit?: MentionEdit;
}

export const pushJobKeys = {
  /** Number of devices in an organization that have a token and a key; 0 or missing skips all device lookups. */
  reachableDevices: (realmId: number): Key => [realmId, "push_devices"],
  /** Prefix of the messages to push, ordered by due time in milliseconds since 1970 UTC. */
  messages: ["push_message"],
  message: (due: number, realmId: number, messageId: number): Key => [
    "push_message",
    due,
    realmId,
    messageId,
  ],
  /** Job of an edited message; the random part separates edits of the same message. */
  edit: (due: number, realmId: number, messageId: number): Key => [
    ...pushJobKeys.message(due, realmId, messageId),
    crypto.randomUUID(),
  ],
  /** Prefix of the users who read messages that were pushed to their devices, ordered by due time. */
  readers: ["push_read"],
  reader: (due: number, realmId: number, userId: number): Key => ["push_read", due, realmId, userId],
  /** Prefix of the deleted messages that may have been pushed, ordered by due time. */
  deletions: ["push_deleted"],
  deletion: (due: number, realmId: number, messageId: number): Key => [
    "push_deleted",
    due,
    realmId,
    messageId,
  ],
} as const;

/** Age of a message up to which an edit still notifies newly mentioned users. */
const MENTION_PUSH_MAX_AGE_MS = 5 * 60_000;
/** Delay of a mention push, so that pushes of the original message are recorded before it runs. */
const MENTION_PUSH_DELAY_MS = 5000;
/** Messages read within this time share one retraction. */
const RETRACTION_WINDOW_MS = 2000;

export async function hasPushDevices({ reads }: Pick<ChatApp, "reads">, realmId: number): Promise<boolean> {
  return (await reads.read<number>(pushJobKeys.reachableDevices(realmId)) ?? 0) > 0;
}

/**
 * Enqueues the push of a message in the message's own commit. The event log cannot drive pushes: its keys
 * hold the start times of commits, so an event can appear before one that was already processed.
 */
export function enqueuePush(
  tx: Tx,
  { realmId, messageId, now }: { realmId: number; messageId: number; now: number },
): void {
  tx.set(pushJobKeys.message(now, realmId, messageId), { after: 0 } satisfies PushMessageJob);
}

/** Enqueues a push for the users whom an edit newly mentions; does nothing for old messages. */
export function enqueueMentionPush(
  tx: Tx,
  { realmId, message, edit, now }: {
    realmId: number;
    message: Pick<MessageRecord, "id" | "sent_at">;
    edit: MentionEdit;
    now: number;
  },
): void {
  if (now - message.sent_at >= MENTION_PUSH_MAX_AGE_MS) return;
  const job: PushMessageJob = { after: 0, edit };
  tx.set(pushJobKeys.edit(now + MENTION_PUSH_DELAY_MS, realmId, message.id), job);
}

/**
 * Enqueues the retraction of notifications that a user has read; does nothing when the user's devices were
 * never notified.
 */
export function enqueueReadRetraction(
  tx: Tx,
  { realmId, user, now }: { realmId: number; user: Pick<UserRecord, "id" | "is_notified">; now: number },
): void {
  if (user.is_notified !== true) return;
  // Reads within the window share one record.
  const due = (Math.floor(now / RETRACTION_WINDOW_MS) + 1) * RETRACTION_WINDOW_MS;
  tx.set(pushJobKeys.reader(due, realmId, user.id), true);
}
