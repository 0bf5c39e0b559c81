import assert from "node:assert/strict";
import { createHighlighter, parseSearch } from "@/lib/chat/messages/narrow/search_words.ts";

function highlight(search: string, html: string): string {
  const highlighter = createHighlighter([parseSearch(search)]);
  assert.ok(highlighter !== null);
  // Short markers keep the expectations readable.
  return highlighter(html).replaceAll('<span class="highlight">', "[").replaceAll("</span>", "]");
}

Deno.test("createHighlighter() marks whole words in any letter case and accent, and prefixes with a star", () => {
  assert.equal(highlight("rose", "<p>A Rose, a rosé; roses</p>"), "<p>A [Rose], a [rosé]; roses</p>");
  assert.equal(highlight("ros*", "<p>A Rose, roses</p>"), "<p>A [Rose], [roses]</p>");
  assert.equal(
    highlight('"big room" tea', "<p>tea in a big red room</p>"),
    "<p>[tea] in a [big] red [room]</p>",
  );
});

Deno.test("createHighlighter() changes no tag, attribute or character reference", () => {
  const html = '<p class="p amp"><a href="https://amp.example/p?a&amp;b">p &amp; amp</a></p>';
  const expected = '<p class="p amp"><a href="https://amp.example/p?a&amp;b">[p] &amp; [amp]</a></p>';
  assert.equal(highlight("amp p", html), expected);
  assert.equal(highlight("lt script", "&lt;script&gt; & x"), "&lt;[script]&gt; & x");
});

Deno.test("createHighlighter() marks the characters that match in scripts without blanks", () => {
  assert.equal(highlight("日本", "<p>新日本語</p>"), "<p>新[日本]語</p>");
  assert.equal(highlight("本", "<p>新日本</p>"), "<p>新日[本]</p>");
});

Deno.test("createHighlighter() returns null without words", () => {
  assert.equal(createHighlighter([]), null);
  assert.equal(createHighlighter([parseSearch("!?")]), null);
});
