import { foldText, isAscii, isAsciiWord, RUN, type SearchQuery, type SearchWord } from "./search_words.ts";

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
  const plain = words.filter(({ text }) => isAsciiWord(text));
  if (plain.length === 0) return (html) => html;
  const alternatives = plain.map(({ text, isPrefix }) => isPrefix ? `${text}[a-z0-9]*` : text).join("|");
  const pattern = new RegExp(`<[^<>]*>|&[#\\w]+;|(?<![a-z0-9])(?:${alternatives})(?![a-z0-9])`, "gi");
  return (html) => html.replace(pattern, (piece) => /^[<&]/.test(piece) ? piece : mark(piece));
}

/** Marks words in any HTML. */
function createAnyMarker(words: readonly SearchWord[]): Highlighter {
  const remembered = new Map<string, boolean>();
  const isFound = (text: string) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const folded = foldText(text);
    const found = words.some((word) => isMatch(word, folded));
    if (remembered.size < MAX_REMEMBERED) remembered.set(text, found);
    return found;
  };
  const markText = markRun(isFound);
  return (html) => replaceText(html, (text) => text.replace(RUN, markText));
}

/** Replaces the text of HTML, which is outside of tags and character references. */
function replaceText(html: string, replace: (text: string) => string): string {
  return html.replace(PIECE, (piece) => /^[<&]/.test(piece) ? piece : replace(piece));
}

function isMatch({ text, isPrefix }: SearchWord, folded: string): boolean {
  return isPrefix ? folded.startsWith(text) : folded === text;
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
