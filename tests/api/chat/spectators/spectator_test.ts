import assert from "node:assert/strict";
import { fetchedMessageSchema, fetchedMessagesSchema } from "@/lib/chat/messages/read/fetch_messages.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import {
  createOpenChannel,
  fetchOpenMessages,
  listOpenMessageIds,
  NOT_LOGGED_IN,
  refusalOf,
  setSpectatorAccess,
  startOpenChat,
  WEB_PUBLIC,
} from "@/tests/casts/spectator_cast.ts";
import { basic, PASSWORD, startChat } from "@/tests/helpers/chat.ts";
import { alterRealm } from "@/tests/helpers/realm.ts";

Deno.test("GET /messages returns only messages of web-public channels to spectators", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const closed = await makeChannel(chat, "Shed");
  const id = await send(chat, chat.member, { to: open, topic: "roses", content: "They **bloom**." });
  await send(chat, chat.member, { to: closed, content: "closed" });
  await sendDirect(chat, chat.member, [chat.admin], "direct");
  const { status, body, headers } = await fetchOpenMessages(chat, [{ operator: "topic", operand: "roses" }]);
  assert.equal(status, 200);
  assert.match(headers.get("vary") ?? "", /Authorization, Cookie/);
  fetchedMessagesSchema.parse(body);
  assert.deepEqual(body.messages, [{
    id,
    avatar_url: `http://localhost:8000/avatar/${chat.member.id}?version=1`,
    client: "Unspecified",
    content: "<p>They <strong>bloom</strong>.</p>",
    content_type: "text/html",
    display_recipient: "Garden",
    flags: ["read"],
    is_me_message: false,
    reactions: [],
    recipient_id: 2 * open,
    sender_email: `user${chat.member.id}@localhost`,
    sender_full_name: "Member",
    sender_id: chat.member.id,
    sender_realm_str: "",
    stream_id: open,
    subject: "roses",
    submessages: [],
    timestamp: chat.clock.time / 1000,
    topic_links: [],
    type: "stream",
  }]);
  assert.deepEqual(
    [body.found_newest, body.found_oldest, body.found_anchor, body.history_limited],
    [true, true, false, false],
  );
  assert.deepEqual(await listOpenMessageIds(chat), [id]);
});

Deno.test("GET /messages accepts the older name of the term, and refuses spectators without it", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  await send(chat, chat.member, { to: open, content: "hello" });
  const ask = (narrow: unknown) => fetchOpenMessages(chat, [], { narrow });
  const older = [["streams", "web-public"]];
  assert.equal((await ask(older)).status, 200);
  const refused = [
    [],
    [{ operator: "channel", operand: open }],
    [{ operator: "channels", operand: "public" }],
    [{ ...WEB_PUBLIC, negated: true }],
    [{ operator: "nothing", operand: "web-public" }],
  ];
  for (const narrow of refused) assert.deepEqual(refusalOf(await ask(narrow)), NOT_LOGGED_IN);
  assert.deepEqual(refusalOf(await chat.call(null, "GET /messages")), NOT_LOGGED_IN);
});

Deno.test("GET /messages refuses spectators terms and anchors that need an account", async () => {
  await using chat = await startOpenChat();
  const terms = [
    ...["starred", "mentioned", "unread", "dm", "private", "followed", "muted", "alerted"].map((
      what,
    ) => ["is", what]),
    ["dm", [chat.member.id]],
    ["pm-with", chat.member.email],
    ["dm-including", [chat.member.id]],
    ["group-pm-with", [chat.member.id]],
    ["sender", "me"],
    ["nothing", "x"],
  ];
  for (const [operator, operand] of terms) {
    for (const negated of [false, true]) {
      const answer = await fetchOpenMessages(chat, [{ operator, operand, negated }]);
      assert.deepEqual(refusalOf(answer), NOT_LOGGED_IN, String(operator));
    }
  }
});

