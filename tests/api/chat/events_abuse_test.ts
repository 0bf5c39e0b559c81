// GET /events, DELETE /events and POST /register from those who mean no good
import assert from "node:assert/strict";
import { MAX_WAITING_PER_USER } from "@/lib/chat/event_queues/hub.ts";
import { MAX_QUEUES, queueKeys } from "@/lib/chat/register/queue.ts";
import { basic, type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { contentsIn, copyQueue, listen, type TestClient, untilWaiting } from "./events_cast.ts";
import { makeChannel, send } from "./messages_cast.ts";

async function refusalOf(chat: TestChat, who: Person | null, endpoint: string, params: object) {
  const { status, body } = await chat.call(who, endpoint, { last_event_id: -1, dont_block: true, ...params });
  return [status, body.code];
}

Deno.test("GET /events with somebody else's queue tells nothing, ends nothing and answers as for none", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member);
  const hearing = client.wait();
  await untilWaiting(chat, 1);
  for (const who of [chat.owner, chat.admin, chat.guest, chat.bot, chat.outsider]) {
    for (const endpoint of ["GET /events", "DELETE /events"]) {
      const own = await chat.call(who, endpoint, { queue_id: client.queueId, last_event_id: -1 });
      const none = await chat.call(who, endpoint, { queue_id: crypto.randomUUID(), last_event_id: -1 });
      assert.deepEqual([own.status, own.body.code], [400, "BAD_EVENT_QUEUE_ID"]);
      assert.deepEqual([none.status, none.body.code], [own.status, own.body.code]);
      assert.equal(none.body.msg.length, own.body.msg.length);
    }
  }
  assert.equal(chat.services.events.waiting, 1, "its owner still waits");
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await hearing), ["one"]);
});

Deno.test("GET /events refuses ids that no queue has, whatever they look like", async () => {
  await using chat = await startChat();
  const { queueId } = await listen(chat, chat.member);
  const forged = [
    queueId.toUpperCase(),
    `${queueId} `,
    `${queueId}\0`,
    `${queueId}\n`,
    queueId.slice(0, -1),
    `${queueId}0`,
    "../queue",
    "-".repeat(36),
    "0".repeat(36),
    "é".repeat(36),
    "a".repeat(100_000),
    "null",
    "[1]",
    '{"$gt":""}',
  ];
  for (const queue_id of forged) {
    assert.deepEqual(
      await refusalOf(chat, chat.member, "GET /events", { queue_id }),
      [400, "BAD_EVENT_QUEUE_ID"],
      queue_id.slice(0, 60),
    );
  }
  assert.deepEqual(await refusalOf(chat, chat.member, "GET /events", { queue_id: queueId }), [
    200,
    undefined,
  ]);
});

Deno.test("GET /events takes a last_event_id of any size: one that is yet to come hides nothing from later requests", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member, { event_types: ["message"] });
  await send(chat, chat.owner, { to, content: "one" });
  const ask = (last_event_id: unknown) =>
    chat.call(chat.member, "GET /events", { queue_id: client.queueId, last_event_id, dont_block: true });
  for (const last of [Number.MAX_SAFE_INTEGER, 2 ** 52]) {
    assert.deepEqual((await ask(last)).body.events, []);
  }
  for (const last of ["9".repeat(400), "1e999", "-1e999", "1.5", "NaN", "1n", "[]", "true"]) {
    assert.deepEqual([last, (await ask(last)).status], [last, 400]);
  }
  assert.deepEqual(contentsIn((await ask(-Number.MAX_SAFE_INTEGER)).body.events), ["one"]);
  assert.deepEqual(contentsIn(await client.hear()), ["one"]);
});

Deno.test("an account that asks for more queues than it may have loses its own, nobody else's", async () => {
  await using chat = await startChat();
  const other = await listen(chat, chat.moderator);
  const { queueId } = await listen(chat, chat.member);
  await copyQueue(chat, chat.member, { queueId, count: MAX_QUEUES - 1 });
  await Promise.all(Array.from({ length: 30 }, () => listen(chat, chat.member)));
  const last = await listen(chat, chat.member);
  assert.equal(await countQueues(chat, chat.member), MAX_QUEUES);
  assert.deepEqual([await last.hear(), await other.hear()], [[], []]);
});

