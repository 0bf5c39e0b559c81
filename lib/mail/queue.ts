import { serialize } from "node:v8";
import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
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
export interface FailedMail extends QueuedMail {
  /** Milliseconds since 1970 UTC. */
  readonly failed_at: number;
  readonly reason: string;
}

/** A queued mail as read; its versionstamp ensures that only one process takes it. */
export interface WaitingMail {
  readonly id: string;
  readonly entry: Entry<QueuedMail>;
}

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

/** Returns the mails that are due at `now`, oldest first. Leased mails are not due. */
export async function listDueMail(store: Store, now: number, limit: number): Promise<WaitingMail[]> {
  const listing = store.kv.list({ start: ["mail"], end: waitingKey(now + 1, "") }, { limit });
  const due: WaitingMail[] = [];
  for await (const found of listing) {
    const entry = toEntry<QueuedMail>(found);
    due.push({ id: String(entry.key[2]), entry });
  }
  return due;
}

/** Returns the number of queued mails, including those being sent; at most `max`. */
export async function countWaitingMail(store: Store, max: number): Promise<number> {
  let count = 0;
  for await (const _ of store.kv.list({ prefix: ["mail"] }, { limit: max, batchSize: 100 })) count++;
  return count;
}

/** Leases a mail until `leaseEnd`, when it is due again; null if another process has it. */
export function claimMail(store: Store, waiting: WaitingMail, leaseEnd: number): Promise<WaitingMail | null> {
  return moveMail(store, waiting, { due: leaseEnd, attempts: waiting.entry.value.attempts });
}

/** Requeues a leased mail after a failed attempt; null if the lease ended and another process has it. */
export function postponeMail(store: Store, claimed: WaitingMail, due: number): Promise<WaitingMail | null> {
  return moveMail(store, claimed, { due, attempts: claimed.entry.value.attempts + 1 });
}

async function moveMail(
  store: Store,
  { id, entry }: WaitingMail,
  { due, attempts }: { due: number; attempts: number },
): Promise<WaitingMail | null> {
  const key = waitingKey(due, id);
  const value: QueuedMail = { ...entry.value, attempts };
  const result = await durably(
    store,
    () => store.kv.atomic().check(entry).delete(entry.key).set(key, value).commit(),
  );
  return result.ok ? { id, entry: { key, value, versionstamp: result.versionstamp } } : null;
}

/** Deletes a mail that was sent. */
export async function finishMail(store: Store, { entry }: WaitingMail): Promise<void> {
  await durably(store, () => store.kv.delete(entry.key));
}

/** Moves a leased mail to the failed ones, which are kept for 30 days; false if another process has it. */
export async function giveUpMail(
  store: Store,
  { id, entry }: WaitingMail,
  failure: { readonly failed_at: number; readonly reason: string },
): Promise<boolean> {
  const value: FailedMail = { ...entry.value, attempts: entry.value.attempts + 1, ...failure };
  const result = await durably(
    store,
    () =>
      store.kv.atomic().check(entry).delete(entry.key)
        .set(failedKey(id), value, { expireIn: FAILED_KEPT_MS }).commit(),
  );
  return result.ok;
}
