import assert from "node:assert/strict";
import {
  foldText,
  matchesSearch,
  MAX_INDEXED_WORDS,
  MAX_WORD_LENGTH,
  parseSearch,
  searchWords,
} from "@/lib/chat/messages/narrow/search_words.ts";
import { assertLinear } from "@/tests/helpers/assert_linear.ts";

function words(text: string): string[] {
  return [...searchWords(text)];
}

function finds(query: string, text: string): boolean {
  return matchesSearch(parseSearch(query), text);
}

Deno.test("foldText() ignores case, accents and compatibility forms", () => {
  for (const street of ["Straße", "STRASSE", "STRAẞE"]) assert.equal(foldText(street), "strasse");
  for (const name of ["ΣΊΣΥΦΟΣ", "σίσυφος"]) assert.equal(foldText(name), "σισυφοσ");
  assert.equal(foldText("İstanbul"), "istanbul");
  assert.equal(foldText("ﬁne Ｗｉｄｅ e\u0301té"), "fine wide ete");
  assert.equal(foldText("שָׁלוֹם"), "שלום");
});

Deno.test("foldText() keeps marks that distinguish words", () => {
  assert.notEqual(foldText("か"), foldText("が"));
  assert.equal(foldText("हिन्दी"), "हिन्दी");
});

Deno.test("searchWords() returns each word and number once, without punctuation", () => {
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

Deno.test("searchWords() returns pairs of characters for scripts without blanks", () => {
  assert.deepEqual(words("日本語x"), ["日本", "本語", "語", "x"]);
  assert.deepEqual(words("안녕 ตา"), ["안녕", "녕", "ตา", "า"]);
});

Deno.test("searchWords() limits the number and length of words", () => {
  const many = Array.from({ length: 600 }, (_, at) => `w${at}`).join(" ");
  assert.equal(words(many).length, MAX_INDEXED_WORDS);
  assert.deepEqual(words("a".repeat(1000)), ["a".repeat(MAX_WORD_LENGTH)]);
  assert.deepEqual(words("𝒽".repeat(50)), ["h".repeat(MAX_WORD_LENGTH)]);
  assert.deepEqual(words("𐐨".repeat(50)), ["𐐨".repeat(MAX_WORD_LENGTH)]);
});

Deno.test("parseSearch() distinguishes words, phrases and prefixes", () => {
  const { words, phrases } = parseSearch('Lunch "big room" gard*');
  assert.deepEqual(words, [
    { text: "lunch", isPrefix: false },
    { text: "big", isPrefix: false },
    { text: "room", isPrefix: false },
    { text: "gard", isPrefix: true },
  ]);
  assert.deepEqual(phrases.map((phrase) => phrase.map(({ text }) => text)), [["big", "room"]]);
});

Deno.test("matchesSearch() requires all words, in any order", () => {
  assert.ok(finds("room big", "The big, green ROOM"));
  assert.ok(!finds("room small", "The big room"));
  assert.ok(!finds("roo", "The big room"));
});

Deno.test("matchesSearch() finds each word and each phrase in any of several texts", () => {
  const matches = (query: string, ...texts: string[]) => matchesSearch(parseSearch(query), ...texts);
  assert.ok(matches("room big", "The big house", "A room"));
  assert.ok(matches('"big house" "a room"', "The big house", "A room"));
  assert.ok(!matches('"house a"', "The big house", "A room"));
  assert.ok(!matches("big", "A room", ""));
  assert.ok(matches("日本 café", "日本語", "Cafe"));
  assert.ok(!matches("日語", "日", "語"));
});

Deno.test("matchesSearch() requires quoted words to be adjacent, ignoring punctuation", () => {
  assert.ok(finds('"big room"', "a Big  *room*!"));
  assert.ok(!finds('"big room"', "a room, big"));
  assert.ok(!finds('"big room"', "big roomy"));
  assert.ok(finds('"big room', "big room"), "a quote need not be closed");
});

Deno.test("matchesSearch() requires words joined by punctuation to be adjacent", () => {
  assert.ok(finds("ada@example.com", "mail ada@example.com!"));
  assert.ok(!finds("ada@example.com", "example.com of ada"));
});

Deno.test("matchesSearch() treats a trailing star as a prefix search", () => {
  assert.ok(finds("gard*", "the gardeners"));
  assert.ok(finds('"the gard*"', "the gardeners"));
  assert.ok(!finds("gard*", "the vanguard"));
  assert.deepEqual(parseSearch("the*gar-den*").words.map(({ isPrefix }) => isPrefix), [false, false, true]);
});

Deno.test("matchesSearch() finds any part of a text without blanks", () => {
  for (const part of ["日", "本", "語", "日本", "本語", "日本語"]) {
    assert.ok(finds(part, "これは日本語。"), part);
  }
  assert.ok(!finds("日語", "これは日本語。"));
  assert.ok(!finds("日本語", "本語と日本"), "pairs that do not stand together");
  assert.ok(finds('"日本 語"', "日本 語学"));
});

Deno.test("matchesSearch() finds nothing for a search without words", () => {
  for (const query of ["", "  ", '""', "!?", "*", "😀"]) assert.ok(!finds(query, "!? * 😀"), query);
});

Deno.test("matchesSearch() ignores words beyond the indexed ones", () => {
  const many = Array.from({ length: 600 }, (_, at) => `w${at}`).join(" ");
  assert.ok(finds("w499", many) && !finds("w500", many));
});

Deno.test("searchWords() and parseSearch() take linear time for hostile text", async () => {
  const hostile = ["a", "日", "a日", "a ", "\u0301", "ﷺ", '"', '"a', "*", "\ud800", "ᾳ", "a\u200d"];
  const read = (text: string) => {
    searchWords(text);
    parseSearch(text);
  };
  for (const part of hostile) {
    await assertLinear(read, { make: (length) => part.repeat(length / part.length), longest: 80_000 });
  }
});
