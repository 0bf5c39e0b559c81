import assert from "node:assert/strict";
import { startTestApp } from "@/tests/helpers/app.ts";
import { basic, startChat } from "@/tests/helpers/chat.ts";

Deno.test("fuzzing: a path of the chat API that cannot be decoded is refused in the shape of that API", async () => {
  await using app = await startTestApp();
  for (const segment of ["%ff", "%", "%zz", "%ed%a0%80"]) {
    const response = await app.request(`/api/v1/streams/${segment}`);
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), {
      result: "error",
      msg: "The path is not valid percent-encoded UTF-8.",
      code: "BAD_REQUEST",
    });
    const { statusCode } = await (await app.request(`/${segment}`)).json();
    assert.equal(statusCode, 400);
  }
});

Deno.test("fuzzing: a field without a name in an upload is left out of the names of ignored parameters", async () => {
  await using chat = await startChat();
  const part = (disposition: string, content: string) =>
    `--limit\r\nContent-Disposition: form-data${disposition}\r\n\r\n${content}\r\n`;
  const body = part('; name=""', "nothing") + part('; name="other"', "nothing") +
    part('; name="file"; filename="a.txt"', "hello") + "--limit--\r\n";
  const response = await chat.request("/api/v1/user_uploads", {
    method: "POST",
    headers: {
      authorization: basic(chat.member.email, chat.member.apiKey),
      "content-type": "multipart/form-data; boundary=limit",
    },
    body,
  });
  const { result, ignored_parameters_unsupported } = await response.json();
  assert.deepEqual([result, ignored_parameters_unsupported], ["success", ["other"]]);
});
