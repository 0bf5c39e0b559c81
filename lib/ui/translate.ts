import type { Formatter, Phrase, PhraseValues } from "./formatter.ts";

/** Languages with messages; the last two are pseudo-languages for tests, left to right and right to left. */
export const LANGUAGES = ["en", "en-XA", "ar-XB"] as const;

/** Formats an English text in another language. */
export type Translate = (phrase: Phrase, values?: PhraseValues) => string;

/** Returns a function that formats English texts in the language of a formatter. */
export function translatorOf(formatter: Formatter): Translate {
  return (phrase, values) => formatter.t(translate(formatter.language, phrase), values);
}

/** Readable letters that no English text contains. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, at) => [
    letter,
    [..."áƀçđéƒǧħíĵķłɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"][at] ?? letter,
  ]),
);

/**
 * Returns English texts in one of LANGUAGES: the same ones for English and any other. Texts that are translated already
 * stay as they are.
 */
export function translate<Texts>(language: string, texts: Texts): Texts {
  if (language === "en-XA") return toPseudo(texts, "ltr");
  if (language === "ar-XB") return toPseudo(texts, "rtl");
  return texts;
}

/**
 * Converts texts to a pseudo-language: every text is marked, longer and accented; placeholders stay.
 */
function toPseudo<Messages>(messages: Messages, direction: "ltr" | "rtl"): Messages;
function toPseudo(messages: unknown, direction: "ltr" | "rtl"): unknown {
  if (typeof messages === "string") return mark(messages, direction);
  if (Array.isArray(messages)) return messages.map((word) => toPseudo(word, direction));
  if (typeof messages !== "object" || messages === null) return messages;
  return Object.fromEntries(
    Object.entries(messages).map(([name, value]) => [name, toPseudo(value, direction)]),
  );
}

function mark(text: string, direction: "ltr" | "rtl"): string {
  if (text.startsWith("⟦")) return text;
  const accented = text.split(/(\{\w+\})/).map((part) =>
    part.startsWith("{") ? part : [...part].map((letter) => LETTERS.get(letter) ?? letter).join("")
  ).join("");
  const longer = `${accented} ${"~".repeat(Math.ceil(text.length / 5))}`;
  // Marks of a right-to-left override and its end.
  return direction === "rtl" ? `⟦\u202e${longer}\u202c⟧` : `⟦${longer}⟧`;
}
