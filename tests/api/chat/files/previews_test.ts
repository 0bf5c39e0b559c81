import assert from "node:assert/strict";
import { upload } from "@/tests/casts/files_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

async function render(chat: TestChat, by: TestUser, content: string): Promise<string> {
  return (await chat.call(by, "POST /messages/render", { content })).body["rendered"];
}

Deno.test("messages preview linked images that the author can read", async () => {
  await using chat = await startChat();
  const image = await upload(chat, chat.member, { name: "cat.png", content: "x", type: "image/png" });
  const text = await upload(chat, chat.member, { name: "cat.png", content: "x", type: "text/html" });
  const { url } = image.body;
  const preview =
    `<div class="message_inline_image"><a href="${url}" title="cat"><img src="${url}"></a></div>`;
  const link = `<p><a href="${url}">cat</a></p>`;
  assert.equal(await render(chat, chat.member, `[cat](${url})`), `${link}\n${preview}`);
  assert.equal(await render(chat, chat.guest, `[cat](${url})`), link, "another user's file");
  assert.equal(
    await render(chat, chat.member, `[cat](${text.body["url"]})`),
    `<p><a href="${text.body["url"]}">cat</a></p>`,
    "no image",
  );
  assert.doesNotMatch(await render(chat, chat.member, "[cat](/user_uploads/1/none/cat.png)"), /<img/);
});
