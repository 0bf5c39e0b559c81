// GET /events with many events, many senders and another process
import assert from "node:assert/strict";
import { createEventHub } from "@/lib/chat/event_queues/hub.ts";
import { MAX_BEHIND, retrieveEvents } from "@/lib/chat/event_queues/retrieve.ts";
import { MAX_AT_HAND } from "@/lib/chat/event_queues/tail.ts";
import { sendEvent } from "@/lib/chat/events/emit.ts";
import { MAX_QUEUES } from "@/lib/chat/register/queue.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { createCommitSignals } from "@/lib/kv/bell.ts";
import { transact } from "@/lib/kv/transact.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { contentsIn, copyQueue, type Heard, listen, type TestClient } from "./events_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

/** Events that one commit holds. */
const AT_ONCE = 900;

/** Tells somebody much, over some minutes. */
async function tellMuch(chat: TestChat, who: Person, count: number): Promise<void> {
  for (let told = 0; told < count;) {
    await transact(chat.services.store, (tx) => {
      for (let at = 0; at < AT_ONCE; at++) {
        sendEvent(tx, { realmId: chat.realm.id, now: chat.clock.time }, {
          event: { type: "much", number: told + at },
          audience: [who.id],
        });
      }
      return Promise.resolve();
    });
    told += AT_ONCE;
    chat.clock.time += 5000;
  }
}

/** Asks in another process: one that has nothing at hand yet, and does not hear what this one commits. */
function elsewhere(chat: TestChat) {
  const { store } = chat.services.chat;
  const hub = createEventHub({ ...chat.services.chat, store: { ...store, bell: createCommitSignals() } });
  const ask = async (who: Person, client: TestClient, dont_block = true): Promise<readonly Heard[]> => {
    const user = await readUser(chat.services.chat, chat.realm.id, who.id);
    assert.ok(user !== null);
    const { signal } = new AbortController();
    const params = { queue_id: client.queueId, last_event_id: client.last, dont_block };
    const { events } = await retrieveEvents(
      hub,
      { owner: { realm: chat.realm, user }, client: signal },
      params,
    );
    return events;
  };
  return { ask, hub, [Symbol.dispose]: () => hub.stop() };
}

Deno.test("many who send at once are heard once each, in the order of the ids, over many requests", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const clients = [
    await listen(chat, chat.member, { event_types: ["message"] }),
    await listen(chat, chat.moderator, { event_types: ["message"] }),
  ];
  const sending = Promise.all(
    Array.from(
      { length: 200 },
      (_, at) => send(chat, at % 2 === 0 ? chat.owner : chat.member, { to, content: `number ${at}` }),
    ),
  );
  const heard = await Promise.all(clients.map(async (client) => {
    const events: Heard[] = [];
    while (events.length < 200) events.push(...await client.wait());
    return [...events, ...await client.hear()];
  }));
  const sent = await sending;
  for (const events of heard) {
    assert.deepEqual(
      events.map(({ message }) => message.id),
      sent.toSorted((one, other) => one - other),
    );
    const ids = events.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)].sort((one, other) => one - other));
  }
  assert.deepEqual(heard[0]?.map(({ id }) => id), heard[1]?.map(({ id }) => id));
});

Deno.test("nothing is lost between the state that a client registers with and its first event", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  for (let round = 0; round < 5; round++) {
    const sending = Array.from({ length: 30 }, (_, at) => send(chat, chat.owner, { to, content: `${at}` }));
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        () => chat.call(chat.member, "POST /register", { event_types: ["message"] }),
      ),
    );
    const sent = await Promise.all(sending);
    for (const { body: { queue_id, max_message_id } } of answers) {
      const asked = { queue_id, last_event_id: -1, dont_block: true };
      const { body } = await chat.call(chat.member, "GET /events", asked);
      const heard = new Set(body.events.map(({ message }: Heard) => message.id));
      assert.deepEqual(sent.filter((id) => id > max_message_id && !heard.has(id)), []);
    }
  }
});

Deno.test("GET /events returns what another process commits, with the same ids", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, chat.member);
  using other = elsewhere(chat);
  const hearing = other.ask(chat.member, client, false);
  await send(chat, chat.owner, { to, content: "one" });
  const events = await hearing;
  assert.deepEqual(contentsIn(events), ["one"]);
  assert.deepEqual(events.map(({ id }) => id), (await client.hear()).map(({ id }) => id));
});

Deno.test("who waits is told although another request was the first to find it", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const [client, another] = [await listen(chat, chat.member), await listen(chat, chat.moderator)];
  using other = elsewhere(chat);
  const hearing = other.ask(chat.member, client, false);
  await waitFor("the member waits in the other process", () => other.hub.tail(chat.realm.id).isWaitedFor);
  await send(chat, chat.owner, { to, content: "one" });
  chat.clock.time += 2000;
  assert.deepEqual(contentsIn(await other.ask(chat.moderator, another)), ["one"]);
  assert.deepEqual(contentsIn(await hearing), ["one"]);
});

Deno.test("a client that is far behind is told from the store what is no longer at hand, exactly once", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.member, { event_types: ["message"] });
  await sendDirect(chat, chat.owner, [chat.member], "early");
  await tellMuch(chat, chat.admin, MAX_AT_HAND + 5000);
  await sendDirect(chat, chat.owner, [chat.member], "late");
  using other = elsewhere(chat);
  assert.deepEqual(contentsIn(await other.ask(chat.member, client)), ["early", "late"]);
  const ids = (await client.hear()).map(({ id }) => id);
  client.last = ids[0];
  assert.deepEqual(contentsIn(await other.ask(chat.member, client)), ["late"]);
  client.last = ids[1];
  assert.deepEqual(await other.ask(chat.member, client), []);
});

Deno.test("much comes in several answers, and what is far too much ends the queue", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.member, { event_types: ["much"] });
  await tellMuch(chat, chat.member, 1800);
  const numbers: number[] = [];
  for (let events = await client.hear(); events.length > 0; events = await client.hear()) {
    assert.ok(events.length < 600, `${events.length} at once`);
    numbers.push(...events.map(({ number }) => number));
  }
  assert.deepEqual(numbers, Array.from({ length: 1800 }, (_, at) => at));
  await tellMuch(chat, chat.member, MAX_BEHIND + 1);
  for (let again = 0; again < 2; again++) {
    const params = { queue_id: client.queueId, last_event_id: client.last, dont_block: true };
    const { status, body } = await chat.call(chat.member, "GET /events", params);
    assert.deepEqual([status, body.code], [400, "BAD_EVENT_QUEUE_ID"]);
  }
});

Deno.test("an account has so many queues, and the one that was not asked for longest makes room", async () => {
  await using chat = await startChat();
  const first = await listen(chat, chat.member);
  chat.clock.time += 1000;
  const second = await listen(chat, chat.member);
  chat.clock.time += 60_000;
  await first.hear();
  await copyQueue(chat, chat.member, { queueId: first.queueId, count: MAX_QUEUES - 12 });
  await Promise.all(Array.from({ length: 10 }, () => listen(chat, chat.member)));
  const third = await listen(chat, chat.member);
  assert.deepEqual([await first.hear(), await third.hear()], [[], []]);
  const asked = { queue_id: second.queueId, last_event_id: -1, dont_block: true };
  assert.equal((await chat.call(chat.member, "GET /events", asked)).body.code, "BAD_EVENT_QUEUE_ID");
});
