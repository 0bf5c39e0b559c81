import type { Clock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { deleteDue } from "@/lib/store/due_worker.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Mail } from "./mail.ts";
import {
  claimMail,
  countWaitingMail,
  giveUpMail,
  listDueMail,
  postponeMail,
  toMailId,
  type WaitingMail,
} from "./queue.ts";
import type { MailTransport } from "./transport.ts";

/**
 * Worker that sends queued mails, one at a time and at least once each. A mail is sent twice only if a
 * process is killed after the SMTP server accepted it and before it is removed from the store. Failed mails
 * are retried. Several processes may send from one store.
 */
export interface Mailer extends Worker {
  /** Returns the number of queued mails, including those being sent; at most 1,000. */
  pending(): Promise<number>;
  /** Sends a mail at once, without the queue; returns null, or the reason of a failure as codes. */
  sendNow(mail: Mail): Promise<string | null>;
}

/** Log of the mailer. Entries contain ids and codes, never addresses or content. */
export interface MailLog {
  event(level: "error" | "warn" | "info", message: string, fields?: Readonly<Record<string, unknown>>): void;
}

interface MailerParts {
  readonly store: Store;
  readonly transport: MailTransport;
  readonly clock: Clock;
  /** From of every mail. */
  readonly from: string;
  readonly log: MailLog;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Length of a lease, in milliseconds: longer than the transport's timeout. */
export const LEASE_MS = 2 * MINUTE_MS;
/** Delays before the first retries, in milliseconds. */
const FIRST_RETRIES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];
/** Delay before each further retry, in milliseconds. */
const LATER_RETRY_MS = 4 * HOUR_MS;
/** Age in milliseconds from which a mail is given up, once its first retries have failed. */
const GIVE_UP_MS = 72 * HOUR_MS;
/**
 * Interval at which a started mailer checks for retries and for mails of other processes, in milliseconds.
 */
const EVERY_MS = 10 * SECOND_MS;
const BATCH_SIZE = 20;
const MAX_COUNTED = 1000;

/** Creates a mailer, which sends nothing until it is started or woken. */
export function createMailer(parts: MailerParts): Mailer {
  // If the store fails, mails stay in it until the next run.
  const report = (error: unknown) =>
    parts.log.event("warn", "mail queue failed; mails are delayed", {
      reason: formatFailure(error),
    });
  const worker = createWorker((isStopped) => sendDue(parts, isStopped), { everyMs: EVERY_MS, report });
  return {
    ...worker,
    pending: () => countWaitingMail(parts.store, MAX_COUNTED),
    sendNow: (mail) => parts.transport.send(mail, parts.from).then(() => null, formatFailure),
  };
}

async function sendDue(parts: MailerParts, isStopped: () => boolean): Promise<number> {
  for (let count = 0;;) {
    const due = await listDueMail(parts.store, parts.clock.now(), BATCH_SIZE);
    for (const waiting of due) {
      if (isStopped()) return count;
      await sendMail(parts, waiting);
      count++;
    }
    if (due.length < BATCH_SIZE) return count;
  }
}

async function sendMail(parts: MailerParts, waiting: WaitingMail): Promise<void> {
  const { store, transport, clock, from } = parts;
  const claimed = await claimMail(store, waiting, clock.now() + LEASE_MS);
  if (claimed === null) return;
  try {
    await transport.send(claimed.value.mail, from, toMailId(claimed));
  } catch (error) {
    return await handleFailure(parts, claimed, error);
  }
  await deleteDue(store, [claimed]);
}

async function handleFailure(
  { store, clock, log }: MailerParts,
  claimed: WaitingMail,
  error: unknown,
): Promise<void> {
  const { value } = claimed;
  const now = clock.now();
  const attempts = value.attempts + 1;
  const reason = formatFailure(error);
  const fields = { mail: toMailId(claimed), attempts, reason };
  const delay = FIRST_RETRIES_MS[attempts - 1];
  // A mail that became old while no process was running still gets its first attempts.
  const isTooOld = delay === undefined && now - value.created_at >= GIVE_UP_MS;
  if (isPermanentRefusal(error) || isTooOld) {
    const isMoved = await giveUpMail(store, claimed, { failed_at: now, reason });
    if (isMoved) log.event("error", "mail not sent; giving up", fields);
    return;
  }
  const due = now + (delay ?? LATER_RETRY_MS);
  const isMoved = await postponeMail(store, claimed, due);
  if (isMoved) log.event("warn", "mail not sent; will retry", fields);
}

/** Error codes about the envelope or the message, as opposed to the connection. */
const MESSAGE_ERRORS = ["EENVELOPE", "EMESSAGE"];
/** Replies about the sign-in. The operator can correct it, so the mail is kept. */
const SIGN_IN_REPLIES = [530, 534, 535, 538];
const TOO_LARGE = 552;

/**
 * Returns whether a retry would be refused again: a 5xx reply to the recipient or the content. Refused
 * sign-ins, senders and connections affect all mail until the operator corrects the configuration, so they
 * are not permanent.
 */
function isPermanentRefusal(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "BAD_REQUEST";
  const { code, replyCode, command } = toSendFailure(error);
  if (!MESSAGE_ERRORS.includes(code)) return false;
  if (replyCode === null) return true;
  if (replyCode < 500 || SIGN_IN_REPLIES.includes(replyCode)) return false;
  return command !== "MAIL FROM" || replyCode === TOO_LARGE;
}

/** Formats a failure for the log, as codes only: the server's message often contains the address. */
function formatFailure(error: unknown): string {
  const { code, replyCode, command } = toSendFailure(error);
  return [code, command, replyCode].filter((part) => part !== null && part !== "").join(" ");
}

interface SendFailure {
  /** Code such as `ECONNREFUSED`, or the error's class if it has no code. */
  readonly code: string;
  /** Reply code of the SMTP server, 400 or higher. */
  readonly replyCode: number | null;
  /** SMTP command that the server replied to. */
  readonly command: string | null;
}

function toSendFailure(error: unknown): SendFailure {
  if (!(error instanceof Error)) return { code: "unknown", replyCode: null, command: null };
  const code = "code" in error ? error.code : null;
  const replyCode = "responseCode" in error ? error.responseCode : null;
  const command = "command" in error ? error.command : null;
  return {
    code: isCode(code) ? code : error.name,
    replyCode: typeof replyCode === "number" ? replyCode : null,
    command: isCode(command) ? command : null,
  };
}

/** Returns whether a value is a code or command in capitals. Other text may contain an address. */
function isCode(value: unknown): value is string {
  return typeof value === "string" && /^[A-Z][A-Z0-9_ -]{1,40}$/.test(value);
}
