import assert from "node:assert/strict";
import {
  foldText,
  matchesSearch,
  MAX_INDEXED_WORDS,
  MAX_WORD,
  parseSearch,
  searchWords,
} from "@/lib/chat/messages/search_words.ts";
import { assertLinear } from "@/tests/helpers/assert_linear.ts";

function words(text: string): string[] {
  return [...searchWords(text)];
}

function finds(query: string, text: string): boolean {
  return matchesSearch(parseSearch(query), text);
}

Deno.test("foldText() makes case, accents and compatibility forms equal", () => {
  for (const street of ["Straße", "STRASSE", "STRAẞE"]) assert.equal(foldText(street), "strasse");
  for (const name of ["ΣΊΣΥΦΟΣ", "σίσυφος"]) assert.equal(foldText(name), "σισυφοσ");
  assert.equal(foldText("İstanbul"), "istanbul");
  assert.equal(foldText("ﬁne Ｗｉｄｅ e\u0301té"), "fine wide ete");
  assert.equal(foldText("שָׁלוֹם"), "שלום");
});

Deno.test("foldText() keeps the marks that make another word", () => {
  assert.notEqual(foldText("か"), foldText("が"));
  assert.equal(foldText("हिन्दी"), "हिन्दी");
});

Deno.test("searchWords() gives each word once, numbers too, punctuation not", () => {
  assert.deepEqual(words("Hello, hello — v2 costs 3.14 (snake_case)! 😀"), [
    "hello",
    "v2",
    "costs",
    "3",
    "14",
    "snake",
    "case",
  ]);
  assert.deepEqual(words(" \n!? "), []);
});

Deno.test("searchWords() gives pairs of characters where there are no blanks between words", () => {
  assert.deepEqual(words("日本語x"), ["日本", "本語", "語", "x"]);
  assert.deepEqual(words("안녕 ตา"), ["안녕", "녕", "ตา", "า"]);
});

Deno.test("searchWords() is bounded in words and in their length", () => {
  const many = Array.from({ length: 600 }, (_, at) => `w${at}`).join(" ");
  assert.equal(words(many).length, MAX_INDEXED_WORDS);
  assert.deepEqual(words("a".repeat(1000)), ["a".repeat(MAX_WORD)]);
  assert.deepEqual(words("𝒽".repeat(50)), ["h".repeat(MAX_WORD)]);
  assert.deepEqual(words("𐐨".repeat(50)), ["𐐨".repeat(MAX_WORD)]);
});

Deno.test("parseSearch() tells words, phrases and beginnings apart", () => {
  const { words, phrases } = parseSearch('Lunch "big room" gard*');
  assert.deepEqual(words, [
    { text: "lunch", isPrefix: false },
    { text: "big", isPrefix: false },
    { text: "room", isPrefix: false },
    { text: "gard", isPrefix: true },
  ]);
  assert.deepEqual(phrases.map((phrase) => phrase.map(({ text }) => text)), [["big", "room"]]);
});

Deno.test("all words of a search must be there, in any order", () => {
  assert.ok(finds("room big", "The big, green ROOM"));
  assert.ok(!finds("room small", "The big room"));
  assert.ok(!finds("roo", "The big room"));
});

Deno.test("quoted words must stand together, whatever stands between", () => {
  assert.ok(finds('"big room"', "a Big  *room*!"));
  assert.ok(!finds('"big room"', "a room, big"));
  assert.ok(!finds('"big room"', "big roomy"));
  assert.ok(finds('"big room', "big room"), "a quote need not be closed");
});

Deno.test("what punctuation joins must stand together", () => {
  assert.ok(finds("ada@example.com", "mail ada@example.com!"));
  assert.ok(!finds("ada@example.com", "example.com of ada"));
});

Deno.test("a star asks for words that begin so", () => {
  assert.ok(finds("gard*", "the gardeners"));
  assert.ok(finds('"the gard*"', "the gardeners"));
  assert.ok(!finds("gard*", "the vanguard"));
  assert.deepEqual(parseSearch("the*gar-den*").words.map(({ isPrefix }) => isPrefix), [false, false, true]);
});

Deno.test("text without blanks is found by any part of it", () => {
  for (const part of ["日", "本", "語", "日本", "本語", "日本語"]) {
    assert.ok(finds(part, "これは日本語。"), part);
  }
  assert.ok(!finds("日語", "これは日本語。"));
  assert.ok(!finds("日本語", "本語と日本"), "pairs that do not stand together");
  assert.ok(finds('"日本 語"', "日本 語学"));
});

Deno.test("a search without a word finds nothing", () => {
  for (const query of ["", "  ", '""', "!?", "*", "😀"]) assert.ok(!finds(query, "!? * 😀"), query);
});

Deno.test("words beyond those that are indexed are not found", () => {
  const many = Array.from({ length: 600 }, (_, at) => `w${at}`).join(" ");
  assert.ok(finds("w499", many) && !finds("w500", many));
});

Deno.test("hostile text costs time in proportion to its length", async () => {
  const hostile = ["a", "日", "a日", "a ", "\u0301", "ﷺ", '"', '"a', "*", "\ud800", "ᾳ", "a\u200d"];
  const read = (text: string) => {
    searchWords(text);
    parseSearch(text);
  };
  for (const part of hostile) {
    await assertLinear(read, { make: (length) => part.repeat(length / part.length), longest: 80_000 });
  }
});
