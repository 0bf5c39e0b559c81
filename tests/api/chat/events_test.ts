// GET /events, DELETE /events
import assert from "node:assert/strict";
import { queueKeys, type QueueRecord } from "@/lib/chat/register/queue.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { basic, type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { contentsIn, listen, untilWaiting } from "./events_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

async function isBadQueue(chat: TestChat, who: Person, queue_id: string, endpoint = "GET /events") {
  const params = endpoint === "GET /events" ? { last_event_id: -1, dont_block: true } : {};
  const { status, body } = await chat.call(who, endpoint, { queue_id, ...params });
  assert.deepEqual([status, body], [400, {
    result: "error",
    msg: `Bad event queue ID: ${queue_id}`,
    code: "BAD_EVENT_QUEUE_ID",
    queue_id,
  }]);
}

Deno.test("GET /events tells each of two people what happens, in order, exactly once", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const [member, moderator] = [await listen(chat, chat.member), await listen(chat, chat.moderator)];
  assert.deepEqual(await member.hear(), [], "what happened before is no news");
  await send(chat, chat.owner, { to, content: "one" });
  await send(chat, chat.member, { to, content: "two" });
  await sendDirect(chat, chat.owner, [chat.member], "three");
  assert.deepEqual(contentsIn(await member.hear()), ["one", "two", "three"]);
  assert.deepEqual(await member.hear(), []);
  await send(chat, chat.owner, { to, content: "four" });
  assert.deepEqual(contentsIn(await member.hear()), ["four"]);
  assert.deepEqual(contentsIn(await moderator.hear()), ["one", "two", "four"]);
  assert.deepEqual(await moderator.hear(), []);
});

Deno.test("GET /events tells again what was not acknowledged, with the same ids for everyone", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const [member, moderator] = [await listen(chat, chat.member), await listen(chat, chat.moderator)];
  for (const content of ["one", "two", "three"]) await send(chat, chat.owner, { to, content });
  const events = await member.hear();
  const ids = events.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)].sort((one, other) => one - other));
  assert.deepEqual((await moderator.hear()).map(({ id }) => id), ids);
  member.last = ids[0];
  assert.deepEqual(contentsIn(await member.hear()), ["two", "three"]);
});

Deno.test("GET /events tells a message as GET /messages shows it, with its flags beside it", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member, { event_types: ["message"], apply_markdown: true });
  const plain = await listen(chat, chat.member, { event_types: ["message"], client_gravatar: false });
  const id = await send(chat, chat.owner, { to, topic: "", content: "Hello, @**Member**" });
  const [event, ...others] = await client.hear();
  assert.deepEqual(others, []);
  const { body } = await chat.call(chat.member, `GET /messages/${id}`, {});
  const { flags, ...message } = body.message;
  assert.deepEqual(event, { id: client.last, type: "message", message, flags });
  assert.deepEqual([flags, message.subject], [["mentioned"], "general chat"]);
  const [source] = await plain.hear();
  assert.deepEqual([source?.message.content, source?.message.content_type], [
    "Hello, @**Member**",
    "text/x-markdown",
  ]);
  assert.match(source?.message.avatar_url, /^http/);
});

Deno.test("GET /events is for those whom something is for", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses", { invite_only: true });
  const people = [chat.owner, chat.member, chat.guest, chat.admin, chat.bot, chat.outsider];
  const clients = await Promise.all(people.map((who) => listen(chat, who, { event_types: ["message"] })));
  await send(chat, chat.owner, { to, content: "secret" });
  await sendDirect(chat, chat.owner, [chat.guest], "for the guest");
  const heard = await Promise.all(clients.map(async (client) => contentsIn(await client.hear())));
  assert.deepEqual(heard, [["secret", "for the guest"], ["secret"], ["for the guest"], [], [], []]);
});

Deno.test("GET /events tells only the types that the queue is for, to administrators what is for them", async () => {
  await using chat = await startChat();
  const admin = await listen(chat, chat.admin, { event_types: ["invites_changed", "user_settings"] });
  const member = await listen(chat, chat.member, { event_types: ["invites_changed", "user_settings"] });
  const { status } = await chat.call(chat.member, "PATCH /settings", { color_scheme: 2, full_name: "Mem" });
  assert.equal(status, 200);
  const sent = { invitee_emails: "new@example.com", stream_ids: [] };
  assert.equal((await chat.call(chat.owner, "POST /invites", sent)).status, 200);
  assert.deepEqual((await admin.hear()).map(({ type }) => type), ["invites_changed"]);
  const { last, ...one } = { last: member.last, ...(await member.hear())[0] };
  assert.ok(last < member.last);
  assert.deepEqual(one, {
    id: member.last,
    type: "user_settings",
    op: "update",
    property: "color_scheme",
    value: 2,
  });
});

