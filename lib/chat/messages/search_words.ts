/** The most different words of one message that are indexed: what bounds the writes that a message costs. */
export const MAX_INDEXED_WORDS = 500;
/** Of a longer word only the beginning counts, in code points. */
export const MAX_WORD = 40;

/**
 * Marks that people leave out when they search: accents of Latin, Greek and Cyrillic letters, Hebrew points, Arabic
 * vowels, and what chooses the look of an emoji. Those of other scripts make another word and stay.
 */
const LOOSE_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\ufe00-\ufe0f\u00ad]/gu;

/** Scripts that put no blanks between words, or long endings to them. */
const UNSPACED = String
  .raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
const WORD = String.raw`[\p{L}\p{N}\p{M}]`;
/** What a text falls into, the same wherever it runs: a dictionary's words would change with every release. */
const RUN = new RegExp(`(?<unspaced>[${WORD}&&${UNSPACED}]+)|[${WORD}--${UNSPACED}]+`, "gv");

/** What a search asks for: all of it must be there. */
export interface SearchQuery {
  /** Each is in the index, whole or as a beginning. */
  readonly words: readonly SearchWord[];
  /** Words that stand one after the other in the text; the index cannot tell, so the text itself is asked. */
  readonly phrases: readonly (readonly SearchWord[])[];
}

/** One word of a search. */
export interface SearchWord {
  readonly text: string;
  /** Whether words that only begin with it are meant too. */
  readonly isPrefix: boolean;
}

/** A text as it is compared: compatibility forms, case and loose marks make no difference. */
export function foldText(text: string): string {
  const bare = text.normalize("NFKD").replace(LOOSE_MARKS, "");
  // By way of upper case ß meets SS, and ẞ meets ß first; at the end of a word the lower case of Σ is another.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}

/**
 * The different words of a text that are indexed, in their order: at most MAX_INDEXED_WORDS of at most MAX_WORD code
 * points. Scripts without blanks between words give each pair of neighbouring characters, and the last one alone.
 */
export function searchWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const word of wordsOf(text)) {
    if (words.size === MAX_INDEXED_WORDS) break;
    words.add(word);
  }
  return words;
}

/**
 * What a search means. Words between blanks must all be there, in any order; `"quoted words"` and what punctuation
 * joins (`ada@example.com`) must stand together; `gard*` means every word that begins so.
 */
export function parseSearch(query: string): SearchQuery {
  const words = new Map<string, SearchWord>();
  const phrases: SearchWord[][] = [];
  for (const [, quoted, plain = ""] of query.matchAll(/["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+)/gu)) {
    const sought = soughtWords(quoted ?? plain);
    for (const word of sought) words.set(`${word.text} ${word.isPrefix}`, word);
    if (sought.length > 1) phrases.push(sought);
  }
  return { words: [...words.values()], phrases };
}

/** Whether a text is found by a search; a search without a word finds nothing. */
export function matchesSearch(query: SearchQuery, text: string): boolean {
  if (query.words.length === 0) return false;
  const indexed = searchWords(text);
  return query.words.every((word) => isAmong(indexed, word)) && hasPhrases(query, text);
}

/** Whether the phrases of a search stand in a text, whose words the index has already found. */
export function hasPhrases(query: SearchQuery, text: string): boolean {
  if (query.phrases.length === 0) return true;
  const sequence = ` ${[...wordsOf(text)].join(" ")} `;
  return query.phrases.every((phrase) => sequence.includes(toSequence(phrase)));
}

function toSequence(phrase: readonly SearchWord[]): string {
  const ending = phrase.at(-1)?.isPrefix === true ? "" : " ";
  return ` ${phrase.map(({ text }) => text).join(" ")}${ending}`;
}

function isAmong(indexed: ReadonlySet<string>, { text, isPrefix }: SearchWord): boolean {
  return indexed.has(text) || (isPrefix && [...indexed].some((word) => word.startsWith(text)));
}

/** The words of one part of a search: those of the text, but that the last character of all may go on. */
function soughtWords(part: string): SearchWord[] {
  const folded = foldText(part);
  const runs = [...folded.matchAll(RUN)];
  const words = runs.flatMap((run) => wordsOfRun(run));
  const last = runs.at(-1);
  if (last?.groups?.unspaced === undefined) {
    const isPrefix = last !== undefined && folded[last.index + last[0].length] === "*";
    return toSought(words, isPrefix);
  }
  // A character stands alone in the index where its run ends; everywhere else it begins a pair.
  const isPair = wordsOfRun(last).length > 1;
  return isPair ? toSought(words.slice(0, -1), false) : toSought(words, true);
}

function toSought(words: readonly string[], isPrefix: boolean): SearchWord[] {
  return words.map((text, at) => ({ text, isPrefix: isPrefix && at === words.length - 1 }));
}

/** The words of a text in their order, each as often as it comes. */
function* wordsOf(text: string): Generator<string> {
  for (const run of foldText(text).matchAll(RUN)) yield* wordsOfRun(run);
}

function wordsOfRun(run: RegExpExecArray): string[] {
  if (run.groups?.unspaced === undefined) return [cut(run[0])];
  const characters = [...run[0]];
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : [...word.slice(0, 2 * MAX_WORD)].slice(0, MAX_WORD).join("");
}
