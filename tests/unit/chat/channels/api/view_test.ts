import assert from "node:assert/strict";
import { renderChannelDescription } from "@/lib/chat/channels/api/view.ts";

Deno.test("renderChannelDescription() escapes HTML", () => {
  assert.equal(renderChannelDescription(""), "");
  assert.equal(renderChannelDescription("  "), "");
  assert.equal(
    renderChannelDescription('<script>alert("x")</script> & 1'),
    "<p>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; 1</p>",
  );
});
