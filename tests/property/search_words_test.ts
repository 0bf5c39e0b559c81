import assert from "node:assert/strict";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";
import {
  createHighlighter,
  foldText,
  hasPhrases,
  matchesSearch,
  MAX_INDEXED_WORDS,
  MAX_WORD_LENGTH,
  parseSearch,
  searchWords,
} from "@/lib/chat/messages/narrow/search_words.ts";

const anything = fc.string({ unit: codePoint, maxLength: 200, size: "max" });
/** Short pieces that combine in many ways. */
const piece = fc.constantFrom(
  "a",
  "B",
  "é",
  "ß",
  "1",
  "日",
  "本",
  "が",
  " ",
  "  ",
  ".",
  "-",
  "'",
  "_",
  "ไ",
  "\u0301",
  "한",
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 30, size: "max" }).map((pieces) => pieces.join("")),
  anything,
);

Deno.test("any text yields a bounded number of short, folded words", () => {
  fc.assert(fc.property(text, (text) => {
    const words = searchWords(text);
    assert.ok(words.size <= MAX_INDEXED_WORDS);
    for (const word of words) {
      const length = [...word].length;
      assert.ok(length >= 1 && length <= MAX_WORD_LENGTH && word.isWellFormed());
      assert.doesNotMatch(word, /[\s\p{P}\p{Cs}]/u);
    }
  }));
});

Deno.test("any ASCII text yields the same words in front of text in another script", () => {
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 200, size: "max" });
  fc.assert(fc.property(ascii, (text) => {
    assert.deepEqual([...searchWords(`${text} ж`)], [...searchWords(text), "ж"]);
    assert.equal(foldText(`${text} ж`), `${foldText(text)} ж`);
  }));
});

Deno.test("any search finds the same words of an ASCII text in front of text in another script", () => {
  const part = fc.constantFrom("a", "B", "ab", "A1", "x".repeat(MAX_WORD_LENGTH), " ", "-", "_", "é");
  const toText = (maxLength: number) => fc.array(part, { maxLength }).map((parts) => parts.join(""));
  const query = fc.oneof(toText(2), toText(2).map((text) => `${text}*`));
  fc.assert(fc.property(query, toText(8), (query, text) => {
    const search = parseSearch(query);
    assert.equal(matchesSearch(search, `${text} ж`), matchesSearch(search, text));
  }));
});

Deno.test("a search marks the same words of HTML in ASCII in front of text in another script", () => {
  const part = fc.constantFrom(
    "a",
    "B",
    "ab",
    "A1",
    " ",
    "<p>",
    "</a>",
    "&amp;",
    "&",
    "-",
    '<a href="a">',
    "*",
  );
  const html = fc.array(part, { maxLength: 30, size: "max" }).map((parts) => parts.join(""));
  fc.assert(fc.property(html, fc.constantFrom("a", "b*", "ab a1", '"a b"', "amp", "p"), (html, query) => {
    const highlight = createHighlighter([parseSearch(query)]);
    assert.equal(highlight?.(`${html} ж`), `${highlight?.(html)} ж`);
  }));
});

Deno.test("any text with a word is found by itself, quoted or not", () => {
  fc.assert(fc.property(text, (sent) => {
    const text = sent.replace(/["“”„*]/g, " ");
    const isFound = searchWords(text).size > 0;
    assert.equal(matchesSearch(parseSearch(text), text), isFound);
    assert.equal(matchesSearch(parseSearch(`"${text}"`), text), isFound);
  }));
});

Deno.test("any text is found by each of its words and their prefixes", () => {
  fc.assert(fc.property(text, (text) => {
    for (const word of searchWords(text)) {
      const [first = ""] = word;
      assert.ok(matchesSearch(parseSearch(word), text), word);
      assert.ok(matchesSearch(parseSearch(`${first}*`), text), `${first}* of ${word}`);
    }
  }));
});

Deno.test("any text is found regardless of case and accents", () => {
  fc.assert(fc.property(fc.array(piece, { maxLength: 30, size: "max" }), (pieces) => {
    const text = pieces.join("");
    const words = [...searchWords(text)];
    assert.deepEqual([...searchWords(text.toUpperCase())], words);
    assert.deepEqual([...searchWords(text.normalize("NFD"))], words);
  }));
});

Deno.test("folding any text is idempotent", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const folded = foldText(text);
      assert.equal(foldText(folded), folded);
    }),
    numberOfRuns(700),
  );
});

Deno.test("any search for two parts finds the texts that both parts find", () => {
  fc.assert(fc.property(text, text, text, (one, other, content) => {
    const [a, b] = [one, other].map((part) => part.replace(/["“”„]/g, " "));
    const [left, right, both] = [a, b, `${a} ${b}`].map((query) => parseSearch(query ?? ""));
    assert.ok(left !== undefined && right !== undefined && both !== undefined);
    if (left.words.length === 0 || right.words.length === 0) return;
    const isFound = matchesSearch(left, content) && matchesSearch(right, content);
    assert.equal(matchesSearch(both, content), isFound);
  }));
});

Deno.test("any search matches the same by index and text as by text alone", () => {
  fc.assert(fc.property(text, text, (query, content) => {
    const search = parseSearch(query);
    const indexed = [...searchWords(content)];
    const isIndexed = search.words.length > 0 &&
      search.words.every(({ text, isPrefix }) =>
        indexed.some((word) => isPrefix ? word.startsWith(text) : word === text)
      );
    assert.equal(isIndexed && hasPhrases(search, content), matchesSearch(search, content));
  }));
});
