// GET /events with many events, many senders and another process
import assert from "node:assert/strict";
import { EventHub } from "@/lib/chat/register/events/hub.ts";
import { MAX_BEHIND, retrieveEvents } from "@/lib/chat/register/events/retrieve_events.ts";
import { eventKeys } from "@/lib/chat/organization/events/model.ts";
import { MAX_EVENTS_IN_MEMORY } from "@/lib/chat/register/events/tail.ts";
import { MAX_QUEUES } from "@/lib/chat/register/events/queues.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { CommitSignals } from "@/lib/store/turns.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  contentsIn,
  copyQueue,
  type ReceivedEvent,
  registerClient,
  type TestClient,
} from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** Events in one commit. */
const AT_ONCE = 900;

/** Sends many events to a user, over several minutes. */
async function sendMany(chat: TestChat, user: TestUser, count: number): Promise<void> {
  for (let sent = 0; sent < count;) {
    await transact(chat.services.store, (tx) => {
      for (let at = 0; at < AT_ONCE; at++) {
        sendEvent(tx, { realmId: chat.realm.id, now: chat.clock.time }, {
          event: { type: "test", number: sent + at },
          audience: [user.id],
        });
      }
      return Promise.resolve();
    });
    sent += AT_ONCE;
    chat.clock.time += 5000;
  }
}

/** Counts the rows below a prefix that a store lists from now on. */
function countListed(kv: Kv, prefix: Key): () => number {
  const list = kv.list.bind(kv);
  let count = 0;
  const counted: Pick<Kv, "list"> = {
    list<T>(...args: Parameters<typeof list>) {
      const listing = list<T>(...args);
      const next = listing.next.bind(listing);
      const countStep = async () => {
        const step = await next();
        if (step.done !== true && prefix.every((part, at) => step.value.key[at] === part)) count++;
        return step;
      };
      return Object.assign(listing, { next: countStep });
    },
  };
  Object.assign(kv, counted);
  return () => count;
}

/** Polls in another process, which has no events in memory and receives no signals of this one's commits. */
function elsewhere(chat: TestChat) {
  const { store } = chat.services.chat;
  const hub = new EventHub({ ...chat.services.chat, store: { ...store, signals: new CommitSignals() } });
  const ask = async (
    caller: TestUser,
    client: TestClient,
    dont_block = true,
  ): Promise<readonly ReceivedEvent[]> => {
    const user = await readUser(chat.services.chat, chat.realm.id, caller.id);
    assert.ok(user !== null);
    const { signal } = new AbortController();
    const params = { queue_id: client.queueId, last_event_id: client.last, dont_block };
    const { events } = await retrieveEvents(
      hub,
      { owner: { realm: chat.realm, user, sessionId: null }, client: signal },
      params,
    );
    return events;
  };
  return { ask, hub, [Symbol.dispose]: () => hub.stop() };
}

Deno.test("concurrent messages are received once each, in the order of their ids, over many requests", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const clients = [
    await registerClient(chat, chat.member, { event_types: ["message"] }),
    await registerClient(chat, chat.moderator, { event_types: ["message"] }),
  ];
  const sending = Promise.all(
    Array.from(
      { length: 200 },
      // Who starts a topic follows it, which is another event of the commit.
      (_, at) => {
        const [sender, topic] = at % 2 === 0 ? [chat.owner, "pruning"] : [chat.member, `topic ${at}`];
        return send(chat, sender, { to, topic, content: `number ${at}` });
      },
    ),
  );
  const received = await Promise.all(clients.map(async (client) => {
    const events: ReceivedEvent[] = [];
    while (events.length < 200) events.push(...await client.wait());
    return [...events, ...await client.receive()];
  }));
  const sent = await sending;
  for (const events of received) {
    assert.deepEqual(
      events.map(({ message }) => message.id),
      sent.toSorted((one, other) => one - other),
    );
    const ids = events.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)].sort((one, other) => one - other));
  }
  assert.deepEqual(received[0]?.map(({ id }) => id), received[1]?.map(({ id }) => id));
});

Deno.test("no message is lost between the initial state and the first event", async () => {
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
      const received = new Set(body.events.map(({ message }: ReceivedEvent) => message.id));
      assert.deepEqual(sent.filter((id) => id > max_message_id && !received.has(id)), []);
    }
  }
});

Deno.test("GET /events returns events committed by another process, with the same ids", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, chat.member);
  using other = elsewhere(chat);
  const pending = other.ask(chat.member, client, false);
  await send(chat, chat.owner, { to, content: "one" });
  const events = await pending;
  assert.deepEqual(contentsIn(events), ["one"]);
  assert.deepEqual(events.map(({ id }) => id), (await client.receive()).map(({ id }) => id));
});

