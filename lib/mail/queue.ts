import { serialize } from "node:v8";
import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { listDue, moveDue } from "@/lib/store/due_worker.ts";
import type { Entry, Key } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { Mail } from "./mail.ts";

/** A queued mail, stored under `mail, due, id`. Due times are in milliseconds since 1970 UTC. */
export interface QueuedMail {
  readonly mail: Mail;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
}

/** A mail that was given up, stored under `mail_failed, id`. */
interface FailedMail extends QueuedMail {
  /** Milliseconds since 1970 UTC. */
  readonly failed_at: number;
  readonly reason: string;
}

/** A queued mail as read; its versionstamp ensures that only one process takes it. */
export type WaitingMail = Entry<QueuedMail>;

/** Maximum size of a record: the store's 65,536 bytes, less those that a failure adds. */
const MAX_RECORD_BYTES = 64 * 1024 - 512;
/** Time that a failed mail is kept, in milliseconds. It may contain secret links, so it expires. */
export const FAILED_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

const waitingKey = (due: number, id: string): Key => ["mail", due, id];
const failedKey = (id: string): Key => ["mail_failed", id];

/**
 * Enqueues a mail in the caller's transaction. Call the mailer's `wake` after the commit.
 * @throws AppError BAD_REQUEST if the mail is too large for the store.
 */
export function enqueueMail(tx: Tx, mail: Mail, now: number): void {
  const record: QueuedMail = { mail, attempts: 0, created_at: now };
  if (serialize(record).byteLength > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The text is too long to be sent by email.");
  }
  tx.set(waitingKey(now, toHex(crypto.getRandomValues(new Uint8Array(16)))), record);
}

export function toMailId({ key }: WaitingMail): string {
  return String(key[2]);
}

/** Returns the mails that are due at `now`, oldest first. Leased mails are not due. */
export function listDueMail(store: Store, now: number, limit: number): Promise<WaitingMail[]> {
  return listDue(store, ["mail"], { now, limit });
}

/** Returns the number of queued mails, including those being sent; at most `max`. */
export async function countWaitingMail(store: Store, max: number): Promise<number> {
  let count = 0;
  for await (const _ of store.kv.list({ prefix: ["mail"] }, { limit: max, batchSize: 100 })) count++;
  return count;
}

/** Leases a mail until `leaseEnd`, when it is due again; null if another process has it. */
export async function claimMail(
  store: Store,
  waiting: WaitingMail,
  leaseEnd: number,
): Promise<WaitingMail | null> {
  return (await moveDue(store, [waiting], leaseEnd))?.[0] ?? null;
}

/** Requeues a leased mail after a failed attempt; false if the lease ended and another process has it. */
export async function postponeMail(store: Store, claimed: WaitingMail, due: number): Promise<boolean> {
  const moved = await moveDue(store, [claimed], due, (mail) => ({ ...mail, attempts: mail.attempts + 1 }));
  return moved !== null;
}

/** Moves a leased mail to the failed ones, which are kept for 30 days; false if another process has it. */
export async function giveUpMail(
  store: Store,
  claimed: WaitingMail,
  failure: { readonly failed_at: number; readonly reason: string },
): Promise<boolean> {
  const value: FailedMail = { ...claimed.value, attempts: claimed.value.attempts + 1, ...failure };
  const result = await durably(
    store,
    () =>
      store.kv.atomic().check(claimed).delete(claimed.key)
        .set(failedKey(toMailId(claimed)), value, { expireIn: FAILED_KEPT_MS }).commit(),
  );
  return result.ok;
}
