import assert from "node:assert/strict";
import { jsonBody } from "@/tests/helpers/app.ts";
import { basic, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";
import { fetchContents, makeChannel } from "@/tests/casts/messages_cast.ts";

const TOO_DEEP = "The body is nested more than 32 levels deep.";
const TOO_LONG = "content is too long (limit: 10000 characters)";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Creates an incoming webhook bot of the member and returns its id and key. */
async function createWebhookBot(chat: TestChat): Promise<{ user_id: number; api_key: string }> {
  const newBot = { full_name: "Builds", short_name: "builds", bot_type: 2 };
  const { status, body } = await chat.call(chat.member, "POST /bots", newBot);
  assert.equal(status, 200, JSON.stringify(body));
  return { user_id: body.user_id, api_key: body.api_key };
}

/** Returns a request with a JSON text. */
function sent(body: string): RequestInit {
  return { ...jsonBody({}), body };
}

/** Posts a body to the incoming webhook with a query. */
async function post(chat: TestChat, query: Readonly<Record<string, string>>, init: RequestInit) {
  const response = await chat.request(`/api/v1/external/json?${new URLSearchParams(query)}`, init);
  const { msg, code, id, ...rest } = await response.json();
  return { status: response.status, msg, code, id, ignored: rest.ignored_parameters_unsupported };
}

Deno.test("an incoming webhook", async (t) => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const { user_id, api_key } = await createWebhookBot(chat);
  const target = { api_key, stream: "Garden", topic: "builds" };
  const contents = () => fetchContents(chat, chat.member, ["topic", "builds"]);
  await t.step("posts text, content, and other JSON as a code block", async () => {
    const { status, id, ignored } = await post(chat, target, jsonBody({ text: "It **works**", icon: "x" }));
    assert.deepEqual([status, typeof id, ignored], [200, "number", undefined]);
    await post(chat, { ...target, stream: String(channel) }, jsonBody({ content: "Second" }));
    assert.equal((await post(chat, target, jsonBody({ state: "green", text: 7 }))).status, 200);
    assert.deepEqual(await contents(), [
      "It **works**",
      "Second",
      '```json\n{\n  "state": "green",\n  "text": 7\n}\n```',
    ]);
    const { body } = await chat.call(chat.member, `GET /messages/${id}`);
    assert.equal(body.message.sender_id, user_id);
  });
  await t.step("takes forms with JSON in the field payload, and Basic credentials", async () => {
    const headers = { ...FORM, authorization: basic("builds-bot@localhost", api_key) };
    const body = new URLSearchParams({ payload: '{"text":"From a form"}' });
    const { api_key: _, ...query } = target;
    assert.equal((await post(chat, query, { method: "POST", headers, body })).status, 200);
    assert.equal((await contents()).at(-1), "From a form");
  });
  await t.step("uses the topic JSON by default, and writes to the owner without a channel", async () => {
    assert.equal((await post(chat, { api_key, stream: "Garden" }, jsonBody({ text: "a" }))).status, 200);
    assert.deepEqual(await fetchContents(chat, chat.member, ["topic", "JSON"]), ["a"]);
    assert.equal((await post(chat, { api_key }, jsonBody({ text: "To you" }))).status, 200);
    assert.deepEqual(await fetchContents(chat, chat.member, ["dm", "builds-bot@localhost"]), ["To you"]);
  });
  await t.step("refuses bodies that are no message, with the reason", async () => {
    const refusals: [RequestInit, number, string][] = [
      [jsonBody({ text: " " }), 400, "Message must not be empty"],
      [jsonBody({ text: "x".repeat(10_001) }), 400, "content is too long (limit: 10000 characters)"],
      [jsonBody({ rows: new Array(3000).fill("row") }), 400, "content is too long (limit: 10000 characters)"],
      [{ method: "POST", body: "{" }, 415, ""],
      [{ ...jsonBody({}), body: "{" }, 400, "The body is not valid JSON."],
      [{ method: "POST", headers: FORM, body: "a=b" }, 400, "The form has no field 'payload' with JSON."],
      [jsonBody({ text: "x".repeat(70_000) }), 413, ""],
      [sent("[".repeat(6000) + "]".repeat(6000)), 400, TOO_DEEP],
      [sent("[".repeat(4500) + "1,".repeat(27_500) + "1" + "]".repeat(4500)), 400, TOO_DEEP],
      [sent('{"a":'.repeat(6000) + "1" + "}".repeat(6000)), 400, TOO_DEEP],
      [sent("[".repeat(32) + "1,".repeat(30_000) + "1" + "]".repeat(32)), 400, TOO_LONG],
      [sent("[".repeat(30) + "1,".repeat(4900) + "1" + "]".repeat(30)), 400, TOO_LONG],
    ];
    for (const [init, status, msg] of refusals) {
      const refused = await post(chat, target, init);
      assert.equal(refused.status, status, JSON.stringify(refused));
      if (msg !== "") assert.equal(refused.msg, msg);
    }
  });
  await t.step("refuses channels that the bot cannot send to", async () => {
    await makeChannel(chat, "Secret", { invite_only: true });
    for (const stream of ["Secret", "Nowhere"]) {
      const { status, msg } = await post(chat, { ...target, stream }, jsonBody({ text: "a" }));
      assert.deepEqual([status, msg], [400, `Channel '${stream}' does not exist`]);
    }
  });
});

