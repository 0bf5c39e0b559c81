import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const HELPER = { full_name: "Helper", short_name: "helper" };
const HUMANS_ONLY = [400, "BAD_REQUEST", "This endpoint does not accept bot requests."];
const NO_GUESTS = [400, "BAD_REQUEST", "Not allowed for guest users"];
const INSUFFICIENT = [400, "BAD_REQUEST", "Insufficient permission"];

async function request(chat: TestChat, caller: TestUser | null, endpoint: string, params = {}) {
  const { status, body } = await chat.call(caller, endpoint, params);
  return [status, body.code, body.msg];
}

async function getUser(chat: TestChat, id: number) {
  return (await chat.call(chat.owner, `GET /users/${id}`)).body.user;
}

Deno.test("POST /bots creates a bot with a working key and sends events", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.moderator, "POST /bots", {
    ...HELPER,
    bot_type: 1,
    role: 100,
  });
  const { user_id, api_key } = body;
  const avatar_url = `http://localhost:8000/avatar/${user_id}?version=1`;
  const defaults = {
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  };
  assert.deepEqual([status, body], [200, {
    ...{ result: "success", msg: "", user_id, api_key, avatar_url },
    ...defaults,
    ignored_parameters_unsupported: ["role"],
  }]);
  const bot = { ...chat.bot, email: "helper-bot@localhost", apiKey: api_key };
  const own = (await chat.call(bot, "GET /users/me")).body;
  assert.deepEqual([own.user_id, own.is_bot, own.bot_type, own.bot_owner_id, own.role], [
    ...[user_id, true, 1],
    ...[chat.moderator.id, 400],
  ]);
  const sent = await chat.events();
  assert.deepEqual(sent.map(({ event, audience }) => [event.type, event.op, audience]), [
    ["realm_user", "add", "everyone"],
    ["user_group", "add_members", "everyone"],
    ["user_group", "add_members", "everyone"],
    ["realm_bot", "add", "admins"],
    ["realm_bot", "add", [chat.moderator.id]],
  ]);
  assert.deepEqual(sent[3]?.event.bot, {
    ...{ user_id, full_name: "Helper", bot_type: 1, email: "helper-bot@localhost", is_active: true },
    ...{ owner_id: chat.moderator.id, services: [], avatar_url },
    ...defaults,
  });
  assert.equal(JSON.stringify(sent).includes(api_key), false);
});

