import assert from "node:assert/strict";
import { escapeHtml, toHtml } from "@/lib/core/text.ts";

Deno.test("escapeHtml() escapes what ends a text or an attribute in double quotes, and nothing else", () => {
  assert.equal(escapeHtml(`<a b="c">&amp;'\0\u00a0🐝`), "&lt;a b=&quot;c&quot;&gt;&amp;amp;'\0\u00a0🐝");
  assert.equal(escapeHtml(""), "");
});

Deno.test("toHtml() escapes texts and inserts templates and lists of them unchanged", () => {
  const rows = ["<1>", "2"].map((text) => toHtml`<li>${text}</li>`);
  const { markup } = toHtml`<ul title="${'"&'}">${rows}</ul>${toHtml`<br>`}`;
  assert.equal(markup, '<ul title="&quot;&amp;"><li>&lt;1&gt;</li><li>2</li></ul><br>');
});
