import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { sendAlertWordsEvent } from "./events.ts";
import { type AlertWord, alertWordsKey, alertWordsLock, foldAlertWord, MAX_ALERT_WORDS } from "./model.ts";

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
    const known = new Map(before.map((one) => [foldAlertWord(one.word), one]));
    for (const word of words) {
      if (!known.has(foldAlertWord(word))) known.set(foldAlertWord(word), { word, added_at });
    }
    if (known.size > MAX_ALERT_WORDS && known.size > before.length) {
      throw new AppError("BAD_REQUEST", `You can have ${MAX_ALERT_WORDS} alert words at most.`);
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
  const key = alertWordsKey(caller.realm.id, caller.actingUser.id);
  return await transact(app.store, async (tx) => {
    await getActingUser(tx, caller.realm.id, caller.actingUser);
    const before = await tx.get<readonly AlertWord[]>(key) ?? [];
    const words = change(before);
    if (words.length === before.length) return before;
    if (words.length === 0) tx.delete(key);
    else tx.set(key, words);
    sendAlertWordsEvent(tx, app.clock.now(), { caller, words });
    return words;
  }, alertWordsLock(caller));
}
