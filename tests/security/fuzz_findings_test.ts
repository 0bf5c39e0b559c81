import assert from "node:assert/strict";
import { startTestApp } from "@/tests/helpers/app.ts";

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
