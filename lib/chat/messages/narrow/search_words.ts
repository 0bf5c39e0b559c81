import { normalizeText } from "@/lib/core/text.ts";

/** Maximum number of different words indexed per message; bounds the writes of a message. */
export const MAX_INDEXED_WORDS = 500;
/** Length to which indexed words are truncated, in code points. */
export const MAX_WORD_LENGTH = 40;

/**
 * Marks that users omit in searches: accents of Latin, Greek and Cyrillic letters, Hebrew points, Arabic
 * vowels and emoji variation selectors. Marks of other scripts distinguish words and are kept.
 */
const LOOSE_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\ufe00-\ufe0f\u00ad]/gu;

/** Scripts without blanks between words, or with long suffixes. */
const UNSPACED = String
  .raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
const WORD = String.raw`[\p{L}\p{N}\p{M}]`;
/** Runs of word characters. A dictionary would split better but change with every ICU release. */
const RUN = new RegExp(`(?<unspaced>[${WORD}&&${UNSPACED}]+)|[${WORD}--${UNSPACED}]+`, "gv");

const ASCII = /^[\0-\x7f]*$/;
/** Runs of word characters in lowercase ASCII, which need no table of scripts. */
const ASCII_RUN = /[a-z0-9]+/g;
const ASCII_WORD = /^[a-z0-9]+$/;

/** A parsed search; all parts must match. */
export interface SearchQuery {
  /** Words to find in the index, whole or as prefixes. */
  readonly words: readonly SearchWord[];
  /** Sequences of adjacent words, which are matched against the text because the index holds no positions. */
  readonly phrases: readonly (readonly SearchWord[])[];
}

export interface SearchWord {
  readonly text: string;
  /** Whether longer words with this prefix match too. */
  readonly isPrefix: boolean;
}

function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Folds a text for comparison: compatibility forms, case and loose marks are equal. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const bare = normalizeText(text, "NFKD").replace(LOOSE_MARKS, "");
  // Uppercasing folds ß with SS, after lowercasing folded ẞ with ß; a final Σ has its own lowercase form.
  return normalizeText(bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ"), "NFKC");
}

/**
 * Returns the distinct indexed words of a text in order: at most MAX_INDEXED_WORDS of at most MAX_WORD_LENGTH
 * code points. Runs of scripts without blanks yield each pair of adjacent characters, and the last character
 * alone.
 */
export function searchWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const word of splitWords(text)) {
    if (words.size === MAX_INDEXED_WORDS) break;
    words.add(word);
  }
  return words;
}

/** Returns whether a text may have more words than are indexed. */
export function hasManyWords(text: string): boolean {
  return !isShortAscii(text) && searchWords(text).size === MAX_INDEXED_WORDS;
}

/** Returns whether a text is in ASCII and too short for more words than are indexed. */
function isShortAscii(text: string): boolean {
  // In ASCII, folding keeps the length and words have characters between them.
  return text.length < 2 * MAX_INDEXED_WORDS - 1 && isAscii(text);
}

/**
 * Parses a search. Words match in any order; quoted words and words joined by punctuation (`ada@example.com`)
 * must be adjacent; `gard*` matches every word with that prefix.
 */
