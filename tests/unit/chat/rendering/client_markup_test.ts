import assert from "node:assert/strict";
import table from "./client_markup.json" with { type: "json" };
import { assertHarmless, renderHtml } from "@/tests/casts/rendering_cast.ts";

Deno.test("renderMessage() writes the markup that clients of the chat API parse", async (t) => {
  assert.ok(table.length >= 150);
  for (const { what, content, html } of table) {
    await t.step(what, () => {
      assert.equal(renderHtml(content), html);
      assertHarmless(html);
    });
  }
});