async function countQueues(chat: TestChat, { id }: Person): Promise<number> {
  const prefix = [...queueKeys.ofUser(chat.realm.id, id)];
  return (await Array.fromAsync(chat.services.store.kv.list({ prefix }))).length;
}

Deno.test("requests of one account that wait are bounded: the oldest is answered, nobody else's", async () => {
  await using chat = await startChat();
  const other = await listen(chat, chat.moderator);
  const hearing = other.wait();
  await untilWaiting(chat, 1);
  const clients = await Promise.all(
    Array.from({ length: MAX_WAITING_PER_USER + 20 }, () => listen(chat, chat.member)),
  );
  let answered = 0;
  const begin = (some: readonly TestClient[]) =>
    some.map((client) => client.wait().then((events) => answered += events.length === 0 ? 1 : 0));
  // The order in which requests made at the same time begin to wait is open.
  const oldest = begin(clients.slice(0, 20));
  await untilWaiting(chat, 21);
  const newer = begin(clients.slice(20));
  await Promise.all(oldest);
  await untilWaiting(chat, MAX_WAITING_PER_USER + 1);
  assert.equal(answered, 20);
  chat.services.events.stop();
  await Promise.all([...newer, hearing]);
});

Deno.test("many requests for one queue at once leave one that waits, and each event is told to it alone", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member, { event_types: ["message"] });
  const asked = { queue_id: client.queueId, last_event_id: client.last };
  const answers = Array.from({ length: 50 }, () => chat.call(chat.member, "GET /events", asked));
  const { status } = chat.services;
  await waitFor("one request waits and no other is in flight", () => [status.inFlight, status.waiting], {
    isMet: ([inFlight, waiting]) => inFlight === 0 && waiting === 1,
  });
  await send(chat, chat.owner, { to, content: "one" });
  const told = (await Promise.all(answers)).map(({ body }) => body.events.length);
  assert.deepEqual(told.toSorted(), [...told.slice(1).fill(0), 1]);
  assert.deepEqual([chat.services.events.waiting, chat.services.status.waiting], [0, 0]);
});

Deno.test("requests whose clients leave at once leave nothing behind", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.member);
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const path = `/api/v1/events?queue_id=${client.queueId}&last_event_id=-1`;
  for (let round = 0; round < 8; round++) {
    const gone = new AbortController();
    const answer = chat.request(path, { headers, signal: gone.signal });
    if (round % 2 === 0) await untilWaiting(chat, 1);
    gone.abort();
    await answer;
  }
  const { events, status } = chat.services;
  assert.deepEqual([events.waiting, status.waiting, status.inFlight], [0, 0, 0]);
  assert.equal(events.tail(chat.realm.id).isWaitedFor, false);
});

Deno.test("GET /events tells nothing to who was deactivated while he waits, and refuses him then", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member, { event_types: ["message"] });
  const hearing = client.wait();
  await untilWaiting(chat, 1);
  assert.equal((await chat.call(chat.owner, `DELETE /users/${chat.member.id}`)).status, 200);
  await send(chat, chat.owner, { to, content: "one" });
  // Ends the wait, after a last look at everything that was committed before.
  chat.services.events.end(client.queueId);
  assert.deepEqual(contentsIn(await hearing), []);
  const refusal = await refusalOf(chat, chat.member, "GET /events", { queue_id: client.queueId });
  assert.deepEqual(refusal, [401, "USER_DEACTIVATED"]);
});

Deno.test("all who are told the same may come back at once, and take no place from others meanwhile", async () => {
  await using chat = await startChat({ maxInFlight: 2 });
  const to = await makeChannel(chat, "roses");
  const clients: TestClient[] = [];
  for (let at = 0; at < 20; at++) clients.push(await listen(chat, chat.member, { event_types: ["message"] }));
  const hearing = clients.map((client) => client.wait());
  await untilWaiting(chat, clients.length);
  await send(chat, chat.owner, { to, content: "one" });
  for (const heard of await Promise.all(hearing)) assert.deepEqual(contentsIn(heard), ["one"]);
  const again = clients.map((client) => client.wait());
  await send(chat, chat.owner, { to, content: "two" });
  for (const heard of await Promise.all(again)) assert.deepEqual(contentsIn(heard), ["two"]);
});
