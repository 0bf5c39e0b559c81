import assert from "node:assert/strict";
import { containsAlertWord } from "@/lib/chat/people/alert_words.ts";
import { assertLinear } from "@/tests/helpers/assert_linear.ts";

function contains(word: string, content: string): boolean {
  return containsAlertWord([{ word, added_at: 10 }], { content, sent_at: 10, edited_at: null });
}

Deno.test("containsAlertWord() finds a word between boundaries, regardless of case", () => {
  const found: [string, string][] = [
    ["rose", "rose"],
    ["rose", "A ROSE is a flower"],
    ["Rose", "the rose, the (rose) and `rose`"],
    ["rose", "**rose**"],
    ["rose", 'call it "rose"'],
    ["rose", "primrose rose"],
    ["rose", "> rose\n\nno"],
    ["red rose", "a Red Rose!"],
    ["c++", "I like C++."],
    ["ÄPFEL", "drei äpfel?"],
    ["🌷", "a 🌷 for you"],
    ["rose", "first\nrose\nlast"],
  ];
  for (const [word, content] of found) assert.ok(contains(word, content), `${word} in ${content}`);
});

Deno.test("containsAlertWord() does not find a part of a word, an address or a mention", () => {
  const missed: [string, string][] = [
    ["rose", "roses"],
    ["rose", "primrose"],
    ["rose", "rose-red"],
    ["rose", "https://x.example/rose"],
    ["rose", "@rose #rose"],
    ["rose", "rose_bush"],
    ["rose", ""],
    ["red rose", "red  rose"],
  ];
  for (const [word, content] of missed) assert.ok(!contains(word, content), `${word} in ${content}`);
});

Deno.test("containsAlertWord() ignores words that are newer than the text of the message", () => {
  const words = [{ word: "rose", added_at: 20 }];
  const message = { content: "rose", sent_at: 10, edited_at: null };
  assert.ok(!containsAlertWord(words, message));
  assert.ok(containsAlertWord(words, { ...message, sent_at: 20 }));
  assert.ok(containsAlertWord(words, { ...message, edited_at: 30 }));
});

Deno.test("containsAlertWord() takes time in proportion to the text", async () => {
  const words = Array.from({ length: 100 }, (_, at) => ({
    word: `${"a".repeat(at % 50)}b${"a".repeat(99 - at % 50)}`,
    added_at: 0,
  }));
  const search = (content: string) => containsAlertWord(words, { content, sent_at: 1, edited_at: null });
  await assertLinear(search, { make: (length) => "a".repeat(length), longest: 10_000 });
  await assertLinear(search, { make: (length) => "a ".repeat(length / 2), longest: 10_000 });
});
