import { z } from "zod";
import { boundedString, described, exact, json } from "../params/param.ts";
import { type AlertWord, MAX_ALERT_WORD } from "./model.ts";

/** Maximum number of words in one request; more than an account can have, so that any list can be removed. */
const MAX_SENT = 1000;

const words = exact(json(z.array(boundedString({ max: MAX_ALERT_WORD })).max(MAX_SENT)));

/** Parameters of adding alert words. */
export const addAlertWordsParams = {
  alert_words: described(
    words,
    "Words or phrases to add; blank ones, and those that you have in any case, are ignored.",
  ),
};

/** Parameters of removing alert words. */
export const removeAlertWordsParams = {
  alert_words: described(words, "Words or phrases to remove, in any case; unknown ones are ignored."),
};

/** Alert words as every endpoint returns them. */
export const alertWordsSchema = z.object({
  alert_words: z.array(z.string()).meta({ description: "All alert words of the caller, the oldest first." }),
});

/** Converts alert words for the API. */
export function toAlertWords(words: readonly AlertWord[]): { alert_words: readonly string[] } {
  return { alert_words: words.map(({ word }) => word) };
}
