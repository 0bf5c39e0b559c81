import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

async function pathInMail(chat: TestChat, pattern: RegExp): Promise<string> {
  const text = (await chat.mails()).map(({ text }) => text).join("\n");
  const path = pattern.exec(text)?.[0];
  assert.ok(path !== undefined, text);
  return path;
}

async function assertSecret(chat: TestChat, path: string, status: number): Promise<void> {
  const visitor = visitPages(chat);
  for (const send of [() => visitor.get(path), () => visitor.post(path, { new_password: "short" })]) {
    const { headers } = await send();
    assert.equal(headers.get("cache-control"), "no-store, no-transform", path);
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
  }
  assert.equal((await visitor.get(path)).status, status, path);
}

Deno.test("C17: pages whose address holds a secret are neither stored nor sent on as a referrer", async () => {
  await using chat = await startChat();
  await chat.call(chat.owner, "POST /invites", { invitee_emails: "new@example.org", stream_ids: [] });
  await assertSecret(chat, await pathInMail(chat, /\/join\/[^\s"<]+/), 200);
  const link = await chat.call(chat.owner, "POST /invites/multiuse", { stream_ids: [] });
  await assertSecret(chat, new URL(link.body["invite_link"]).pathname, 200);
  await visitPages(chat).post("/forgot-password", { email: chat.member.email });
  await assertSecret(chat, await pathInMail(chat, /\/reset-password\/\w+/), 200);
  await chat.call(chat.member, "PATCH /settings", { email: "other@example.com" });
  const confirmation = await pathInMail(chat, /\/account\/confirm-email\/\w+/);
  const shown = await visitPages(chat).get(confirmation);
  assert.deepEqual([shown.status, shown.headers.get("referrer-policy")], [200, "no-referrer"]);
  await assertSecret(chat, confirmation, 404);
});

Deno.test("C17: so are the pages of unknown links, of the setup and of refused requests", async () => {
  await using chat = await startChat();
  const key = "a".repeat(32);
  for (const path of [`/join/${key}`, `/reset-password/${key}`, `/account/confirm-email/${key}`]) {
    await assertSecret(chat, path, 404);
  }
  const setup = await visitPages(chat).get(`/setup?token=${key}`);
  assert.deepEqual([setup.headers.get("cache-control"), setup.headers.get("referrer-policy")], [
    "no-store, no-transform",
    "no-referrer",
  ]);
  const foreign = await visitPages(chat).post(`/reset-password/${key}`, {}, {
    "sec-fetch-site": "cross-site",
  });
  assert.equal(foreign.status, 400);
  assert.equal(foreign.headers.get("referrer-policy"), "no-referrer");
  await using open = await startChat({ env: { BASE_URL: "http://sotto.internal:8000" } });
  const { headers } = await open.request(`/join/${key}`, { headers: { accept: "text/html" } });
  // Browsers prove the origin of forms only by a referrer where there is no TLS.
  assert.deepEqual([headers.get("cache-control"), headers.get("referrer-policy")], [
    "no-store, no-transform",
    "same-origin",
  ]);
  assert.equal((await visitPages(chat).get("/login")).headers.get("referrer-policy"), "same-origin");
});