Deno.test("GET /events waits until something happens", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member);
  const hearing = client.wait();
  await untilWaiting(chat);
  assert.equal(chat.services.status.inFlight, 0, "who waits takes no place from others");
  await send(chat, chat.owner, { to, content: "at last" });
  assert.deepEqual(contentsIn(await hearing), ["at last"]);
  assert.deepEqual([chat.services.status.waiting, chat.services.events.waiting], [0, 0]);
});

Deno.test("GET /events answers with a heartbeat when nothing happens, from which the client goes on", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  chat.services.events.patience.ms = 0;
  const client = await listen(chat, chat.member, { event_types: ["message"] });
  const [beat, ...others] = await client.wait();
  assert.deepEqual([beat, others], [{ type: "heartbeat", id: client.last }, []]);
  await chat.call(chat.member, "PATCH /settings", { color_scheme: 2 });
  await client.wait();
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await client.hear()), ["one"]);
});

Deno.test("GET /events of the same queue ends the one that waits", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member);
  const older = client.wait();
  await untilWaiting(chat);
  const newer = client.wait();
  assert.deepEqual(await older, []);
  await untilWaiting(chat);
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await newer), ["one"]);
});

Deno.test("GET /events ends with its client, and when the server stops", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.member);
  const gone = new AbortController();
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const asked = `/api/v1/events?queue_id=${client.queueId}&last_event_id=-1`;
  const answer = chat.request(asked, { headers, signal: gone.signal });
  await untilWaiting(chat);
  gone.abort();
  assert.deepEqual((await (await answer).json()).events, []);
  assert.equal(chat.services.events.waiting, 0);
  const hearing = client.wait();
  await untilWaiting(chat);
  chat.services.events.stop();
  assert.deepEqual(await hearing, []);
});

Deno.test("GET /events and DELETE /events know queues of the caller's own alone", async () => {
  await using chat = await startChat();
  const { queueId } = await listen(chat, chat.member);
  for (const endpoint of ["GET /events", "DELETE /events"]) {
    for (const who of [chat.owner, chat.bot, chat.outsider]) await isBadQueue(chat, who, queueId, endpoint);
    for (const id of ["", "x", "x".repeat(5000), crypto.randomUUID()]) {
      await isBadQueue(chat, chat.member, id, endpoint);
    }
    const nobody = await chat.call(null, endpoint, { queue_id: queueId, last_event_id: -1 });
    assert.deepEqual([nobody.status, nobody.body.code], [401, "UNAUTHORIZED"]);
  }
});

Deno.test("DELETE /events ends a queue, and the request that waits for it", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.member);
  const hearing = client.wait();
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
  assert.deepEqual(await hearing, []);
  await isBadQueue(chat, chat.member, client.queueId);
  await isBadQueue(chat, chat.member, client.queueId, "DELETE /events");
});

Deno.test("GET /events names the parameters that are missing or wrong", async () => {
  await using chat = await startChat();
  const { queueId: queue_id } = await listen(chat, chat.member);
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

Deno.test("a queue that nobody asks for is gone, one that is asked for stays", async () => {
  await using chat = await startChat();
  const [kept, left] = [await listen(chat, chat.member), await listen(chat, chat.member)];
  const record = () =>
    readRecord<QueueRecord>(chat.services.store.kv, queueKeys.queue(chat.realm.id, kept.queueId));
  for (let minutes = 0; minutes < 12 * 9; minutes += 9) {
    chat.clock.time += 9 * 60_000;
    assert.deepEqual(await kept.hear(), []);
  }
  assert.equal((await record())?.touched_at, chat.clock.time);
  chat.clock.time += 30_000;
  await kept.hear();
  assert.equal((await record())?.touched_at, chat.clock.time - 30_000, "noted once a minute at most");
  await isBadQueue(chat, chat.member, left.queueId);
  chat.clock.time += 12 * 60_000;
  await isBadQueue(chat, chat.member, kept.queueId);
});

Deno.test("a queue of which events are forgotten is gone, however long it may stay", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member, { idle_queue_timeout: 604_800 });
  chat.clock.time += 58 * 60_000;
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await client.hear()), ["one"]);
  chat.clock.time += 61 * 60_000;
  await isBadQueue(chat, chat.member, client.queueId);
});

Deno.test("asking for events has a limit of its own", async () => {
  const env = { RATE_LIMITS: JSON.stringify({ api_user: { points: 2, seconds: 60 } }) };
  await using chat = await startChat({ env });
  const client = await listen(chat, chat.member);
  for (let at = 0; at < 5; at++) await client.hear();
  const asked = { queue_id: client.queueId, last_event_id: -1, dont_block: true };
  const { headers } = await chat.call(chat.member, "GET /events", asked);
  assert.deepEqual([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], ["600", "594"]);
  assert.equal((await chat.call(chat.member, "GET /users/me")).headers.get("x-ratelimit-remaining"), "0");
});
