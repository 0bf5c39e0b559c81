import { once } from "es-toolkit/function/once";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { AppError } from "@/lib/core/errors.ts";
import { MAX_PASSWORD_LENGTH } from "@/lib/core/password.ts";
import { codePointLength } from "@/lib/core/text.ts";

/** Minimum length in code points. */
export const MIN_PASSWORD_LENGTH = 8;
/** Number of guesses a password must withstand; eight random characters do. */
export const MIN_PASSWORD_GUESSES = 1e8;
/** Number of characters that are rated; the time to rate a password grows faster than its length. */
const MAX_CHECKED_LENGTH = 100;
/** Minimum length of a word of the name or address that counts against a password. */
const MIN_WORD_LENGTH = 3;

/** Main weakness of a refused password. */
export type WeakPasswordReason = "short" | "personal" | "common" | "pattern" | "guessable";

/** Refusal of a weak password; the API reports all of them alike. */
export class WeakPassword extends AppError {
  constructor(readonly reason: WeakPasswordReason) {
    super("BAD_REQUEST", "New password is too weak!", { field: "password" });
  }
}

/**
 * Requires a password that cannot be guessed from lists, patterns or the texts `about` the user.
 * @throws AppError BAD_REQUEST; WeakPassword for a guessable one.
 */
export async function requireStrongPassword(password: string, about: readonly string[]): Promise<void> {
  if (password.length > MAX_PASSWORD_LENGTH) {
    throw new AppError("BAD_REQUEST", "New password is too long!", { field: "password" });
  }
  if (codePointLength(password) < MIN_PASSWORD_LENGTH) throw new WeakPassword("short");
  const { guesses, sequence } = (await loadEstimator()).check(password, about.flatMap(toKnownWords));
  if (guesses < MIN_PASSWORD_GUESSES) throw new WeakPassword(findReason(sequence));
}

/** Part of a password that was recognized; a dictionary match names its list. */
interface RecognizedPart {
  readonly pattern: string;
  readonly dictionaryName?: string;
}

function findReason(parts: readonly RecognizedPart[]): WeakPasswordReason {
  if (parts.some(({ dictionaryName }) => dictionaryName?.startsWith("userInputs"))) return "personal";
  if (parts.length === 1 && parts[0]?.dictionaryName !== undefined) return "common";
  const isPattern = ({ pattern }: RecognizedPart) => /^(repeat|sequence|spatial|date|regex)$/.test(pattern);
  return parts.some(isPattern) ? "pattern" : "guessable";
}

/** Loads the lists of known passwords on first use, as they are large and take milliseconds to rank. */
const loadEstimator = once(async () => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_CHECKED_LENGTH });
});

/** Characters that are looked at of a text about the user, which may not have been validated. */
const MAX_KNOWN_LENGTH = 300;

function toKnownWords(text: string): string[] {
  const known = text.slice(0, MAX_KNOWN_LENGTH);
  const words = known.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= MIN_WORD_LENGTH);
  return [known, ...words].filter((word) => word !== "");
}

/**
 * Number of passwords of one client that may wait to be hashed. A hash takes a core for a tenth of a second, so
 * the last one waits for a few seconds.
 */
const MAX_WAITING_PER_CLIENT = 32;

/**
 * Runs work on a password, one at a time for each client: the group of an address, or an account.
 * @throws AppError UNAVAILABLE when too many passwords of the client wait, and whatever `work` throws.
 */
export async function withPasswordTurn<T>(
  { store }: Pick<ChatApp, "store">,
  client: string,
  work: () => Promise<T>,
): Promise<T> {
  const name = `password ${client}`;
  if (store.queues.length(name) > MAX_WAITING_PER_CLIENT) {
    const message = "Too many passwords are being checked. Please try again in a moment.";
    throw new AppError("UNAVAILABLE", message, { retryAfter: 2 });
  }
  return await store.queues.run(name, work);
}

/** Name of an account as the client of `withPasswordTurn`. */
export function passwordClientOf(realmId: number, { id }: { readonly id: number }): string {
  return `${realmId} ${id}`;
}
