// GET /events, DELETE /events
import assert from "node:assert/strict";
import { queueKeys, type QueueRecord } from "@/lib/chat/register/events/queues.ts";
import { readRecord } from "@/lib/store/key.ts";
import { contentsIn, registerClient, untilWaiting } from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

async function isBadQueue(chat: TestChat, user: TestUser, queue_id: string, endpoint = "GET /events") {
  const params = endpoint === "GET /events" ? { last_event_id: -1, dont_block: true } : {};
  const { status, body } = await chat.call(user, endpoint, { queue_id, ...params });
  assert.deepEqual([status, body], [400, {
    result: "error",
    msg: `Bad event queue ID: ${queue_id}`,
    code: "BAD_EVENT_QUEUE_ID",
    queue_id,
  }]);
}

Deno.test("GET /events returns each event to both users, in order, exactly once", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const [member, moderator] = [
    await registerClient(chat, chat.member),
    await registerClient(chat, chat.moderator),
  ];
  assert.deepEqual(await member.receive(), [], "what happened before is no news");
  await send(chat, chat.owner, { to, content: "one" });
  await send(chat, chat.member, { to, content: "two" });
  await sendDirect(chat, chat.owner, [chat.member], "three");
  assert.deepEqual(contentsIn(await member.receive()), ["one", "two", "three"]);
  assert.deepEqual(await member.receive(), []);
  await send(chat, chat.owner, { to, content: "four" });
  assert.deepEqual(contentsIn(await member.receive()), ["four"]);
  assert.deepEqual(contentsIn(await moderator.receive()), ["one", "two", "four"]);
  assert.deepEqual(await moderator.receive(), []);
});

Deno.test("GET /events repeats events that were not acknowledged, with the same ids for all users", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const [member, moderator] = [
    await registerClient(chat, chat.member),
    await registerClient(chat, chat.moderator),
  ];
  for (const content of ["one", "two", "three"]) await send(chat, chat.owner, { to, content });
  const events = await member.receive();
  const ids = events.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)].sort((one, other) => one - other));
  assert.deepEqual((await moderator.receive()).map(({ id }) => id), ids);
  member.last = ids[0];
  assert.deepEqual(contentsIn(await member.receive()), ["two", "three"]);
});

Deno.test("GET /events returns a message in the form of GET /messages, with its flags beside it", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member, { event_types: ["message"], apply_markdown: true });
  const plain = await registerClient(chat, chat.member, { event_types: ["message"], client_gravatar: false });
  const id = await send(chat, chat.owner, { to, topic: "", content: "Hello, @**Member**" });
  const [event, ...others] = await client.receive();
  assert.deepEqual(others, []);
  const { body } = await chat.call(chat.member, `GET /messages/${id}`, {});
  const { flags, ...message } = body.message;
  assert.deepEqual(event, { id: client.last, type: "message", message, flags });
  assert.deepEqual([flags, message.subject], [["mentioned"], "general chat"]);
  const [source] = await plain.receive();
  assert.deepEqual([source?.message.content, source?.message.content_type], [
    "Hello, @**Member**",
    "text/x-markdown",
  ]);
  assert.match(source?.message.avatar_url, /^http/);
});

Deno.test("GET /events returns the sender's own id of a message in the queue that sent it, and in no other", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const to = await makeChannel(chat, "roses");
  const register = (user: TestUser) => registerClient(chat, user, { event_types: ["message"] });
  const [own, second, other] = [await register(member), await register(member), await register(owner)];
  const post = async (queue_id: string, local_id: string) => {
    const params = { type: "stream", to, topic: "t", content: local_id, queue_id, local_id };
    const { status, body } = await chat.call(member, "POST /messages", params);
    assert.deepEqual([status, body.ignored_parameters_unsupported], [200, undefined]);
  };
  await post(own.queueId, "17.01");
  await post(other.queueId, "17.02");
  await post("x".repeat(100_000), "17.03");
  const idsOf = async (client: typeof own) =>
    (await client.receive()).map((event) => [event["message"].content, event["local_message_id"]]);
  const plain = ["17.01", "17.02", "17.03"].map((content) => [content, undefined]);
  assert.deepEqual((await idsOf(own)).slice(0, 3), [["17.01", "17.01"], ...plain.slice(1)]);
  for (const client of [second, other]) assert.deepEqual((await idsOf(client)).slice(0, 3), plain);
});

