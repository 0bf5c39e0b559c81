// GET /events, DELETE /events and POST /register with malicious requests
import assert from "node:assert/strict";
import { MAX_WAITING_PER_USER } from "@/lib/chat/register/events/hub.ts";
import { MAX_QUEUES, queueKeys } from "@/lib/chat/register/events/queues.ts";
import {
  contentsIn,
  copyQueue,
  registerClient,
  type TestClient,
  untilWaiting,
} from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

async function refusalOf(chat: TestChat, user: TestUser | null, endpoint: string, params: object) {
  const { status, body } = await chat.call(user, endpoint, {
    last_event_id: -1,
    dont_block: true,
    ...params,
  });
  return [status, body.code];
}

Deno.test("GET /events and DELETE /events treat another user's queue like a missing one", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member);
  const pending = client.wait();
  await untilWaiting(chat, 1);
  for (const user of [chat.owner, chat.admin, chat.guest, chat.bot, chat.outsider]) {
    for (const endpoint of ["GET /events", "DELETE /events"]) {
      const own = await chat.call(user, endpoint, { queue_id: client.queueId, last_event_id: -1 });
      const none = await chat.call(user, endpoint, { queue_id: crypto.randomUUID(), last_event_id: -1 });
      assert.deepEqual([own.status, own.body.code], [400, "BAD_EVENT_QUEUE_ID"]);
      assert.deepEqual([none.status, none.body.code], [own.status, own.body.code]);
      assert.equal(none.body.msg.length, own.body.msg.length);
    }
  }
  assert.equal(chat.services.events.waiting, 1, "the owner's request still waits");
  await send(chat, chat.owner, { to, content: "one" });
  assert.deepEqual(contentsIn(await pending), ["one"]);
});

Deno.test("GET /events refuses malformed queue ids", async () => {
  await using chat = await startChat();
  const { queueId } = await registerClient(chat, chat.member);
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

Deno.test("GET /events refuses a last_event_id of the future, which hides no events from later requests", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member, { event_types: ["message"] });
  await send(chat, chat.owner, { to, content: "one" });
  const ask = (last_event_id: unknown) =>
    chat.call(chat.member, "GET /events", { queue_id: client.queueId, last_event_id, dont_block: true });
  for (const last of [Number.MAX_SAFE_INTEGER, 2 ** 50]) {
    const { status, body } = await ask(last);
    assert.deepEqual([status, body.code, body.msg], [
      400,
      "BAD_REQUEST",
      `Event ${last} was not in this queue`,
    ]);
  }
  for (const last of ["9".repeat(400), "1e999", "-1e999", "1.5", "NaN", "1n", "[]", "true"]) {
    assert.deepEqual([last, (await ask(last)).status], [last, 400]);
  }
  assert.deepEqual(contentsIn((await ask(-Number.MAX_SAFE_INTEGER)).body.events), ["one"]);
  assert.deepEqual(contentsIn(await client.receive()), ["one"]);
});

Deno.test("an account that registers too many queues loses its own, not those of others", async () => {
  await using chat = await startChat();
  const other = await registerClient(chat, chat.moderator);
  const { queueId } = await registerClient(chat, chat.member);
  await copyQueue(chat, chat.member, { queueId, count: MAX_QUEUES - 1 });
  await Promise.all(Array.from({ length: 30 }, () => registerClient(chat, chat.member)));
  const last = await registerClient(chat, chat.member);
  assert.equal(await countQueues(chat, chat.member), MAX_QUEUES);
  assert.deepEqual([await last.receive(), await other.receive()], [[], []]);
});

async function countQueues(chat: TestChat, { id }: TestUser): Promise<number> {
  const prefix = [...queueKeys.ofUser(chat.realm.id, id)];
  return (await Array.fromAsync(chat.services.store.kv.list({ prefix }))).length;
}

Deno.test("the number of waiting requests per account is limited, which other accounts do not notice", async () => {
  await using chat = await startChat();
  const other = await registerClient(chat, chat.moderator);
  const clients = await Promise.all(
    Array.from({ length: MAX_WAITING_PER_USER + 1 }, () => registerClient(chat, chat.member)),
  );
  const [one, ...others] = clients;
  assert.ok(one !== undefined);
  const pending = others.map((client) => client.wait());
  await untilWaiting(chat, MAX_WAITING_PER_USER);
  const query = { queue_id: one.queueId, last_event_id: one.last };
  const refused = await chat.call(chat.member, "GET /events", query);
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get("retry-after")], [
    429,
    "RATE_LIMIT_HIT",
    "5",
  ]);
  const again = others[0]?.wait();
  assert.deepEqual(await pending[0], [], "a request for the same queue takes the place of the earlier one");
  pending.push(other.wait());
  await untilWaiting(chat, MAX_WAITING_PER_USER + 1);
  chat.services.events.end(others[1]?.queueId ?? "");
  pending.push(one.wait());
  await untilWaiting(chat, MAX_WAITING_PER_USER + 1);
  chat.services.events.stop();
  await Promise.all([...pending, again]);
});

Deno.test("concurrent requests for one queue leave one waiting, which alone receives each event", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member, { event_types: ["message"] });
  const asked = { queue_id: client.queueId, last_event_id: client.last };
  const answers = Array.from({ length: 50 }, () => chat.call(chat.member, "GET /events", asked));
  const { status } = chat.services;
  await waitFor("one request waits and no other is in flight", () => [status.inFlight, status.waiting], {
    isMet: ([inFlight, waiting]) => inFlight === 0 && waiting === 1,
  });
  await send(chat, chat.owner, { to, content: "one" });
  const counts = (await Promise.all(answers)).map(({ body }) => body.events.length);
  assert.deepEqual(counts.toSorted(), [...counts.slice(1).fill(0), 1]);
  assert.deepEqual([chat.services.events.waiting, chat.services.status.waiting], [0, 0]);
});

Deno.test("requests of clients that disconnect at once leave nothing behind", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member);
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
  assert.equal(events.tail(chat.realm.id).hasWaiters, false);
});

Deno.test("clients that received the same event may poll again at once, and waiting takes no capacity from others", async () => {
  await using chat = await startChat({ maxInFlight: 2 });
  const to = await makeChannel(chat, "roses");
  const clients: TestClient[] = [];
  for (let at = 0; at < 20; at++) {
    clients.push(await registerClient(chat, chat.member, { event_types: ["message"] }));
  }
  const pending = clients.map((client) => client.wait());
  await untilWaiting(chat, clients.length);
  await send(chat, chat.owner, { to, content: "one" });
  for (const received of await Promise.all(pending)) assert.deepEqual(contentsIn(received), ["one"]);
  const again = clients.map((client) => client.wait());
  await send(chat, chat.owner, { to, content: "two" });
  for (const received of await Promise.all(again)) assert.deepEqual(contentsIn(received), ["two"]);
});
