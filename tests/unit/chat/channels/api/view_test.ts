import assert from "node:assert/strict";
import { renderChannelDescription } from "@/lib/chat/channels/api.ts";

Deno.test("renderChannelDescription() escapes HTML", () => {
  assert.equal(renderChannelDescription(""), "");
  assert.equal(renderChannelDescription("  "), "");
  assert.equal(
    renderChannelDescription('<script>alert("x")</script> & 1'),
    '<p>&lt;script&gt;alert("x")&lt;/script&gt; &amp; 1</p>',
  );
});

Deno.test("renderChannelDescription() renders Markdown, without mentions", () => {
  assert.equal(renderChannelDescription("now **bold**"), "<p>now <strong>bold</strong></p>");
  assert.equal(renderChannelDescription("for @**all**"), "<p>for @all</p>");
});

Deno.test("renderChannelDescription() returns text for HTML that plain text could not need", () => {
  const description = ":tada:".repeat(170);
  assert.equal(renderChannelDescription(description), `<p>${description}</p>`);
});
