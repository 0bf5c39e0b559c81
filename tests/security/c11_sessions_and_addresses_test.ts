import assert from "node:assert/strict";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

const NEW_ADDRESS = "renamed@example.com";

async function linkOf(chat: TestChat, pattern: RegExp): Promise<string> {
  const text = (await chat.mails()).map(({ text }) => text).join("\n");
  const path = pattern.exec(text)?.[0];
  assert.ok(path !== undefined, text);
  return path;
}

async function isSignedIn(visitor: PageVisitor): Promise<boolean> {
  return (await visitor.get("/account")).status === 200;
}

async function addressOf(chat: TestChat, user: TestUser): Promise<string> {
  return (await chat.call(chat.owner, `GET /users/${user.id}`)).body["user"].delivery_email;
}

Deno.test("C11: a new sign-in ends the former session of that browser, also of another user", async () => {
  await using chat = await startChat();
  const browser = await signIn(chat, chat.member);
  const elsewhere = await signIn(chat, chat.member);
  const former = browser.token();
  assert.ok(former !== null);
  const { status } = await browser.post("/login", { username: chat.admin.email, password: PASSWORD });
  assert.equal(status, 303);
  const thief = visitPages(chat);
  thief.setToken(former);
  assert.equal(await isSignedIn(thief), false);
  assert.deepEqual([await isSignedIn(browser), await isSignedIn(elsewhere)], [true, true]);
});

Deno.test("C11: a refused sign-in ends no session", async () => {
  await using chat = await startChat();
  const browser = await signIn(chat, chat.member);
  await browser.post("/login", { username: chat.admin.email, password: "wrong" });
  assert.ok(await isSignedIn(browser));
});

Deno.test("C11: a password reset revokes the API key of that account", async () => {
  await using chat = await startChat();
  await visitPages(chat).post("/forgot-password", { email: chat.member.email });
  const link = await linkOf(chat, /\/reset-password\/\w+/);
  assert.equal((await chat.call(chat.member, "GET /users/me")).status, 200);
  const password = "orange lantern 77 walk";
  assert.equal((await visitPages(chat).post(link, { new_password: password })).status, 303);
  const refused = await chat.call(chat.member, "GET /users/me");
  assert.deepEqual([refused.status, refused.body["code"]], [401, "INVALID_API_KEY"]);
  const fetched = await chat.call(null, "POST /fetch_api_key", { username: chat.member.email, password });
  const apiKey = fetched.body["api_key"];
  assert.equal((await chat.call({ ...chat.member, apiKey }, "GET /users/me")).status, 200);
  assert.equal((await chat.call(chat.admin, "GET /users/me")).status, 200);
});

Deno.test("C11: the account page changes the address only with the password", async () => {
  await using chat = await startMailingChat();
  const visitor = await signIn(chat, chat.member);
  const form = { action: "email", email: NEW_ADDRESS };
  for (const fields of [form, { ...form, current_password: "wrong" }]) {
    const { status, html } = await visitor.post("/account", fields);
    assert.ok(status >= 400 && html.includes(NEW_ADDRESS), String(status));
  }
  assert.deepEqual(await chat.mails(), []);
  const accepted = await visitor.post("/account", { ...form, current_password: PASSWORD });
  assert.deepEqual([accepted.status, accepted.location], [303, "/account?done=email"]);
  assert.equal((await chat.mails()).length, 1);
});

Deno.test("C11: a browser session changes the address by the API only with the password", async () => {
  await using chat = await startChat();
  const token = (await signIn(chat, chat.member)).token();
  const headers = { cookie: `sotto_session=${token}`, "sec-fetch-site": "same-origin" };
  const change = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ email: NEW_ADDRESS, ...fields });
    const response = await chat.request("/api/v1/settings", { method: "PATCH", headers, body });
    return [response.status, (await response.json()).msg];
  };
  for (const fields of [{}, { old_password: "wrong" }]) {
    assert.deepEqual(await change(fields), [400, "Wrong password!"]);
  }
  assert.deepEqual(await chat.mails(), []);
  assert.deepEqual(await change({ old_password: PASSWORD }), [200, ""]);
  assert.equal((await chat.mails()).length, 1);
});

Deno.test("C11: following the link of an address shows a button, and only the button changes the address", async () => {
  await using chat = await startChat();
  await chat.call(chat.member, "PATCH /settings", { email: NEW_ADDRESS });
  const link = await linkOf(chat, /\/account\/confirm-email\/\w+/);
  const shown = await visitPages(chat).get(link);
  assert.equal(shown.status, 200);
  assert.ok(shown.html.includes(NEW_ADDRESS) && /<form[^>]*method="post"/.test(shown.html));
  assert.equal(await addressOf(chat, chat.member), chat.member.email);
  const foreign = await visitPages(chat).post(link, {}, { "sec-fetch-site": "cross-site" });
  assert.equal(foreign.status, 400);
  assert.equal(await addressOf(chat, chat.member), chat.member.email);
  const confirmed = await visitPages(chat).post(link, {});
  assert.equal(confirmed.status, 200);
  assert.ok(confirmed.html.includes("Email address confirmed"));
  assert.equal(await addressOf(chat, chat.member), NEW_ADDRESS);
  assert.equal((await visitPages(chat).post(link, {})).status, 404);
});
