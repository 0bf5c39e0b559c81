import { serialize } from "node:v8";
import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/kv/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/kv/key.ts";
import type { Store } from "@/lib/kv/open.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { Mail } from "./mail.ts";

/** A mail that waits, under `mail, due, id`; due times are milliseconds since 1970. */
export interface QueuedMail {
  readonly mail: Mail;
  /** How often sending has failed. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly created_at: number;
}

/** A mail that was given up, under `mail_failed, id`. */
export interface FailedMail extends QueuedMail {
  /** Milliseconds since 1970. */
  readonly failed_at: number;
  readonly reason: string;
}

/** A waiting mail as it was read; its stamp lets one process alone take it. */
export interface WaitingMail {
  readonly id: string;
  readonly entry: Entry<QueuedMail>;
}

/** A value of the store holds 65,536 bytes; the rest is for what is noted when a mail fails. */
const MAX_RECORD_BYTES = 64 * 1024 - 512;
/** Failed mail may hold links with a secret, so it does not stay for ever. */
const FAILED_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

const waitingKey = (due: number, id: string): Key => ["mail", due, id];
const failedKey = (id: string): Key => ["mail_failed", id];

/**
 * Puts a mail into the queue with the caller's own change: both are stored or neither. Call the mailer's `poke` after
 * the commit.
 * @throws AppError BAD_REQUEST when the mail is too large for the store.
 */
export function enqueueMail(tx: Tx, mail: Mail, now: number): void {
  const record: QueuedMail = { mail, attempts: 0, created_at: now };
  if (serialize(record).byteLength > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The text is too long to be sent by e-mail.");
  }
  tx.set(waitingKey(now, toHex(crypto.getRandomValues(new Uint8Array(16)))), record);
}

/** The mails due at `now`, oldest first, at most `limit`; those that somebody is sending are not among them. */
export async function listDueMail(store: Store, now: number, limit: number): Promise<WaitingMail[]> {
  const listing = store.kv.list({ start: ["mail"], end: waitingKey(now + 1, "") }, { limit });
  const due: WaitingMail[] = [];
  for await (const found of listing) {
    const entry = toEntry<QueuedMail>(found);
    due.push({ id: String(entry.key[2]), entry });
  }
  return due;
}

/** How many mails wait or are being sent, counted up to `most`. */
export async function countWaitingMail(store: Store, most: number): Promise<number> {
  let count = 0;
  for await (const _ of store.kv.list({ prefix: ["mail"] }, { limit: most, batchSize: 100 })) count++;
  return count;
}

/** Takes a mail until `leaseEnd`, after which it is due again; null when another process was faster. */
export function claimMail(store: Store, waiting: WaitingMail, leaseEnd: number): Promise<WaitingMail | null> {
  return moveMail(store, waiting, { due: leaseEnd, attempts: waiting.entry.value.attempts });
}

/** Puts a claimed mail back after a failed attempt; null when its lease ended and another process has it. */
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

/** Removes a mail that was sent. */
export async function finishMail(store: Store, { entry }: WaitingMail): Promise<void> {
  await durably(store, () => store.kv.delete(entry.key));
}

/** Moves a claimed mail to those given up, where it is kept 30 days; false when another process has it. */
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
