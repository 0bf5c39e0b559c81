import { readRecord } from "@/lib/store/key.ts";
import assert from "node:assert/strict";
import { realmKeys } from "@/lib/chat/organization/organizations/model.ts";
import { startSession } from "@/lib/chat/people/auth/sessions.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { type ApiResponse, basic, PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

const FETCH = "POST /fetch_api_key";
const REGENERATE = "POST /users/me/api_key/regenerate";
const FAILED = [401, "AUTHENTICATION_FAILED", "Your username or password is incorrect"];
const INVALID = [401, "INVALID_API_KEY", "Invalid API key"];

function toError({ status, body }: ApiResponse): unknown[] {
  return [status, body.code, body.msg];
}

async function change(chat: TestChat, id: number, changes: Partial<UserRecord>): Promise<void> {
  const { store } = chat.services;
  const key = userKeys.user(chat.realm.id, id);
  await writeRows(store, [[key, { ...await readRecord<UserRecord>(store.kv, key), ...changes }]]);
}

Deno.test("POST /fetch_api_key returns the key, the real address and the id to every role", async () => {
  await using chat = await startChat();
  for (const person of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest]) {
    // The cast's owner has the same password.
    const username = ` ${person.email.toUpperCase()} `;
    const { status, body, headers } = await chat.call(null, FETCH, { username, password: PASSWORD });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, {
      result: "success",
      msg: "",
      api_key: person.apiKey,
      email: person.email,
      user_id: person.id,
    });
    assert.match(body.api_key, /^[0-9A-Za-z]{32}$/);
    assert.equal(headers.get("cache-control"), "no-store, no-transform");
  }
});

Deno.test("POST /fetch_api_key always returns the same key, which is not stored", async () => {
  await using chat = await startChat();
  const fetchKey = async () => {
    const { body } = await chat.call(null, FETCH, { username: chat.member.email, password: PASSWORD });
    return body.api_key;
  };
  assert.equal(await fetchKey(), await fetchKey());
  for await (const { key, value } of chat.services.store.kv.list({ prefix: [] })) {
    assert.equal(JSON.stringify([key, value], toText).includes(chat.member.apiKey), false);
  }
});

function toText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

Deno.test("POST /fetch_api_key refuses wrong passwords, unknown addresses, bots and users of other organizations alike", async () => {
  await using chat = await startChat();
  const { member, bot, outsider } = chat;
  await change(chat, chat.guest.id, { email_visibility: 4 });
  await change(chat, chat.admin.id, { password_hash: null });
  const wrong = [
    { username: member.email, password: "wrong" },
    { username: member.email, password: "" },
    { username: member.email, password: member.apiKey },
    { username: member.email, password: ` ${PASSWORD}` },
    { username: "nobody@example.com", password: PASSWORD },
    { username: "", password: PASSWORD },
    { username: "x".repeat(5000), password: PASSWORD },
    { username: bot.email, password: PASSWORD },
    { username: bot.email, password: "" },
    { username: outsider.email, password: PASSWORD },
    { username: chat.admin.email, password: "" },
    // Placeholder addresses cannot be used to sign in.
    { username: `user${chat.guest.id}@localhost`, password: PASSWORD },
  ];
  for (const sent of wrong) {
    const answer = await chat.call(null, FETCH, sent);
    assert.deepEqual(toError(answer), FAILED, JSON.stringify(sent).slice(0, 80));
    assert.deepEqual(Object.keys(answer.body).sort(), ["code", "msg", "result"]);
  }
});

Deno.test("POST /fetch_api_key reveals a deactivation only after the right password", async () => {
  await using chat = await startChat();
  const { member, admin } = chat;
  const ask = async (username: string, password: string) =>
    toError(await chat.call(null, FETCH, { username, password }));
  await change(chat, member.id, { is_active: false });
  assert.deepEqual(await ask(member.email, "wrong"), FAILED);
  assert.deepEqual(await ask(member.email, PASSWORD), [401, "USER_DEACTIVATED", "Account is deactivated"]);
  await writeRows(chat.services.store, [[realmKeys.realm(chat.realm.id), {
    ...chat.realm,
    is_deactivated: true,
  }]]);
  assert.deepEqual(await ask(admin.email, "wrong"), FAILED);
  const over = [401, "REALM_DEACTIVATED", "This organization has been deactivated"];
  assert.deepEqual(await ask(admin.email, PASSWORD), over);
});

Deno.test("POST /fetch_api_key requires both parameters and an organization, and lists unknown parameters", async () => {
  await using chat = await startChat();
  const missing = await chat.call(null, FETCH, { password: PASSWORD });
  assert.deepEqual(toError(missing), [400, "REQUEST_VARIABLE_MISSING", "Missing 'username' argument"]);
  assert.equal(missing.body.var_name, "username");
  assert.equal((await chat.call(null, FETCH, { username: "x" })).body.msg, "Missing 'password' argument");
  const more = { username: chat.member.email, password: PASSWORD, role: 100 };
  assert.deepEqual((await chat.call(null, FETCH, more)).body.ignored_parameters_unsupported, ["role"]);
  const body = new URLSearchParams({ username: chat.member.email, password: PASSWORD });
  const nowhere = await chat.request("/api/v1/fetch_api_key", { method: "POST", body }, "no.localhost:8000");
  assert.deepEqual([nowhere.status, (await nowhere.json()).code], [404, "NONEXISTENT_SUBDOMAIN"]);
});

