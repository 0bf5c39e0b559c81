import { once } from "es-toolkit/function/once";
import createParser from "markdown-it";

/** Returns the length of a text in code points, the unit of every limit. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--;
      at++;
    }
  }
  return length;
}

/** Whether a text has more than `max` code points; costs no more for a text that is far longer. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || codePointLength(text) > max);
}

/** Whether a text contains a control character: U+0000 to U+001F or U+007F to U+009F. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Removes NUL characters, which no text contains, and replaces lone surrogates, which UTF-8 cannot encode. */
export function cleanText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed();
}

/** A row of more marks than any name has, whose form is compared with stored ones; U+034F divides rows. */
const MANY_MARKS = /(?:(?!\u034f)\p{M}){257,}/gu;

/**
 * Returns a text in a normal form. A row of marks is first divided by an invisible character after every 256 (as in the
 * stream-safe format of Unicode Annex 15), because the time to order a row grows with the square of its length: 0.2 s
 * for 10,000 marks, 20 s for 100,000.
 */
export function normalizeText(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text.replace(MANY_MARKS, (marks) => marks.replace(/.{256}(?=.)/gsu, "$&\u034f"))
    .normalize(form);
}

/** Splits a comma-separated list; trims items and drops empty ones. */
export function splitList(text: string): string[] {
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

// Not at the start of the server, which would wait some milliseconds for the data of the language.
const getCollator = once(() => new Intl.Collator("en"));

/** Compares names for lists that people read, alike in every locale of the server. */
export function compareNames(one: string, other: string): number {
  return getCollator().compare(one, other);
}

const { utils } = createParser();

/** Escapes `&`, `<`, `>` and `"` in a text, for an element or an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return utils.escapeHtml(text);
}

/** Markup in which all values are escaped. */
export interface Html {
  readonly markup: string;
}

/**
 * Template tag that escapes inserted text; attributes must be in double quotes. Other templates, and lists of
 * them, are inserted unchanged.
 */
export function toHtml(
  strings: TemplateStringsArray,
  ...values: (string | Html | readonly Html[])[]
): Html {
  const parts = strings.map((part, at) => part + toMarkup(values[at] ?? ""));
  return { markup: parts.join("") };
}

function toMarkup(value: string | Html | readonly Html[]): string {
  if (typeof value === "string") return escapeHtml(value);
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}

/** Makes the straight apostrophes within words of a text typographic; others are quotation marks. */
export function curlApostrophes(text: string): string {
  return text.replace(/(?<=\p{L})'(?=\p{L})/gu, "’");
}