export function parseSearch(query: string): SearchQuery {
  const words = new Map<string, SearchWord>();
  const phrases: SearchWord[][] = [];
  for (const [, quoted, plain = ""] of query.matchAll(/["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+)/gu)) {
    const parsed = parseSearchWords(quoted ?? plain);
    for (const word of parsed) words.set(`${word.text} ${word.isPrefix}`, word);
    if (parsed.length > 1) phrases.push(parsed);
  }
  return { words: [...words.values()], phrases };
}

/**
 * Returns whether texts match a search: each of its words and phrases is in one of them. A search without words
 * matches nothing.
 */
export function matchesSearch(query: SearchQuery, ...texts: readonly string[]): boolean {
  let missing = query.words;
  for (const text of texts) if (missing.length > 0) missing = listMissing(missing, text);
  return query.words.length > 0 && missing.length === 0 && hasPhrases(query, ...texts);
}

/** Returns the words that a text does not have among those that are indexed. */
function listMissing(words: readonly SearchWord[], text: string): readonly SearchWord[] {
  if (isShortAscii(text)) {
    const lowered = text.toLowerCase();
    return words.filter((word) => !isInAscii(lowered, word));
  }
  const indexed = searchWords(text);
  return words.filter((word) =>
    !indexed.has(word.text) && !(word.isPrefix && [...indexed].some((other) => other.startsWith(word.text)))
  );
}

/** Returns whether a lowercase text in ASCII has a word, several times as fast as a list of all its words. */
function isInAscii(lowered: string, { text, isPrefix }: SearchWord): boolean {
  // Words of this length stand for all longer ones.
  const isOpen = isPrefix || text.length === MAX_WORD_LENGTH;
  for (let at = lowered.indexOf(text); at >= 0; at = lowered.indexOf(text, at + 1)) {
    const end = at + text.length;
    const isStart = at === 0 || !isWordUnit(lowered.charCodeAt(at - 1));
    if (isStart && (isOpen || end === lowered.length || !isWordUnit(lowered.charCodeAt(end)))) return true;
  }
  return false;
}

/** Returns whether a UTF-16 code unit is a lowercase letter or a digit in ASCII. */
function isWordUnit(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a || unit >= 0x30 && unit <= 0x39;
}

/** Returns whether each phrase of a search is in one of some texts, given that its words match. */
export function hasPhrases(query: SearchQuery, ...texts: readonly string[]): boolean {
  if (query.phrases.length === 0) return true;
  const sequences = texts.map((text) => ` ${[...splitWords(text)].join(" ")} `);
  return query.phrases.every((phrase) => {
    const ending = phrase.at(-1)?.isPrefix === true ? "" : " ";
    const wanted = ` ${phrase.map(({ text }) => text).join(" ")}${ending}`;
    return sequences.some((sequence) => sequence.includes(wanted));
  });
}

/** Returns the words of one part of a search; its last character may start a longer word. */
function parseSearchWords(part: string): SearchWord[] {
  const folded = foldText(part);
  const runs = [...folded.matchAll(RUN)];
  const words = runs.flatMap((run) => splitRun(run));
  const last = runs.at(-1);
  if (last?.groups?.unspaced === undefined) {
    const isPrefix = last !== undefined && folded[last.index + last[0].length] === "*";
    return toSearchWords(words, isPrefix);
  }
  // The index holds a single character only at the end of a run; elsewhere it starts a pair.
  const isPair = splitRun(last).length > 1;
  return isPair ? toSearchWords(words.slice(0, -1), false) : toSearchWords(words, true);
}

function toSearchWords(words: readonly string[], isPrefix: boolean): SearchWord[] {
  return words.map((text, at) => ({ text, isPrefix: isPrefix && at === words.length - 1 }));
}

/** Returns the words of a text in order, with repetitions. */
function splitWords(text: string): Iterable<string> {
  return isAscii(text)
    ? (text.toLowerCase().match(ASCII_RUN) ?? []).map(truncateWord)
    : splitRuns(foldText(text));
}

function* splitRuns(folded: string): Generator<string> {
  for (const run of folded.matchAll(RUN)) yield* splitRun(run);
}

function splitRun(run: RegExpExecArray): string[] {
  if (run.groups?.unspaced === undefined) return [truncateWord(run[0])];
  const characters = [...run[0]];
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

function truncateWord(word: string): string {
  return word.length <= MAX_WORD_LENGTH
    ? word
    : [...word.slice(0, 2 * MAX_WORD_LENGTH)].slice(0, MAX_WORD_LENGTH).join("");
}

/** A tag, a character reference or text of HTML in which an angle bracket always ends a tag. */
const PIECE = /<[^<>]*>|&[#\w]+;|[^<&]+|&/g;
/** Number of words up to which HTML in ASCII is searched by one pattern of all words. */
const MAX_PATTERN_WORDS = 20;
/** Maximum number of words whose result is remembered. */
const MAX_REMEMBERED = 10_000;

/** Marks the words of a search in HTML. */
export type Highlighter = (html: string) => string;

/** Returns a function that marks the words of searches in HTML; null when there are none. */
export function createHighlighter(queries: readonly SearchQuery[]): Highlighter | null {
  const words = queries.flatMap((query) => query.words);
  if (words.length === 0) return null;
  const markAny = createAnyMarker(words);
  const markAscii = words.length > MAX_PATTERN_WORDS ? markAny : createAsciiMarker(words);
  return (html) => isAscii(html) ? markAscii(html) : markAny(html);
}

/** Marks words in HTML in ASCII, several times as fast as in any HTML. */
function createAsciiMarker(words: readonly SearchWord[]): Highlighter {
  const plain = words.filter(({ text }) => ASCII_WORD.test(text));
  if (plain.length === 0) return (html) => html;
  const alternatives = plain.map(({ text, isPrefix }) => isPrefix ? `${text}[a-z0-9]*` : text).join("|");
  const pattern = new RegExp(`<[^<>]*>|&[#\\w]+;|(?<![a-z0-9])(?:${alternatives})(?![a-z0-9])`, "gi");
  return (html) => html.replace(pattern, (piece) => /^[<&]/.test(piece) ? piece : mark(piece));
}

function createAnyMarker(words: readonly SearchWord[]): Highlighter {
  const remembered = new Map<string, boolean>();
  const isFound = (text: string) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const folded = foldText(text);
    const found = words.some((word) => word.isPrefix ? folded.startsWith(word.text) : folded === word.text);
    if (remembered.size < MAX_REMEMBERED) remembered.set(text, found);
    return found;
  };
  const markText = markRun(isFound);
  return (html) => html.replace(PIECE, (piece) => /^[<&]/.test(piece) ? piece : piece.replace(RUN, markText));
}

/** Marks a run of letters as a whole, and one of a script without blanks where its pairs of characters match. */
function markRun(isFound: (text: string) => boolean): (run: string, unspaced?: string) => string {
  return (run, unspaced) => {
    if (unspaced === undefined) return isFound(run) ? mark(run) : run;
    const characters = [...run];
    const startsPair = characters.map((character, at) => isFound(character + (characters[at + 1] ?? "")));
    let marked = "";
    let open = "";
    for (const [at, character] of characters.entries()) {
      const endsPair = at > 0 && startsPair[at - 1] === true;
      if (startsPair[at] === true || endsPair) {
        open += character;
      } else {
        marked += (open === "" ? "" : mark(open)) + character;
        open = "";
      }
    }
    return marked + (open === "" ? "" : mark(open));
  };
}

function mark(text: string): string {
  return `<span class="highlight">${text}</span>`;
}