Deno.test("POST /fetch_api_key returns keys of another organization on its own host", async () => {
  await using chat = await startChat();
  const body = new URLSearchParams({ username: chat.outsider.email, password: PASSWORD });
  const response = await chat.request(
    "/api/v1/fetch_api_key",
    { method: "POST", body },
    "other.localhost:8000",
  );
  assert.equal((await response.json()).api_key, chat.outsider.apiKey);
});

Deno.test("POST /users/me/api_key/regenerate replaces the keys of humans and bots at once", async () => {
  await using chat = await startChat();
  for (const person of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await chat.call(person, REGENERATE);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ["api_key", "msg", "result"]);
    assert.match(body.api_key, /^[0-9A-Za-z]{32}$/);
    assert.notEqual(body.api_key, person.apiKey);
    assert.deepEqual(toError(await chat.call(person, "GET /users/me")), INVALID);
    assert.deepEqual(toError(await chat.call(person, REGENERATE)), INVALID);
    const again = await chat.call({ ...person, apiKey: body.api_key }, "GET /users/me");
    assert.equal(again.body.user_id, person.id);
  }
  const { outsider } = chat;
  assert.equal((await chat.call(outsider, "GET /users/me")).status, 200);
});

Deno.test("POST /users/me/api_key/regenerate changes the fetched key and leaves other users' keys alone", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, REGENERATE, { key: "mine" });
  assert.deepEqual(body.ignored_parameters_unsupported, ["key"]);
  const fetched = await chat.call(null, FETCH, { username: chat.member.email, password: PASSWORD });
  assert.equal(fetched.body.api_key, body.api_key);
  assert.equal((await chat.call(chat.admin, "GET /users/me")).status, 200);
  assert.equal((await chat.call(chat.bot, "GET /users/me")).status, 200);
});

Deno.test("POST /users/me/api_key/regenerate sends an event without the key to the user and to a bot's owner", async () => {
  await using chat = await startChat();
  const person = await chat.call(chat.admin, REGENERATE);
  chat.clock.time++;
  const bot = await chat.call(chat.bot, REGENERATE);
  const events = await chat.events();
  const regeneration = (user_id: number, ...audience: number[]) => ({
    event: { type: "api_key", op: "regenerate", user_id },
    audience,
  });
  const { admin, bot: itself, member } = chat;
  assert.deepEqual(events, [regeneration(admin.id, admin.id), regeneration(itself.id, itself.id, member.id)]);
  const text = JSON.stringify(events);
  assert.equal(text.includes(person.body.api_key) || text.includes(bot.body.api_key), false);
});

Deno.test("POST /users/me/api_key/regenerate succeeds once for concurrent requests with one key", async () => {
  await using chat = await startChat();
  const answers = await Promise.all(Array.from({ length: 8 }, () => chat.call(chat.member, REGENERATE)));
  const good = answers.filter(({ status }) => status === 200);
  assert.equal(good.length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assert.deepEqual(toError(answer), INVALID);
  }
  const apiKey: string = good[0]?.body.api_key;
  assert.equal((await chat.call({ ...chat.member, apiKey }, "GET /users/me")).status, 200);
});

Deno.test("POST /users/me/api_key/regenerate requires the key and refuses browser sessions", async () => {
  await using chat = await startChat();
  const refused = [401, "UNAUTHORIZED", "Not logged in: API authentication or user session required"];
  assert.deepEqual(toError(await chat.call(null, REGENERATE)), refused);
  const { services, member, realm } = chat;
  const entry = await services.store.kv.get<UserRecord>([...userKeys.user(realm.id, member.id)]);
  assert.ok(entry.value);
  const token = await startSession(services.chat, realm, {
    user: entry.value,
    userAgent: "",
    formerToken: null,
  });
  const headers = { cookie: `sotto_session=${token}`, "sec-fetch-site": "same-origin" };
  const own = await chat.request("/api/v1/users/me", { headers });
  assert.equal(own.status, 200, "the session is valid for other endpoints");
  await own.body?.cancel();
  const response = await chat.request("/api/v1/users/me/api_key/regenerate", { method: "POST", headers });
  assert.deepEqual([response.status, (await response.json()).code], [401, "UNAUTHORIZED"]);
  assert.equal((await chat.call(member, "GET /users/me")).status, 200);
});

Deno.test("a username too long for a store key is refused without affecting concurrent requests", async () => {
  await using chat = await startChat();
  const authorization = basic(`${"x".repeat(5000)}@example.com`, "x".repeat(32));
  const [long, ...others] = await Promise.all([
    chat.request("/api/v1/users/me", { headers: { authorization } }),
    ...Array.from({ length: 5 }, () => chat.call(chat.member, "GET /users/me")),
  ]);
  assert.deepEqual([long.status, (await long.json()).code], [401, "INVALID_API_KEY"]);
  for (const { status } of others) assert.equal(status, 200);
});
