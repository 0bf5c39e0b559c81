import { AppError } from "@/lib/core/errors.ts";

/** Failures that are about the envelope or the message, not about the way to the server. */
const ABOUT_THE_MAIL = ["EENVELOPE", "EMESSAGE"];
/** The server wants another sign-in: the operator can put that right, so the mail waits. */
const SIGN_IN = [530, 534, 535, 538];
const TOO_LARGE = 552;

/**
 * Whether the same mail would be refused again: a 5xx reply to its receiver or its content. Refused sign-ins, senders
 * and connections concern every mail and end when the operator corrects the configuration, so they are not permanent.
 */
export function isPermanentRefusal(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "BAD_REQUEST";
  const { code, replyCode, command } = toFailure(error);
  if (!ABOUT_THE_MAIL.includes(code)) return false;
  if (replyCode === null) return true;
  if (replyCode < 500 || SIGN_IN.includes(replyCode)) return false;
  return command !== "MAIL FROM" || replyCode === TOO_LARGE;
}

/** A failure in a few words for the log: codes alone, as the server's own sentence often holds the address. */
export function failureReason(error: unknown): string {
  const { code, replyCode, command } = toFailure(error);
  return [code, command, replyCode].filter((part) => part !== null && part !== "").join(" ");
}

interface Failure {
  /** Such as `ECONNREFUSED`, or the error's class where it has no code. */
  readonly code: string;
  /** The SMTP server's answer, from 400. */
  readonly replyCode: number | null;
  /** The SMTP command that was answered. */
  readonly command: string | null;
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: "unknown", replyCode: null, command: null };
  const code = "code" in error ? error.code : null;
  const replyCode = "responseCode" in error ? error.responseCode : null;
  const command = "command" in error ? error.command : null;
  return {
    code: isWord(code) ? code : error.name,
    replyCode: typeof replyCode === "number" ? replyCode : null,
    command: isWord(command) ? command : null,
  };
}

/** Codes and commands are capitals; anything else might quote somebody. */
function isWord(value: unknown): value is string {
  return typeof value === "string" && /^[A-Z][A-Z0-9_ -]{1,40}$/.test(value);
}
