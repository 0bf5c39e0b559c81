import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

Deno.test("a page is logged with its pattern, also for a visitor whom the gate sends away", async () => {
  await using chat = await startChat();
  const path = `/admin/users/${chat.member.id}`;
  const owner = await signIn(chat, chat.owner);
  await visitPages(chat).get(path);
  await owner.get(path);
  await owner.get("/admin/users/export");
  const log = await chat.log();
  for (const [route, status] of [["users/:id", 303], ["users/:id", 200], ["users/export", 200]]) {
    assert.match(log, new RegExp(`"route":"/admin/${route}","status":${status},`));
  }
});

Deno.test("a path without a page is not found after sign-in, inside the frame", async () => {
  await using chat = await startChat();
  const asked = await visitPages(chat).get("/admin/nothing/here");
  assert.deepEqual([asked.status, asked.location], [303, "/login?next=%2Fadmin%2Fnothing%2Fhere"]);
  const owner = await signIn(chat, chat.owner);
  for (const path of ["/admin/nothing", "/admin/nothing/here", "/admin/users/1/2"]) {
    const { status, html } = await owner.get(path);
    assert.equal(status, 404, path);
    assert.match(html, /<a [^>]*href="\/admin\/channels"/);
    assert.equal((await owner.post(path, { action: "save" })).status, 404, path);
  }
});

Deno.test("a page answers HEAD, and refuses methods that it does not have", async () => {
  await using chat = await startChat();
  const cookie = `sotto_session=${(await signIn(chat, chat.owner)).token()}`;
  const send = async (method: string, path: string) => {
    const response = await chat.request(path, { method, headers: { cookie } });
    return [response.status, response.headers.get("allow"), await response.text() === ""];
  };
  assert.deepEqual(await send("HEAD", "/admin/users/"), [200, null, true]);
  assert.deepEqual((await send("POST", "/admin/users")).slice(0, 2), [405, "GET, HEAD, OPTIONS"]);
  assert.deepEqual(await send("OPTIONS", "/admin/users"), [204, "GET, HEAD, OPTIONS", true]);
});

Deno.test("only administrators of the root organization open the pages of the server", async () => {
  await using chat = await startChat();
  const outsider = await signIn(chat, chat.outsider);
  for (const path of ["/admin/links", "/admin/stats", "/admin/links/1/qr", "/admin/stats/export"]) {
    const { status, html } = await outsider.get(path);
    assert.equal(status, 403, path);
    assert.match(html, /Only administrators of the main organization/);
    assert.match(html, /<a [^>]*href="\/admin\/channels"/);
  }
});
