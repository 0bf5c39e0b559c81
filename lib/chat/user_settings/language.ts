import { text } from "../params/param.ts";
import { judged, setting } from "./setting.ts";

/** The languages that there are texts in, and what each is called in its own. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([["en", "English"]]);

/** What a language is called in its own; undefined where there are no texts in it. */
export function languageName(code: string): string | undefined {
  return LANGUAGES.get(code);
}

/** The setting of the language that a user reads. */
export const defaultLanguage = judged(
  setting(text(), "en", "The language of texts for you; there is a translation for `en`."),
  (code) => LANGUAGES.has(code) ? null : "Invalid default_language",
);
