import assert from "node:assert/strict";
import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { jsonBody } from "@/tests/helpers/app.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { recordWrites } from "@/tests/helpers/write_journal.ts";

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.UTC(2026, 10, 21) / DAY_MS);

async function dayOfUse({ services: { chat }, realm }: TestChat, id: number): Promise<number | null> {
  const user = await readUser(chat, realm.id, id);
  return user === null ? null : await readKeyUseDay(chat, realm.id, user);
}

Deno.test("a request with an API key records its day, and later requests of the day write nothing", async () => {
  await using chat = await startChat();
  assert.equal(await dayOfUse(chat, chat.guest.id), null);
  await chat.call(chat.guest, "GET /users/me");
  assert.equal(await dayOfUse(chat, chat.guest.id), TODAY);
  const journal = recordWrites(chat.services.store.kv);
  for (let at = 0; at < 3; at++) await chat.call(chat.guest, "GET /users/me");
  assert.deepEqual(journal.keys, []);
  chat.clock.time += DAY_MS;
  await chat.call(chat.guest, "GET /users/me");
  assert.equal(journal.keys.length, 1);
  assert.equal(await dayOfUse(chat, chat.guest.id), TODAY + 1);
});

Deno.test("requests that are refused, and those of a browser's session, are no uses of the key", async () => {
  await using chat = await startChat();
  const guest = await signIn(chat, chat.guest);
  await guest.get("/account");
  await chat.call({ ...chat.guest, apiKey: chat.guest.apiKey.toLowerCase() }, "GET /users/me");
  assert.equal(await dayOfUse(chat, chat.guest.id), null);
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  assert.equal((await chat.call(chat.guest, "GET /users/me")).status, 401);
  assert.equal(await dayOfUse(chat, chat.guest.id), null);
});

Deno.test("incoming webhooks and downloads with a key in the address are uses of the key", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, "POST /bots", {
    full_name: "Builds",
    short_name: "builds",
    bot_type: 2,
  });
  const post = await chat.request(
    `/api/v1/external/json?api_key=${body.api_key}&stream=x`,
    jsonBody({ text: "x" }),
  );
  await post.body?.cancel();
  assert.equal(await dayOfUse(chat, body.user_id), TODAY);
  const response = await chat.request(`/user_uploads/1/x/y.txt?api_key=${chat.moderator.apiKey}`);
  await response.body?.cancel();
  assert.equal(await dayOfUse(chat, chat.moderator.id), TODAY);
});

Deno.test("the pages of users, of bots and of the account say when a key was last used", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.admin, "POST /bots", {
    full_name: "Sprinkler",
    short_name: "sprinkler",
    bot_type: 1,
  });
  const bot = {
    ...chat.bot,
    id: body.user_id,
    email: "sprinkler-bot@gardeners.example",
    apiKey: body.api_key,
  };
  const pages = [`/admin/users/${bot.id}`, `/admin/bots/${bot.id}/key`];
  const admin = await signIn(chat, chat.admin);
  for (const page of pages) {
    assert.match((await admin.get(page)).html, /The API key has not been used yet\./);
  }
  const { body: account } = await chat.call(chat.admin, `GET /users/${bot.id}`);
  await chat.call({ ...bot, email: account.user.email }, "GET /users/me");
  for (const page of pages) {
    assert.match((await admin.get(page)).html, /API key last used on Nov 21, 2026 \(UTC\)\./);
  }
  const guest = await signIn(chat, chat.guest);
  assert.match((await guest.get("/account")).html, /This key has not been used yet\./);
  await chat.call(chat.guest, "GET /users/me");
  assert.match((await guest.get("/account")).html, /Last used on Nov 21, 2026 \(UTC\)\./);
  assert.match((await admin.get(`/admin/users/${chat.guest.id}`)).html, /API key last used on Nov 21, 2026/);

  // Days are those of UTC, whatever the time zone of the viewer.
  await chat.call(chat.admin, "PATCH /settings", { timezone: "Pacific/Honolulu" });
  const { html } = await admin.get(`/admin/users/${chat.guest.id}`);
  assert.match(html, /API key last used on Nov 21, 2026 \(UTC\)\./);
  await chat.call(chat.admin, `POST /bots/${bot.id}/api_key/regenerate`);
  assert.match((await admin.get(pages[0] ?? "")).html, /The API key has not been used yet\./);
});
