import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { sendDirect } from "@/tests/casts/messages_cast.ts";
import { startWebhookChat } from "@/tests/casts/webhooks_cast.ts";

const NEW_BOT = { full_name: "Echo", short_name: "echo", bot_type: 3 };

Deno.test("POST /bots and PATCH /bots/{bot_id} refuse addresses that cannot be posted to", async () => {
  await using chat = await startChat();
  const create = async (params: Record<string, unknown>) =>
    (await chat.call(chat.member, "POST /bots", { ...NEW_BOT, ...params })).body.msg;
  assert.equal(await create({}), "payload_url is not a URL");
  for (
    const payload_url of [
      "",
      "x",
      "ftp://a.example",
      "https://u:p@a.example",
      `https://a.example/${"x".repeat(2000)}`,
    ]
  ) {
    assert.equal(await create({ payload_url }), "payload_url is not a URL", payload_url);
  }
  for (const payload_url of ["http://127.0.0.1/", "https://10.1/", "https://[::1]:8000/"]) {
    assert.equal(await create({ payload_url }), "payload_url must not be an internal address", payload_url);
  }
  assert.equal(
    await create({ payload_url: "https://a.example", interface_type: 2 }),
    "Invalid interface type",
  );
  const { body } = await chat.call(chat.member, "POST /bots", {
    ...NEW_BOT,
    payload_url: "https://a.example",
  });
  const change = async (id: number, params: Record<string, unknown>) =>
    (await chat.call(chat.member, `PATCH /bots/${id}`, params)).body.msg;
  assert.equal(await change(body.user_id, { service_payload_url: "x" }), "payload_url is not a URL");
  assert.equal(await change(body.user_id, { service_interface: 2 }), "Invalid interface type");
  assert.equal(
    await change(chat.bot.id, { service_payload_url: "https://a.example" }),
    "Only outgoing webhook bots have a payload URL",
  );
});

Deno.test("the address of a bot is changed by its owner, with an event that has no token", async () => {
  await using chat = await startChat();
  // Some clients send the address as a JSON string.
  const payload_url = '"https://a.example/hook"';
  const { user_id } = (await chat.call(chat.member, "POST /bots", { ...NEW_BOT, payload_url })).body;
  const services = async () => (await chat.call(chat.member, "GET /bots")).body.bots.at(-1).services;
  const [{ token, ...service }] = await services();
  assert.deepEqual(service, { base_url: "https://a.example/hook", interface: 1 });
  assert.match(token, /^[0-9a-f]{32}$/);
  const added = (await chat.events()).filter(({ event }) => event.type === "realm_bot");
  assert.deepEqual(added.map(({ event }) => Object(event.bot).services), [[service], [service]]);
  const path = `PATCH /bots/${user_id}`;
  assert.equal(
    (await chat.call(chat.moderator, path, { service_payload_url: "https://b.example" })).status,
    400,
  );
  assert.equal(
    (await chat.call(chat.member, path, { service_payload_url: "https://b.example" })).status,
    200,
  );
  const bot = { user_id, services: [{ base_url: "https://b.example/", interface: 1 }] };
  assert.deepEqual(
    (await chat.events()).map(({ event, audience }) => [event.type, event.op, event.bot, audience]),
    [
      ["realm_bot", "update", bot, "admins"],
      ["realm_bot", "update", bot, [chat.member.id]],
    ],
  );
  await chat.call(chat.member, `POST /bots/${user_id}/api_key/regenerate`);
  const [renewed] = await services();
  assert.equal(renewed.base_url, "https://b.example/");
  assert.notEqual(renewed.token, token);
});

Deno.test("GET /bots/{bot_id}/deliveries shows a bot's deliveries to its owner and to administrators", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  const ids = [];
  for (const text of ["1", "2"]) ids.unshift(await sendDirect(chat, chat.moderator, [bot], text));
  const read = async (caller: typeof bot) => await chat.call(caller, `GET /bots/${bot.id}/deliveries`);
  for (const caller of [chat.member, chat.admin]) {
    const { deliveries } = (await read(caller)).body;
    const shown = deliveries.map((
      one: Record<string, unknown>,
    ) => [one["message_id"], one["status"], one["attempts"]]);
    assert.deepEqual(shown, ids.map((id) => [id, "waiting", 0]));
  }
  assert.equal((await read(chat.moderator)).body.msg, "Insufficient permission");
  assert.equal(
    (await chat.call(chat.member, `GET /bots/${chat.owner.id}/deliveries`)).body.msg,
    "No such bot",
  );
  assert.deepEqual((await chat.call(chat.member, `GET /bots/${chat.bot.id}/deliveries`)).body.deliveries, []);
});

Deno.test("an outgoing webhook reaches no internal host", async () => {
  await using outside = await startWebhookChat();
  await using chat = await startChat();
  const { port } = new URL(outside.server.url);
  const payload_url = `http://localhost:${port}/`;
  const { body } = await chat.call(chat.member, "POST /bots", { ...NEW_BOT, payload_url });
  const bot = { ...chat.bot, id: body.user_id };
  await sendDirect(chat, chat.member, [bot], "Hi");
  await chat.services.webhookSender.sweep();
  assert.deepEqual(outside.server.received, []);
  const [delivery] = (await chat.call(chat.member, `GET /bots/${bot.id}/deliveries`)).body.deliveries;
  assert.deepEqual([delivery.status, delivery.attempts, delivery.error], [
    "waiting",
    1,
    "The host name has no public address.",
  ]);
});