Deno.test("POST /bots accepts multipart forms and refuses bots, guests and missing credentials", async () => {
  await using chat = await startChat();
  assert.equal((await request(chat, null, "POST /bots", HELPER))[0], 401);
  assert.deepEqual(await request(chat, chat.bot, "POST /bots"), HUMANS_ONLY);
  assert.deepEqual(await request(chat, chat.guest, "POST /bots"), NO_GUESTS);
  const form = new FormData();
  for (const [name, value] of Object.entries(HELPER)) form.set(name, value);
  form.set("file", new File([new Uint8Array(3)], "picture.png"));
  const authorization = `Basic ${btoa(`${chat.member.email}:${chat.member.apiKey}`)}`;
  const answer = await chat.request("/api/v1/bots", {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  assert.equal((await answer.json()).result, "success");
});

Deno.test("POST /bots refuses invalid and taken names, unknown types and missing parameters", async () => {
  await using chat = await startChat();
  const create = async (change: Record<string, unknown>) =>
    (await request(chat, chat.member, "POST /bots", { ...HELPER, ...change }))[2];
  assert.equal(
    (await request(chat, chat.member, "POST /bots", { short_name: "x" }))[2],
    "Missing 'full_name' argument",
  );
  assert.equal(
    (await request(chat, chat.member, "POST /bots", { full_name: "x" }))[2],
    "Missing 'short_name' argument",
  );
  for (const short_name of ["", " ", "a b", "a@b", "ä", "x".repeat(61)]) {
    assert.equal(await create({ short_name }), "Bad name or username", short_name);
  }
  assert.equal(await create({ full_name: "" }), "Name must not be empty!");
  for (const bot_type of [0, 4, 5]) assert.equal(await create({ bot_type }), "Invalid bot type");
  assert.equal(await create({ bot_type: "x" }), "bot_type is not valid JSON");
  assert.equal(await create({ bot_type: 2 }), "");
  assert.equal(await create({ short_name: "HELPER" }), "Username already in use");
});

Deno.test("GET /bots returns the caller's active bots with their keys", async () => {
  await using chat = await startChat();
  assert.equal((await request(chat, null, "GET /bots"))[0], 401);
  assert.deepEqual(await request(chat, chat.bot, "GET /bots"), HUMANS_ONLY);
  assert.deepEqual(await request(chat, chat.guest, "GET /bots"), NO_GUESTS);
  assert.deepEqual((await chat.call(chat.admin, "GET /bots")).body.bots, []);
  const bots = async () => (await chat.call(chat.member, "GET /bots")).body.bots;
  assert.deepEqual(await bots(), [{
    user_id: chat.bot.id,
    username: "bot@example.com",
    full_name: "Bot",
    api_key: chat.bot.apiKey,
    avatar_url: `http://localhost:8000/avatar/${chat.bot.id}?version=1`,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  }]);
  await chat.call(chat.member, `DELETE /bots/${chat.bot.id}`);
  assert.deepEqual(await bots(), []);
});

Deno.test("PATCH /bots/{bot_id} updates name and role for the bot's owner and for administrators", async () => {
  await using chat = await startChat();
  const path = `PATCH /bots/${chat.bot.id}`;
  const { status, body } = await chat.call(chat.member, path, { full_name: " New ", role: 600, zebra: 1 });
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    full_name: "New",
    avatar_url: `http://localhost:8000/avatar/${chat.bot.id}?version=1`,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    bot_owner: "member@example.com",
    ignored_parameters_unsupported: ["zebra"],
  }]);
  const user_id = chat.bot.id;
  const sent = (await chat.events()).filter(({ event }) => event.type.startsWith("realm_"));
  assert.deepEqual(
    sent.map(({ event, audience }) => [event.type, event.person ?? event.bot, audience]),
    [
      ["realm_user", { user_id, full_name: "New" }, "everyone"],
      ["realm_bot", { user_id, full_name: "New" }, "admins"],
      ["realm_bot", { user_id, full_name: "New" }, [chat.member.id]],
      ["realm_user", { user_id, role: 600 }, "everyone"],
    ],
  );
  assert.equal((await request(chat, chat.admin, path, { role: 200 }))[0], 200);
  assert.equal((await getUser(chat, user_id)).role, 200);
});

Deno.test("PATCH refuses a role for a bot above the caller's own on every path (CVE-2022-31168)", async () => {
  await using chat = await startChat();
  const { member, moderator, admin, bot } = chat;
  const adminRequired = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"];
  const ownerRequired = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"];
  for (const path of [`PATCH /bots/${bot.id}`, `PATCH /users/${bot.id}`]) {
    assert.deepEqual(await request(chat, member, path, { role: 100 }), ownerRequired);
    assert.deepEqual(await request(chat, member, path, { role: 200 }), adminRequired);
    assert.deepEqual(await request(chat, member, path, { role: 300 }), adminRequired);
    assert.deepEqual(await request(chat, admin, path, { role: 100 }), ownerRequired);
    assert.deepEqual(await request(chat, moderator, path, { role: 600 }), INSUFFICIENT);
  }
  assert.equal((await getUser(chat, bot.id)).role, 400);
});

Deno.test("PATCH /bots/{bot_id} transfers a bot to another active human", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const path = `PATCH /bots/${bot.id}`;
  await chat.call(owner, `DELETE /users/${guest.id}`);
  await chat.events();
  const transfer = async (bot_owner_id: unknown) => (await request(chat, admin, path, { bot_owner_id }))[2];
  assert.equal(await transfer(guest.id), "Failed to change owner, user is deactivated");
  assert.equal(await transfer(bot.id), "Failed to change owner, bots can't own other bots");
  for (const id of [outsider.id, 99999999, -1]) {
    assert.equal(await transfer(id), "Failed to change owner, no such user");
  }
  assert.equal(await transfer("x"), "bot_owner_id is not valid JSON");
  assert.deepEqual(await chat.events(), []);
  assert.equal(
    (await chat.call(member, path, { bot_owner_id: moderator.id })).body.bot_owner,
    moderator.email,
  );
  const sent = (await chat.events()).map(({ event, audience }) => [event.type, event.op, audience]);
  assert.deepEqual(sent, [
    ["realm_user", "update", "everyone"],
    ["realm_bot", "update", "admins"],
    ["realm_bot", "delete", [member.id]],
    ["realm_bot", "add", [moderator.id]],
  ]);
  assert.equal((await chat.call(moderator, "GET /bots")).body.bots.length, 1);
  assert.deepEqual((await chat.call(member, "GET /bots")).body.bots, []);
  assert.deepEqual(await request(chat, member, path, { full_name: "Mine" }), INSUFFICIENT);
});

