// Resumable uploads whose credentials end while they arrive
import assert from "node:assert/strict";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

/** Returns a body whose sender's key is replaced once its first part was read. */
function createBody(chat: TestChat, user: TestUser, [first, second]: readonly [string, string]) {
  const encoder = new TextEncoder();
  let isBegun = false;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      if (!isBegun) {
        isBegun = true;
        controller.enqueue(encoder.encode(first));
        return;
      }
      assert.equal((await chat.call(user, "POST /users/me/api_key/regenerate")).status, 200);
      controller.enqueue(encoder.encode(second));
      controller.close();
    },
  });
}

Deno.test("a resumable upload whose sender's key is replaced while its end arrives is finished with the new key only", async () => {
  await using chat = await startChat();
  const request = (apiKey: string, method: string, headers: Record<string, string>, body?: BodyInit) => {
    const authorization = basic(chat.member.email, apiKey);
    const init = { method, headers: { authorization, "tus-resumable": "1.0.0", ...headers } };
    return chat.request(path, body === undefined ? init : { ...init, body });
  };
  let path = "/api/v1/tus";
  const { apiKey } = chat.member;
  const begun = await request(apiKey, "POST", { "upload-length": "11" });
  path = new URL(begun.headers.get("location") ?? "").pathname;
  const part = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const ended = await request(apiKey, "PATCH", part, createBody(chat, chat.member, ["hello ", "world"]));
  assert.deepEqual([ended.status, await ended.json()], [401, { message: "Unauthenticated upload" }]);
  const form = new URLSearchParams({ username: chat.member.email, password: "a quiet garden wall" });
  const fetched = await chat.request("/api/v1/fetch_api_key", { method: "POST", body: form });
  const { api_key } = await fetched.json();
  const rest = { ...part, "upload-offset": "11" };
  const finished = await request(api_key, "PATCH", rest, "");
  assert.equal(finished.status, 200, await finished.clone().text());
});
