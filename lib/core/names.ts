import { AppError } from "./errors.ts";
import { codePointLength, normalizeText } from "./text.ts";

interface NameRule {
  /** Whether words may mix scripts, as in free text; false by default, because look-alikes do. */
  readonly mayMixScripts?: boolean;
  readonly field?: string;
}

/** One emoji: a picture with variation selectors, skin tone and joined pictures; a keycap; a flag of tags. */
const EMOJI = new RegExp(
  [
    String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
    String.raw`[0-9#*]\uFE0F?\u20E3`,
    String.raw`${picture()}(?:\u200D${picture()})*`,
  ].join("|"),
  "gu",
);
/** Scripts whose letters change shape with a joiner between them. */
const JOINING =
  "Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada " +
  "Malayalam Sinhala Khmer Myanmar Tibetan";
/** A joiner or variation selector that its script needs. */
const NEEDED = new RegExp(
  `(?<=${oneOf(JOINING)}\\p{M}*)[\\u200C\\u200D](?=${oneOf(JOINING)})` +
    `|(?<=\\p{Script=Han})[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]|(?<=\\p{Script=Mongolian})[\\u180B-\\u180D\\u180F]`,
  "gu",
);
/** Characters that break lines, reorder the text around them or are never shown. */
const INVALID =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;
/** A character that leaves a mark on the screen by itself; U+2800 and U+1D159 are symbols that are blank. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\u2800\u{1D159}]/u;

/** Scripts of letters that can be mistaken for one another, or for those of Latin. */
const SCRIPTS =
  ("Latin Cyrillic Greek Armenian Cherokee Coptic Lisu Georgian Hebrew Ethiopic Thai Lao Thaana Tifinagh " +
    `Glagolitic Gothic Deseret Osage Vai Canadian_Aboriginal Han Hiragana Katakana Bopomofo Hangul Yi ${JOINING}`)
    .split(" ").map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, "u") }));
/** Scripts that one word may mix: those of Chinese, Japanese and Korean, with Latin. */
const COMBINATIONS = ["Latin Han Hiragana Katakana", "Latin Han Bopomofo", "Latin Han Hangul"]
  .map((names) => new Set(names.split(" ")));
/** Maximum length of the form in which names are compared, in code points: keys of the store are limited. */
const MAX_FORM = 256;

/**
 * Rejects a name with a character that is invisible, controls the direction of text or breaks the line, a name
 * that is blank to the eye, and, unless the rule says otherwise, a word that mixes scripts. Emoji and the
 * joiners that scripts need are valid. An empty name is left to the caller.
 * @param subject Name of the field in the error, such as `channel name`.
 * @throws AppError BAD_REQUEST with the position of the character, counted in code points from 1.
 */
export function requireName(text: string, subject: string, rule: NameRule = {}): void {
  const at = findInvalid(text, rule);
  if (at === null) return;
  const position = codePointLength(text.slice(0, at)) + 1;
  const { field } = rule;
  throw new AppError(
    "BAD_REQUEST",
    `Invalid character in ${subject}, at position ${position}.`,
    field === undefined ? {} : { field },
  );
}

/** Whether a name follows the rule of `requireName`. */
export function isName(text: string, rule: NameRule = {}): boolean {
  return findInvalid(text, rule) === null;
}

/**
 * Returns the form in which names are compared: compatibility characters replaced, invisible ones removed, white
 * space collapsed and, unless `keepsCase`, letter case folded. Names that look the same mostly share it.
 */
export function toNameForm(name: string, { keepsCase = false }: { keepsCase?: boolean } = {}): string {
  const compatible = normalizeText(name, "NFKC");
  // Lower, upper and lower case again: "ß" and "SS" become the same.
  const folded = keepsCase ? compatible : compatible.toLowerCase().toUpperCase().toLowerCase();
  const shown = folded.replace(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu, "")
    .replace(/[\p{White_Space}\u2800]+/gu, " ").trim();
  return [...normalizeText(shown, "NFKC")].slice(0, MAX_FORM).join("");
}

/** Returns the index of the first invalid character, in UTF-16 units; null for a valid name. */
function findInvalid(text: string, { mayMixScripts = false }: NameRule): number | null {
  // Each replacement is as long as what it replaces, so that indexes stay those of the text.
  const checked = text.replace(EMOJI, (emoji) => "#".repeat(emoji.length))
    .replace(NEEDED, (mark) => "\u0301".repeat(mark.length));
  const at = checked.search(INVALID);
  if (at >= 0) return at;
  if (text !== "" && !VISIBLE.test(checked)) return 0;
  return mayMixScripts ? null : findForeignLetter(checked);
}

function findForeignLetter(text: string): number | null {
  // Most names are plain ASCII, which has one script.
  if (!/[^\p{ASCII}]/u.test(text)) return null;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const scripts = new Set<string>();
    let at = index;
    for (const character of word) {
      const script = SCRIPTS.find(({ pattern }) => pattern.test(character))?.name;
      if (script !== undefined) scripts.add(script);
      if (scripts.size > 1 && !COMBINATIONS.some((combined) => scripts.isSubsetOf(combined))) return at;
      at += character.length;
    }
  }
  return null;
}

function picture(): string {
  return String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?\uFE0F?`;
}

function oneOf(scripts: string): string {
  return `[${scripts.split(" ").map((name) => `\\p{Script=${name}}`).join("")}]`;
}