Deno.test("GET /messages supports all other terms for spectators", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const other = await createOpenChannel(chat, "Meadow");
  const sendOpen = (to: number, topic: string, content: string) =>
    send(chat, chat.member, { to, topic, content });
  const plain = await sendOpen(open, "roses", "red petals");
  const done = await sendOpen(open, "✔ weeds", "gone at https://example.com/x");
  const far = await sendOpen(other, "clover", "four leaves");
  await chat.call(chat.owner, `POST /messages/${plain}/reactions`, { emoji_name: "octopus" });
  const found = (operator: string, operand: unknown, negated = false) =>
    listOpenMessageIds(chat, [{ operator, operand, negated }]);
  assert.deepEqual(await found("channel", "Garden"), [plain, done]);
  assert.deepEqual(await found("stream", other), [far]);
  assert.deepEqual(await found("channel", open, true), [far]);
  assert.deepEqual(await found("topic", "ROSES"), [plain]);
  assert.deepEqual(await found("is", "resolved"), [done]);
  assert.deepEqual(await found("has", "link"), [done]);
  assert.deepEqual(await found("has", "reaction"), [plain]);
  assert.deepEqual(await found("search", "petals"), [plain]);
  assert.deepEqual(await found("search", "roses petals"), [plain]);
  assert.deepEqual(await found("sender", chat.member.id), [plain, done, far]);
  assert.deepEqual(await found("sender", `user${chat.member.id}@localhost`), [plain, done, far]);
  assert.deepEqual(await found("sender", chat.owner.id), []);
  assert.deepEqual(await found("id", far), [far]);
  assert.deepEqual(await found("near", plain), [plain, done, far]);
  assert.deepEqual(await found("with", far), [far]);
  const first = await fetchOpenMessages(chat, [], { anchor: "first_unread" });
  assert.equal(first.body.found_newest, true);
  const byIds = { narrow: [WEB_PUBLIC], message_ids: [far, plain] };
  const { body } = await chat.call(null, "GET /messages", byIds);
  assert.deepEqual(body.messages.map(({ id }: { id: number }) => id), [plain, far]);
});

Deno.test("a narrow reveals no closed channel, email address or message to spectators", async () => {
  await using chat = await startOpenChat();
  const closed = await makeChannel(chat, "Shed");
  const id = await send(chat, chat.member, { to: closed, content: "closed" });
  const ask = async (operator: string, operand: unknown) =>
    refusalOf(await fetchOpenMessages(chat, [{ operator, operand }]));
  assert.deepEqual(await ask("channel", "Shed"), await ask("channel", "No such"));
  assert.deepEqual(await ask("sender", chat.member.email), await ask("sender", "nobody@example.com"));
  assert.deepEqual(await ask("with", id), await ask("with", 99_999));
  assert.deepEqual(await ask("channel", closed), [200, undefined, ""]);
  const ids = { narrow: [WEB_PUBLIC], message_ids: [id] };
  assert.deepEqual((await chat.call(null, "GET /messages", ids)).body.messages, []);
});

Deno.test("accounts can also narrow to web-public channels, and keep their own flags", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const closed = await makeChannel(chat, "Shed");
  const id = await send(chat, chat.owner, { to: open, topic: "roses", content: "open" });
  await send(chat, chat.owner, { to: closed, topic: "roses", content: "closed" });
  const narrow = [WEB_PUBLIC, { operator: "topic", operand: "roses" }];
  const params = { anchor: "newest", num_before: 9, num_after: 0, narrow };
  const { body } = await chat.call(chat.guest, "GET /messages", params);
  assert.deepEqual(body.messages.map((message: { id: number }) => message.id), [id]);
  assert.deepEqual(body.messages[0].flags, ["read", "historical"]);
});

Deno.test("GET /messages/{message_id} returns open messages to spectators, and treats others like missing ones", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const closed = await makeChannel(chat, "Shed");
  const id = await send(chat, chat.member, { to: open, topic: "", content: "*hello*" });
  const hidden = [
    await send(chat, chat.member, { to: closed, content: "closed" }),
    await sendDirect(chat, chat.member, [chat.admin], "direct"),
    99_999_999,
  ];
  const { status, body } = await chat.call(null, `GET /messages/${id}`, { apply_markdown: false });
  assert.equal(status, 200);
  fetchedMessageSchema.parse(body);
  assert.deepEqual(
    [body.raw_content, body.message.content, body.message.subject, body.message.flags],
    ["*hello*", "*hello*", "general chat", ["read"]],
  );
  for (const one of hidden) {
    assert.deepEqual(refusalOf(await chat.call(null, `GET /messages/${one}`)), NOT_LOGGED_IN);
  }
  assert.deepEqual(
    refusalOf(await chat.call(null, `PATCH /messages/${id}`, { content: "x" })),
    NOT_LOGGED_IN,
  );
  assert.deepEqual(refusalOf(await chat.call(null, `GET /messages/${id}/history`)), NOT_LOGGED_IN);
});

