import { z } from "zod";
import { requireName } from "@/lib/core/names.ts";
import type { ChatApp } from "../organization/app.ts";
import { type Owner, ownerOf, StoredList } from "../organization/collection.ts";
import { sendChangeEvent } from "../organization/events/send_events.ts";
import { boundedString, described, exact, json } from "../organization/params/param.ts";
import type { Caller } from "../organization/users/model.ts";
import { act } from "../organization/users/store.ts";

/** A word or phrase that a user watches for in messages. */
export interface AlertWord {
  /** As the user wrote it, without surrounding white space. */
  readonly word: string;
  /** Milliseconds since 1970 UTC. */
  readonly added_at: number;
}

/** The alert words of each user, the oldest first. Every message that the user reads is searched for each of them. */
export const alertWordList = new StoredList<AlertWord, Owner>({
  key: ({ realm, actingUser }) => [realm.id, "alert_words", actingUser.id],
  max: 100,
  full: (max) => `You can have ${max} alert words at most.`,
});

/** Returns the form in which alert words are compared. */
function foldAlertWord(word: string): string {
  return word.trim().toLowerCase();
}

/**
 * Returns whether the Markdown of a message contains one of the words, regardless of case and between
 * boundaries. Words that were added after the message was written do not count.
 */
export function containsAlertWord(
  words: readonly AlertWord[],
  message: {
    readonly content: string;
    /** Milliseconds since 1970 UTC. */
    readonly sent_at: number;
    readonly edited_at: number | null;
  },
): boolean {
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

/** Reads the alert words of an account, the oldest first. */
export async function readAlertWords(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  userId: number,
): Promise<readonly AlertWord[]> {
  return await alertWordList.read(app, ownerOf(realmId, userId));
}

/**
 * Adds alert words for the caller and returns all of them. Words that the caller has, in any case, keep their
 * spelling.
 * @throws AppError BAD_REQUEST for an invalid character and for too many words.
 */
export async function addAlertWords(
  app: ChatApp,
  caller: Caller,
  sent: readonly string[],
): Promise<readonly AlertWord[]> {
  const words = sent.map((word) => word.trim()).filter((word) => word !== "");
  for (const word of words) requireName(word, "alert word", { mayMixScripts: true });
  const added_at = app.clock.now();
  return await changeAlertWords(app, caller, (before) => {
    const known = new Map(before.map((alertWord) => [foldAlertWord(alertWord.word), alertWord]));
    for (const word of words) {
      if (!known.has(foldAlertWord(word))) known.set(foldAlertWord(word), { word, added_at });
    }
    return [...known.values()];
  });
}

/** Removes alert words of the caller, in any case, and returns the remaining ones. */
export async function removeAlertWords(
  app: ChatApp,
  caller: Caller,
  sent: readonly string[],
): Promise<readonly AlertWord[]> {
  const removed = new Set(sent.map(foldAlertWord));
  return await changeAlertWords(
    app,
    caller,
    (before) => before.filter(({ word }) => !removed.has(foldAlertWord(word))),
  );
}

/** Changes the caller's alert words; writes and sends nothing when their number stays the same. */
async function changeAlertWords(
  app: ChatApp,
  caller: Caller,
  change: (before: readonly AlertWord[]) => readonly AlertWord[],
): Promise<readonly AlertWord[]> {
  return await act(app, caller, async (context) => {
    const { tx } = context;
    const before = await alertWordList.get(tx, caller);
    const words = change(before);
    if (words.length === before.length) return before;
    alertWordList.put(tx, caller, { before, after: words });
    sendChangeEvent(context, { type: "alert_words", ...toAlertWords(words) }, [caller.actingUser.id]);
    return words;
  }, alertWordList.lock(caller));
}

/** Maximum number of words in one request; more than an account can have, so that any list can be removed. */
const MAX_SENT = 1000;

const words = exact(json(z.array(boundedString({ max: 100 })).max(MAX_SENT)));

export const addAlertWordsParams = {
  alert_words: described(
    words,
    "Words or phrases to add; blank ones, and those that you have in any case, are ignored.",
  ),
};

export const removeAlertWordsParams = {
  alert_words: described(words, "Words or phrases to remove, in any case; unknown ones are ignored."),
};

export const alertWordsSchema = z.object({
  alert_words: z.array(z.string()).meta({ description: "All alert words of the caller, the oldest first." }),
});

export function toAlertWords(words: readonly AlertWord[]): { alert_words: readonly string[] } {
  return { alert_words: words.map(({ word }) => word) };
}
