import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { download, upload } from "@/tests/casts/files_cast.ts";

function startLimited(limits: Record<string, number>) {
  const rules = Object.entries(limits).map(([name, points]) => [name, { points, seconds: 60 }]);
  return startChat({ env: { RATE_LIMITS: JSON.stringify(Object.fromEntries(rules)) } });
}

Deno.test("downloads and requests of resumable uploads count against the caller's rate limit", async () => {
  await using chat = await startLimited({ api_user: 4, api_address: 2 });
  const { body } = await upload(chat, chat.member, { name: "a.txt", content: "x" });
  const get = () => download(chat, chat.member, body["url"]);
  const ask = () => download(chat, chat.member, "/api/v1/tus/00000000000000000000000000000000");
  assert.equal((await get()).status, 200);
  await ask();
  assert.equal((await get()).status, 200);
  assert.equal((await get()).status, 429);
  assert.equal((await ask()).status, 429);
  // Requests with wrong keys count against the client's address.
  const guess = () => download(chat, null, `${body["url"]}?api_key=${"x".repeat(32)}`);
  assert.deepEqual([(await guess()).status, (await guess()).status, (await guess()).status], [401, 401, 429]);
});
