import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { UserRecord } from "../users/user.ts";
import type { MentionEdit } from "./added_mentions.ts";
import type { MessageRecord } from "./message.ts";

/** A message of which devices are to be told, until it is known which. */
export interface PushMessageJob {
  /** The last account that was seen to; 0 for none. */
  readonly after: number;
  /** Where it is about those whom an edit has named, and nobody else. */
  readonly edit?: MentionEdit;
}

/** Where it lies in the store what devices are to be told of. */
export const pushJobKeys = {
  /** How many devices of an organization have a token and a key: 0, or missing, saves every look for them. */
  reachable: (realmId: number): Key => [realmId, "push_devices"],
  /** Messages of which devices are to be told, by when that is due in milliseconds since 1970 UTC. */
  messages: ["push_message"],
  message: (due: number, realmId: number, messageId: number): Key => [
    "push_message",
    due,
    realmId,
    messageId,
  ],
  /** Edits of messages lie among them; those of one message are told apart. */
  edit: (due: number, realmId: number, messageId: number): Key => [
    ...pushJobKeys.message(due, realmId, messageId),
    crypto.randomUUID(),
  ],
  /** Accounts that have read something of which their devices may have been told, by when that is due. */
  readers: ["push_read"],
  reader: (due: number, realmId: number, userId: number): Key => ["push_read", due, realmId, userId],
  /** Messages that are there no more and of which devices may have been told, by when that is due. */
  deletions: ["push_deleted"],
  deletion: (due: number, realmId: number, messageId: number): Key => [
    "push_deleted",
    due,
    realmId,
    messageId,
  ],
} as const;

/** How long after it was sent a message that is edited is news to those whom it names then. */
const NEWS_MS = 5 * 60_000;
/** How long those wait: devices that were told of the message already, or are being told, are known then. */
const EDIT_WAITS_MS = 5000;
/** What is read within so many milliseconds is taken back from devices together. */
const TOGETHER_MS = 2000;

/** Whether any device of an organization can be told of messages. */
export async function hasDevices({ reads }: Pick<ChatApp, "reads">, realmId: number): Promise<boolean> {
  return (await reads.read<number>(pushJobKeys.reachable(realmId)) ?? 0) > 0;
}

/**
 * Notes with a message's own commit that devices are to be told of it. Events cannot be followed for that: their keys
 * have times at which commits began, so that one may come in before another that was passed already.
 */
export function notePushJob(
  tx: Tx,
  { realmId, messageId, now }: { realmId: number; messageId: number; now: number },
): void {
  tx.set(pushJobKeys.message(now, realmId, messageId), { after: 0 } satisfies PushMessageJob);
}

/** Notes with an edit of a message whose devices are to be told that it names somebody now; nothing when it is old. */
export function noteMentions(
  tx: Tx,
  { realmId, message, edit, now }: {
    realmId: number;
    message: Pick<MessageRecord, "id" | "sent_at">;
    edit: MentionEdit;
    now: number;
  },
): void {
  if (now - message.sent_at >= NEWS_MS) return;
  const job: PushMessageJob = { after: 0, edit };
  tx.set(pushJobKeys.edit(now + EDIT_WAITS_MS, realmId, message.id), job);
}

/** Notes with what an account reads that its devices are to be told; nothing where none was ever told of a message. */
export function noteRead(
  tx: Tx,
  { realmId, user, now }: { realmId: number; user: Pick<UserRecord, "id" | "is_notified">; now: number },
): void {
  if (user.is_notified !== true) return;
  // What is read until then is the same record.
  const due = (Math.floor(now / TOGETHER_MS) + 1) * TOGETHER_MS;
  tx.set(pushJobKeys.reader(due, realmId, user.id), true);
}

/** Notes with the removal of a message that devices are to be told. */
export function noteDeleted(
  tx: Tx,
  { realmId, messageId, now }: { realmId: number; messageId: number; now: number },
): void {
  tx.set(pushJobKeys.deletion(now, realmId, messageId), true);
}