Deno.test("PATCH, DELETE /bots/{bot_id} and POST /bots/{bot_id}/api_key/regenerate refuse callers without permission", async () => {
  await using chat = await startChat();
  const { owner, moderator, member, guest, bot, outsider } = chat;
  for (const [method, rest] of [["PATCH", ""], ["DELETE", ""], ["POST", "/api_key/regenerate"]]) {
    const path = (id: number | string) => `${method} /bots/${id}${rest}`;
    assert.equal((await request(chat, null, path(bot.id)))[0], 401);
    assert.deepEqual(await request(chat, bot, path(bot.id)), HUMANS_ONLY);
    assert.deepEqual(await request(chat, guest, path(bot.id)), NO_GUESTS);
    assert.deepEqual(await request(chat, moderator, path(bot.id)), INSUFFICIENT);
    assert.deepEqual(await request(chat, outsider, path(bot.id)), [400, "BAD_REQUEST", "No such bot"]);
    assert.deepEqual(await request(chat, owner, path(member.id)), [400, "BAD_REQUEST", "No such bot"]);
    assert.equal((await request(chat, owner, path("x")))[0], 404);
  }
  assert.equal((await request(chat, member, `DELETE /bots/${bot.id}`))[0], 200);
  assert.equal((await request(chat, bot, "GET /users/me"))[1], "USER_DEACTIVATED");
  assert.equal((await request(chat, member, `DELETE /bots/${bot.id}`))[2], "User is deactivated");
});

Deno.test("DELETE /bots/{bot_id} of a bot with the owner role is refused to administrators", async () => {
  await using chat = await startChat();
  await chat.call(chat.owner, `PATCH /bots/${chat.bot.id}`, { role: 100 });
  assert.equal(
    (await request(chat, chat.admin, `DELETE /bots/${chat.bot.id}`))[2],
    "Must be an organization owner",
  );
  assert.equal((await request(chat, chat.member, `DELETE /bots/${chat.bot.id}`))[0], 200);
});

Deno.test("POST /bots/{bot_id}/api_key/regenerate replaces the key at once", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.member, `POST /bots/${chat.bot.id}/api_key/regenerate`);
  assert.deepEqual([status, Object.keys(body)], [200, ["result", "msg", "api_key"]]);
  assert.match(body.api_key, /^[0-9A-Za-z]{32}$/);
  assert.equal((await request(chat, chat.bot, "GET /users/me"))[1], "INVALID_API_KEY");
  assert.equal((await request(chat, { ...chat.bot, apiKey: body.api_key }, "GET /users/me"))[0], 200);
  const sent = await chat.events();
  assert.deepEqual(sent.map(({ audience }) => audience), [[chat.bot.id, chat.member.id]]);
  assert.equal(JSON.stringify(sent).includes(body.api_key), false);
});

Deno.test("POST /bots limits the active bots of a user to those one deactivation can include", async () => {
  await using chat = await startChat();
  for (let index = 1; index < 80; index++) {
    const created = await chat.call(chat.member, "POST /bots", {
      full_name: `B${index}`,
      short_name: `b${index}`,
    });
    assert.equal(created.status, 200);
  }
  const tooMany = await request(chat, chat.member, "POST /bots", HELPER);
  assert.deepEqual(tooMany, [400, "BAD_REQUEST", "One account can own 80 active bots at most."]);
  assert.equal((await request(chat, chat.owner, `DELETE /users/${chat.member.id}`))[0], 200);
  const { members } = (await chat.call(chat.owner, "GET /users")).body;
  const active = members.filter(({ bot_owner_id, is_active }: Record<string, unknown>) =>
    bot_owner_id === chat.member.id && is_active
  );
  assert.deepEqual(active, []);
});
