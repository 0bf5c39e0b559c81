import assert from "node:assert/strict";
import { renderValue } from "@/lib/chat/people/profile_fields/change_values.ts";
import { storeField } from "@/tests/casts/profile_fields_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("renderValue() renders only texts, without mentions, and falls back to plain text for long HTML", async () => {
  await using chat = await startChat();
  const [short, link] = [await storeField(chat, "Town", 1), await storeField(chat, "Site", 5)];
  const context = { app: chat.services.chat, realm: chat.realm };
  const render = (text: string) => renderValue(context, short, text);
  assert.equal(renderValue(context, link, "https://a.example"), null);
  assert.equal(render("*a* & <b>"), "<p><em>a</em> &amp; &lt;b&gt;</p>");
  assert.equal(render("@**all** @**topic**"), "<p>@all @topic</p>");
  const long = "🇧🇦<".repeat(300);
  assert.equal(render(long), `<p>${"🇧🇦&lt;".repeat(300)}</p>`);
});
