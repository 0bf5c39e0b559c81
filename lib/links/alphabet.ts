/** U+200C and U+200D, the tag letters a to z (U+E0061 to U+E007A) and the cancel tag U+E007F. */
export const ZERO_WIDTH_CHARACTERS: readonly string[] = [
  "\u200c",
  "\u200d",
  ...Array.from({ length: 26 }, (_, letter) => String.fromCodePoint(0xe0061 + letter)),
  "\u{e007f}",
];

/** First path segments that belong to the server; an id, which never contains a dot, must not be one of them. */
export const RESERVED_SEGMENTS: readonly string[] = [
  "_fresh",
  "account",
  "admin",
  "api",
  "avatar",
  "blocked-hosts",
  "calls",
  "connect",
  "docs",
  "emoji",
  "forgot-password",
  "health",
  "join",
  "links",
  "login",
  "logout",
  "metrics",
  "ready",
  "reset-password",
  "setup",
  "stats",
  "user_exports",
  "user_uploads",
  "vendor",
];

/** Maximum length of an id in code units: 64 characters of two each. */
const LONGEST_ID_UNITS = 128;

/** Characters and length of new ids. */
export interface Alphabet {
  readonly characters: readonly string[];
  readonly length: number;
}

export function countShorts(alphabet: Alphabet): number {
  return alphabet.characters.length ** alphabet.length;
}

/** Returns the id with number `index`, from 0 to `countShorts` - 1; each number yields a different id. */
export function shortAt(alphabet: Alphabet, index: number): string {
  const { characters, length } = alphabet;
  let short = "";
  for (let at = 0, number = index; at < length; at++) {
    short += characters[number % characters.length] ?? "";
    number = Math.floor(number / characters.length);
  }
  return short;
}

/** Restores the characters of an incoming id that mail programs or chats changed, by each rewrite in order. */
export function rewriteShort(short: string, rewrites: ReadonlyMap<string, string>): string {
  let rewritten = short;
  for (const [from, to] of rewrites) rewritten = rewritten.replaceAll(from, to);
  return rewritten;
}

/** Whether a text could be an id, so that the store need not be asked about longer texts. */
export function isPlausibleShort(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_ID_UNITS && text.isWellFormed();
}

export function toShortLink(baseUrl: string, short: string): string {
  return `${baseUrl}/${encodeURIComponent(short)}`;
}