Deno.test("GET /events returns messages and other events in their order, without messages deleted since", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member, { event_types: ["message", "reaction"] });
  const first = await send(chat, chat.owner, { to, content: "one" });
  await chat.call(chat.owner, `POST /messages/${first}/reactions`, { emoji_name: "tada" });
  const deleted = await send(chat, chat.owner, { to, content: "two" });
  await send(chat, chat.owner, { to, content: "@**all** three" });
  await chat.call(chat.owner, `DELETE /messages/${deleted}`);
  const received = await client.receive();
  assert.deepEqual(received.map(({ type, message, flags }) => [type, message?.content, flags]), [
    ["message", "one", []],
    ["reaction", undefined, undefined],
    ["message", "@**all** three", ["stream_wildcard_mentioned"]],
  ]);
});

Deno.test("GET /events returns messages to their recipients only", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses", { invite_only: true });
  const people = [chat.owner, chat.member, chat.guest, chat.admin, chat.bot, chat.outsider];
  const clients = await Promise.all(
    people.map((user) => registerClient(chat, user, { event_types: ["message"] })),
  );
  await send(chat, chat.owner, { to, content: "secret" });
  await sendDirect(chat, chat.owner, [chat.guest], "for the guest");
  const received = await Promise.all(clients.map(async (client) => contentsIn(await client.receive())));
  assert.deepEqual(received, [["secret", "for the guest"], ["secret"], ["for the guest"], [], [], []]);
});

Deno.test("GET /events returns only the requested types, and administrators' events to administrators only", async () => {
  await using chat = await startChat();
  const admin = await registerClient(chat, chat.admin, { event_types: ["invites_changed", "user_settings"] });
  const member = await registerClient(chat, chat.member, {
    event_types: ["invites_changed", "user_settings"],
  });
  const { status } = await chat.call(chat.member, "PATCH /settings", { color_scheme: 2, full_name: "Mem" });
  assert.equal(status, 200);
  const sent = { invitee_emails: "new@example.com", stream_ids: [] };
  assert.equal((await chat.call(chat.owner, "POST /invites", sent)).status, 200);
  assert.deepEqual((await admin.receive()).map(({ type }) => type), ["invites_changed"]);
  const { last, ...one } = { last: member.last, ...(await member.receive())[0] };
  assert.ok(last < member.last);
  assert.deepEqual(one, {
    id: member.last,
    type: "user_settings",
    op: "update",
    property: "color_scheme",
    value: 2,
  });
});

Deno.test("GET /events waits for the next event", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member);
  const pending = client.wait();
  await untilWaiting(chat);
  assert.equal(chat.services.status.inFlight, 0, "waiting requests take no capacity from others");
  await send(chat, chat.owner, { to, content: "at last" });
  assert.deepEqual(contentsIn(await pending), ["at last"]);
  assert.deepEqual([chat.services.status.waiting, chat.services.events.waiting], [0, 0]);
});

Deno.test("GET /events returns a heartbeat when nothing happens, from whose id the client continues", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  chat.services.events.maxWait.ms = 0;
  const client = await registerClient(chat, chat.member, { event_types: ["message"] });
  const [beat, ...others] = await client.wait();
  assert.deepEqual([beat, others], [{ type: "heartbeat", id: client.last }, []]);
  await chat.call(chat.member, "PATCH /settings", { color_scheme: 2 });
  await client.wait();
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await client.receive()), ["one"]);
});

Deno.test("GET /events answers an earlier request that waits for the same queue", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member);
  const older = client.wait();
  await untilWaiting(chat);
  const newer = client.wait();
  assert.deepEqual(await older, []);
  await untilWaiting(chat);
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await newer), ["one"]);
});

Deno.test("GET /events ends when its client disconnects, and when the server stops", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member);
  const gone = new AbortController();
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const asked = `/api/v1/events?queue_id=${client.queueId}&last_event_id=-1`;
  const answer = chat.request(asked, { headers, signal: gone.signal });
  await untilWaiting(chat);
  gone.abort();
  assert.deepEqual((await (await answer).json()).events, []);
  assert.equal(chat.services.events.waiting, 0);
  const pending = client.wait();
  await untilWaiting(chat);
  chat.services.events.stop();
  assert.deepEqual(await pending, []);
});