Deno.test("a waiting request receives an event that another request read first", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const [client, another] = [
    await registerClient(chat, chat.member),
    await registerClient(chat, chat.moderator),
  ];
  using other = elsewhere(chat);
  const pending = other.ask(chat.member, client, false);
  await waitFor("the member waits in the other process", () => other.hub.tail(chat.realm.id).hasWaiters);
  await send(chat, chat.owner, { to, content: "one" });
  chat.clock.time += 2000;
  assert.deepEqual(contentsIn(await other.ask(chat.moderator, another)), ["one"]);
  assert.deepEqual(contentsIn(await pending), ["one"]);
});

Deno.test("a client that is far behind receives events from the store that left the memory, exactly once", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member, { event_types: ["message"] });
  await sendDirect(chat, chat.owner, [chat.member], "early");
  await sendMany(chat, chat.admin, MAX_EVENTS_IN_MEMORY + 5000);
  await sendDirect(chat, chat.owner, [chat.member], "late");
  using other = elsewhere(chat);
  assert.deepEqual(contentsIn(await other.ask(chat.member, client)), ["early", "late"]);
  const ids = (await client.receive()).map(({ id }) => id);
  client.last = ids[0];
  assert.deepEqual(contentsIn(await other.ask(chat.member, client)), ["late"]);
  client.last = ids[1];
  assert.deepEqual(await other.ask(chat.member, client), []);
});

Deno.test("GET /events returns events that were committed long after their time, once, after earlier commits", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member, { event_types: ["test"] });
  const commit = (number: number, now: number) =>
    transact(chat.services.store, (tx) => {
      const audience = [chat.member.id];
      sendEvent(tx, { realmId: chat.realm.id, now }, { event: { type: "test", number }, audience });
      return Promise.resolve();
    });
  const now = chat.clock.time;
  await commit(1, now);
  assert.deepEqual((await client.receive()).map(({ number }) => number), [1]);
  // Servers whose clocks differ, and commits that waited for a lock.
  await commit(2, now - 9000);
  await commit(3, now + 10);
  assert.deepEqual((await client.receive()).map(({ number }) => number), [2, 3]);
  await commit(4, now - 500);
  assert.deepEqual((await client.receive()).map(({ number }) => number), [4]);
});

Deno.test("an event after very many recent ones is found without reading these again", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const sendAt = (now: number, count: number) =>
    transact(store, (tx) => {
      const stored = { event: { type: "test" }, audience: [chat.member.id] };
      for (let sent = 0; sent < count; sent++) sendEvent(tx, { realmId: chat.realm.id, now }, stored);
      return Promise.resolve();
    });
  const { time } = chat.clock;
  for (let seconds = 5; seconds > 0; seconds--) await sendAt(time - seconds * 1000, AT_ONCE);
  await sendAt(time - 500, 1);
  const client = await registerClient(chat, chat.member, { event_types: ["message"] });
  assert.deepEqual(await client.receive(), []);
  const countRows = countListed(store.kv, eventKeys.events(chat.realm.id));
  await sendDirect(chat, chat.moderator, [chat.member], "hello");
  assert.deepEqual(contentsIn(await client.receive()), ["hello"]);
  assert.ok(countRows() < 100, `${countRows()} rows`);
});

Deno.test("many events come in several answers, and too many end the queue", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member, { event_types: ["test"] });
  await sendMany(chat, chat.member, 1800);
  const numbers: number[] = [];
  for (let events = await client.receive(); events.length > 0; events = await client.receive()) {
    assert.ok(events.length < 600, `${events.length} at once`);
    numbers.push(...events.map(({ number }) => number));
  }
  assert.deepEqual(numbers, Array.from({ length: 1800 }, (_, at) => at));
  await sendMany(chat, chat.member, MAX_BEHIND + 1);
  for (let again = 0; again < 2; again++) {
    const params = { queue_id: client.queueId, last_event_id: client.last, dont_block: true };
    const { status, body } = await chat.call(chat.member, "GET /events", params);
    assert.deepEqual([status, body.code], [400, "BAD_EVENT_QUEUE_ID"]);
  }
});

Deno.test("the number of queues per account is limited, and the one idle longest is removed", async () => {
  await using chat = await startChat();
  const first = await registerClient(chat, chat.member);
  chat.clock.time += 1000;
  const second = await registerClient(chat, chat.member);
  chat.clock.time += 60_000;
  await first.receive();
  await copyQueue(chat, chat.member, { queueId: first.queueId, count: MAX_QUEUES - 12 });
  await Promise.all(Array.from({ length: 10 }, () => registerClient(chat, chat.member)));
  const third = await registerClient(chat, chat.member);
  assert.deepEqual([await first.receive(), await third.receive()], [[], []]);
  const asked = { queue_id: second.queueId, last_event_id: -1, dont_block: true };
  assert.equal((await chat.call(chat.member, "GET /events", asked)).body.code, "BAD_EVENT_QUEUE_ID");
});
