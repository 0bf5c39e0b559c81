import assert from "node:assert/strict";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

async function begin(chat: TestChat, person: TestUser): Promise<[number, string]> {
  const response = await chat.request("/api/v1/tus", {
    method: "POST",
    headers: {
      "tus-resumable": "1.0.0",
      authorization: basic(person.email, person.apiKey),
      "upload-length": "5",
      "upload-metadata": `filename ${btoa("notes.txt")}`,
    },
  });
  return [response.status, await response.text()];
}

Deno.test("a user can have 100 unfinished resumable uploads, independent of other users", async () => {
  await using chat = await startChat();
  for (let count = 0; count < 100; count++) assert.equal((await begin(chat, chat.member))[0], 201);
  const [status, text] = await begin(chat, chat.member);
  assert.equal(status, 429);
  assert.match(text, /Too many uploads are in progress\./);
  assert.equal((await begin(chat, chat.admin))[0], 201);
});