Deno.test("GET /users/me/{stream_id}/topics returns the topics of open channels to spectators", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const closed = await makeChannel(chat, "Shed");
  const id = await send(chat, chat.member, { to: open, topic: "roses", content: "hello" });
  const { status, body } = await chat.call(null, `GET /users/me/${open}/topics`);
  assert.equal(status, 200);
  assert.deepEqual(body.topics[0], { name: "roses", max_id: id });
  for (const channel of [closed, 99_999]) {
    const answer = await chat.call(null, `GET /users/me/${channel}/topics`);
    assert.deepEqual(refusalOf(answer), [400, "BAD_REQUEST", "Invalid channel ID"]);
  }
});

Deno.test("spectators have access while the organization allows it and the channel is open", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: open, content: "hello" });
  const paths = [`GET /messages/${id}`, `GET /users/me/${open}/topics`, "POST /register"];
  const states = async () =>
    await Promise.all([fetchOpenMessages(chat), ...paths.map((path) => chat.call(null, path))]);
  for (const answer of await states()) assert.equal(answer.status, 200);
  await setSpectatorAccess(chat, false);
  for (const answer of await states()) assert.deepEqual(refusalOf(answer), NOT_LOGGED_IN);
  await setSpectatorAccess(chat, true);
  assert.deepEqual(await listOpenMessageIds(chat), [id]);
  await chat.call(chat.owner, `PATCH /streams/${open}`, { is_web_public: false });
  const closed = async () => {
    const [many, one, topics] = await states();
    assert.deepEqual([many?.body.messages, one?.status, topics?.status], [[], 401, 400]);
  };
  await closed();
  await chat.call(chat.owner, `PATCH /streams/${open}`, { is_web_public: true });
  assert.deepEqual(await listOpenMessageIds(chat), [id]);
  await chat.call(chat.owner, `DELETE /streams/${open}`);
  await closed();
});

Deno.test("spectators have no access in other or deactivated organizations, or on servers that forbid it", async () => {
  await using chat = await startOpenChat();
  const other = "other.localhost:8000";
  const path = `/api/v1/messages?anchor=newest&narrow=${encodeURIComponent(JSON.stringify([WEB_PUBLIC]))}`;
  const ask = async (host?: string) => {
    const response = await chat.request(path, {}, host);
    const body = await response.json();
    return refusalOf({ status: response.status, headers: response.headers, body });
  };
  assert.deepEqual(await ask(), [200, undefined, ""]);
  assert.deepEqual(await ask(other), NOT_LOGGED_IN);
  assert.deepEqual(await ask("nowhere.localhost:8000"), NOT_LOGGED_IN);
  await alterRealm(chat, { is_deactivated: true });
  assert.deepEqual(await ask(), NOT_LOGGED_IN);
  await using strict = await startChat({ env: { WEB_PUBLIC_STREAMS_ENABLED: "false" } });
  await setSpectatorAccess(strict, true);
  assert.deepEqual(refusalOf(await fetchOpenMessages(strict)), NOT_LOGGED_IN);
});

Deno.test("a request with invalid credentials is refused, not treated as a spectator's", async () => {
  await using chat = await startOpenChat();
  const path = `/api/v1/messages?anchor=newest&narrow=${encodeURIComponent(JSON.stringify([WEB_PUBLIC]))}`;
  const ask = async (headers: HeadersInit, more = "") => {
    const response = await chat.request(path + more, { headers });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await ask({}), 200);
  assert.equal(await ask({ cookie: "sotto_theme=dark" }), 200, "what is no credential may be sent");
  assert.equal(await ask({ authorization: basic(chat.member.email, "x".repeat(32)) }), 401);
  assert.equal(await ask({ authorization: basic(chat.member.email, PASSWORD) }), 401);
  assert.equal(await ask({ cookie: "sotto_session=ended", "sec-fetch-site": "same-origin" }), 401);
  assert.equal(await ask({ cookie: "sotto_session=ended", "sec-fetch-site": "cross-site" }), 401);
  assert.equal(await ask({}, `&api_key=${"x".repeat(32)}`), 401);
});

Deno.test("requests of spectators are limited by IP address", async () => {
  await using chat = await startOpenChat({
    env: { RATE_LIMITS: JSON.stringify({ api_address: { points: 2, seconds: 60 } }) },
  });
  const statuses = [];
  for (let turn = 0; turn < 3; turn++) statuses.push((await fetchOpenMessages(chat)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});
