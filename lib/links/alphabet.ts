import type { RandomSource } from "@/lib/core/random.ts";

/** U+200C and U+200D, the tag letters a to z (U+E0061 to U+E007A) and the cancel tag U+E007F. */
export const ZERO_WIDTH_CHARACTERS: readonly string[] = [
  "\u200c",
  "\u200d",
  ...Array.from({ length: 26 }, (_, letter) => String.fromCodePoint(0xe0061 + letter)),
  "\u{e007f}",
];

/** First path segments that mean something else; an id, which never holds a dot, must never equal one of them. */
export const RESERVED_SEGMENTS: readonly string[] = [
  "_fresh",
  "account",
  "admin",
  "api",
  "avatar",
  "calls",
  "docs",
  "emoji",
  "forgot-password",
  "health",
  "join",
  "login",
  "logout",
  "metrics",
  "ready",
  "reset-password",
  "setup",
  "stats",
  "user_uploads",
  "vendor",
];

/** Ids longer than this were never made: 64 characters of two code units each. */
const LONGEST_ID_UNITS = 128;

/** What ids are made of. */
export interface Alphabet {
  readonly characters: readonly string[];
  /** Characters in a new id. */
  readonly length: number;
}

/** A new id, every one equally likely. */
export function drawShort(alphabet: Alphabet, random: RandomSource): string {
  let short = "";
  for (let at = 0; at < alphabet.length; at++) {
    short += alphabet.characters[random.below(alphabet.characters.length)] ?? "";
  }
  return short;
}

/** How many ids the alphabet allows. */
export function countShorts(alphabet: Alphabet): number {
  return alphabet.characters.length ** alphabet.length;
}

/** The id with number `index`, from 0 to `countShorts` - 1; each number gives another id. */
export function shortAt(alphabet: Alphabet, index: number): string {
  const { characters, length } = alphabet;
  let short = "";
  for (let at = 0, rest = index; at < length; at++) {
    short += characters[rest % characters.length] ?? "";
    rest = Math.floor(rest / characters.length);
  }
  return short;
}

/** Whether an id may be handed out: it is no path of the server's own. */
export function isUsableShort(short: string): boolean {
  return !RESERVED_SEGMENTS.includes(short);
}

/** An id as it came in, with each rewrite applied in order: what mail programs or chats made of a character is put back. */
export function rewriteShort(short: string, rewrites: ReadonlyMap<string, string>): string {
  let rewritten = short;
  for (const [from, to] of rewrites) rewritten = rewritten.replaceAll(from, to);
  return rewritten;
}

/** Whether `text` could be an id at all, so that the store need not be asked about anything longer. */
export function isPlausibleShort(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_ID_UNITS && text.isWellFormed();
}

/** The absolute short link: the base address, a slash and the percent-encoded id. */
export function toShortLink(baseUrl: string, short: string): string {
  return `${baseUrl}/${encodeURIComponent(short)}`;
}