Deno.test("GET /events and DELETE /events find only the caller's queues", async () => {
  await using chat = await startChat();
  const { queueId } = await registerClient(chat, chat.member);
  for (const endpoint of ["GET /events", "DELETE /events"]) {
    for (const user of [chat.owner, chat.bot, chat.outsider]) await isBadQueue(chat, user, queueId, endpoint);
    for (const id of ["", "x", "x".repeat(5000), crypto.randomUUID()]) {
      await isBadQueue(chat, chat.member, id, endpoint);
    }
    const anonymous = await chat.call(null, endpoint, { queue_id: queueId, last_event_id: -1 });
    assert.deepEqual([anonymous.status, anonymous.body.code], [401, "UNAUTHORIZED"]);
  }
});

Deno.test("DELETE /events deletes a queue, and answers the request that waits for it", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member);
  const pending = client.wait();
  await untilWaiting(chat);
  const { status, body } = await chat.call(chat.member, "DELETE /events", {
    queue_id: client.queueId,
    queue: 1,
  });
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    ignored_parameters_unsupported: ["queue"],
  }]);
  assert.deepEqual(await pending, []);
  await isBadQueue(chat, chat.member, client.queueId);
  await isBadQueue(chat, chat.member, client.queueId, "DELETE /events");
});

Deno.test("GET /events names missing and invalid parameters", async () => {
  await using chat = await startChat();
  const { queueId: queue_id } = await registerClient(chat, chat.member);
  const cases: [Record<string, unknown>, string][] = [
    [{}, "Missing 'queue_id' argument"],
    [{ queue_id }, "Missing 'last_event_id' argument"],
    [{ queue_id, last_event_id: "x" }, "last_event_id is not valid JSON"],
    [{ queue_id, last_event_id: [1] }, "last_event_id is not an integer"],
    [{ queue_id, last_event_id: 1, dont_block: 3 }, "dont_block is not a boolean"],
  ];
  for (const [params, msg] of cases) {
    const { status, body } = await chat.call(chat.member, "GET /events", params);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
});

Deno.test("a queue that is not polled expires, one that is polled does not", async () => {
  await using chat = await startChat();
  const [kept, left] = [await registerClient(chat, chat.member), await registerClient(chat, chat.member)];
  const record = () =>
    readRecord<QueueRecord>(chat.services.store.kv, queueKeys.queue(chat.realm.id, kept.queueId));
  for (let minutes = 0; minutes < 12 * 9; minutes += 9) {
    chat.clock.time += 9 * 60_000;
    assert.deepEqual(await kept.receive(), []);
  }
  assert.equal((await record())?.touched_at, chat.clock.time);
  chat.clock.time += 30_000;
  await kept.receive();
  assert.equal((await record())?.touched_at, chat.clock.time - 30_000, "recorded once a minute at most");
  await isBadQueue(chat, chat.member, left.queueId);
  chat.clock.time += 12 * 60_000;
  await isBadQueue(chat, chat.member, kept.queueId);
});

Deno.test("a queue of which events have expired is gone, whatever its idle timeout", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member, { idle_queue_timeout: 604_800 });
  chat.clock.time += 58 * 60_000;
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await client.receive()), ["one"]);
  chat.clock.time += 61 * 60_000;
  await isBadQueue(chat, chat.member, client.queueId);
});

Deno.test("GET /events has its own rate limit", async () => {
  const env = { RATE_LIMITS: JSON.stringify({ api_user: { points: 2, seconds: 60 } }) };
  await using chat = await startChat({ env });
  const client = await registerClient(chat, chat.member);
  for (let at = 0; at < 5; at++) await client.receive();
  const asked = { queue_id: client.queueId, last_event_id: -1, dont_block: true };
  const { headers } = await chat.call(chat.member, "GET /events", asked);
  assert.deepEqual([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], ["600", "594"]);
  assert.equal((await chat.call(chat.member, "GET /users/me")).headers.get("x-ratelimit-remaining"), "0");
});
