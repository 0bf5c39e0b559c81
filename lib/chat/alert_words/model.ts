import type { Key } from "@/lib/store/key.ts";
import type { Caller } from "../users/model.ts";

/**
 * Maximum number of alert words of one account: every message that it reads is searched for each of them, and
 * with MAX_ALERT_WORD the record fits into one store value.
 */
export const MAX_ALERT_WORDS = 100;
/** Maximum length of an alert word in code points. */
export const MAX_ALERT_WORD = 100;

/** A word or phrase that a user watches for in messages. */
export interface AlertWord {
  /** As the user wrote it, without surrounding white space. */
  readonly word: string;
  /** Milliseconds since 1970 UTC. */
  readonly added_at: number;
}

/** Returns the key of the alert words of an account, a list of `AlertWord`. */
export function alertWordsKey(realmId: number, userId: number): Key {
  return [realmId, "alert_words", userId];
}

/** Returns the name of the in-process lock for changes of the caller's alert words. */
export function alertWordsLock({ realm, actingUser }: Caller): string {
  return `alert words ${realm.id} ${actingUser.id}`;
}

/** Returns the form in which alert words are compared. */
export function foldAlertWord(word: string): string {
  return word.trim().toLowerCase();
}

/** The part of a message that alert words are searched in. */
export interface AlertableMessage {
  /** Markdown. */
  readonly content: string;
  /** Milliseconds since 1970 UTC. */
  readonly sent_at: number;
  /** Milliseconds since 1970 UTC; null when the content was never edited. */
  readonly edited_at: number | null;
}

/**
 * Returns whether the Markdown of a message contains one of the words, regardless of case and between
 * boundaries. Words that were added after the message was written do not count.
 */
export function containsAlertWord(words: readonly AlertWord[], message: AlertableMessage): boolean {
  const writtenAt = message.edited_at ?? message.sent_at;
  const known = words.filter(({ added_at }) => added_at <= writtenAt);
  if (known.length === 0) return false;
  const text = message.content.toLowerCase();
  return known.some(({ word }) => containsWord(text, foldAlertWord(word)));
}

/** White space and punctuation that may precede a word. */
const BEFORE = /[\s("'.,;[*`>]/;
/** White space and punctuation that may follow a word. */
const AFTER = /[\s)"'?:.,;\]!*`]/;

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isStart = at === 0 || BEFORE.test(text.charAt(at - 1));
    if (isStart && (end === text.length || AFTER.test(text.charAt(end)))) return true;
  }
  return false;
}