Deno.test("an incoming webhook accepts the keys of active incoming webhook bots only", async () => {
  await using chat = await startChat();
  const { user_id, api_key } = await createWebhookBot(chat);
  const message = jsonBody({ text: "a" });
  const refusal = async (key: string) => {
    const { status, code } = await post(chat, { api_key: key }, message);
    return [status, code];
  };
  for (const { apiKey } of [chat.owner, chat.bot]) {
    assert.deepEqual(await refusal(apiKey), [401, "UNAUTHORIZED"]);
  }
  assert.deepEqual(await refusal(`${api_key.slice(0, -1)}!`), [401, "INVALID_API_KEY"]);
  assert.deepEqual(await refusal(api_key.split("").toReversed().join("")), [401, "INVALID_API_KEY"]);
  assert.deepEqual(await refusal(chat.outsider.apiKey), [401, "INVALID_API_KEY"]);
  const { status, code } = await post(chat, {}, message);
  assert.deepEqual([status, code], [401, "UNAUTHORIZED"]);
  const bot = { ...chat.bot, email: "builds-bot@localhost", apiKey: api_key };
  const elsewhere = await chat.call(bot, "POST /messages", {
    type: "direct",
    to: [chat.member.id],
    content: "a",
  });
  assert.deepEqual([elsewhere.status, elsewhere.body.msg], [
    401,
    "This API is not available to incoming webhook bots.",
  ]);
  await chat.call(chat.member, `DELETE /bots/${user_id}`);
  assert.deepEqual(await refusal(api_key), [401, "USER_DEACTIVATED"]);
});

Deno.test("the messages of an incoming webhook count towards its bot's rate limit", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: '{"api_user":{"points":2,"seconds":60}}' } });
  const { api_key } = await createWebhookBot(chat);
  const statuses = [];
  for (const text of ["a", "b", "c"]) {
    statuses.push((await post(chat, { api_key }, jsonBody({ text }))).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
});

Deno.test("an incoming webhook refuses deep JSON at little cost", async () => {
  await using chat = await startChat();
  await makeChannel(chat, "Garden");
  const { api_key } = await createWebhookBot(chat);
  const target = { api_key, stream: "Garden" };
  const bodies = [
    "[".repeat(4500) + "1,".repeat(27_500) + "1" + "]".repeat(4500),
    "[".repeat(32) + "1,".repeat(30_000) + "1" + "]".repeat(32),
    "[".repeat(30) + "1,".repeat(4900) + "1" + "]".repeat(30),
  ];
  for (const body of bodies) {
    let least = Infinity;
    for (let attempt = 0; attempt < 5 && least > 100; attempt++) {
      const start = readThreadMs();
      assert.equal((await post(chat, target, sent(body))).status, 400);
      least = Math.min(least, readThreadMs() - start);
    }
    assert.ok(least <= 100, `${body.slice(0, 40)} takes ${least.toFixed(1)} ms`);
  }
});
