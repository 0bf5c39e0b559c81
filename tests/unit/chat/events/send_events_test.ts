import assert from "node:assert/strict";
import {
  type Audience,
  endedTypes,
  MAX_EVENTS_IN_COMMIT,
  queueEndEvent,
  type StoredEvent,
} from "@/lib/chat/organization/events/model.ts";
import { sendEvents } from "@/lib/chat/organization/events/send_events.ts";
import { transact } from "@/lib/store/transact.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

async function sendAndList(chat: TestChat, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  await transact(chat.services.store, (tx) => {
    sendEvents({ app: chat, tx, realm: chat.realm }, events);
    return Promise.resolve();
  });
  return await chat.events();
}

function many(count: number, audienceOf: (at: number) => Audience): StoredEvent[] {
  return Array.from({ length: count }, (_, at) => ({
    event: { type: at % 2 === 0 ? "stream" : "user_group", at },
    audience: audienceOf(at),
  }));
}

Deno.test("sendEvents() stores as many events as fit into a commit, in order", async () => {
  await using chat = await startChat();
  const events = many(MAX_EVENTS_IN_COMMIT, () => "everyone");
  assert.deepEqual(await sendAndList(chat, events), events);
  assert.deepEqual(await sendAndList(chat, []), []);
});

Deno.test("sendEvents() ends the queues of the audience when the events do not fit into a commit", async () => {
  await using chat = await startChat();
  const types = ["stream", "user_group"];
  const cases: [(at: number) => Audience, Audience][] = [
    [() => "members", "members"],
    [(at) => at === 0 ? "admins" : "members", "everyone"],
    [(at) => [at % 3], [0, 1, 2]],
    [(at) => [at % 3, 100 + at], [0, 1, 2, ...Array.from({ length: 251 }, (_, at) => 100 + at)]],
    [(at) => at === 0 ? { channel: 1 } : [1], "everyone"],
  ];
  for (const [audienceOf, audience] of cases) {
    const [one, ...others] = await sendAndList(chat, many(MAX_EVENTS_IN_COMMIT + 1, audienceOf));
    assert.deepEqual(others, []);
    assert.ok(one);
    assert.deepEqual(endedTypes(one), types);
    const sorted = (ids: Audience) => Array.isArray(ids) ? ids.toSorted((a, b) => a - b) : ids;
    assert.deepEqual(sorted(one.audience), audience);
  }
  const large = { event: { type: "stream", text: "x".repeat(20_000) }, audience: "everyone" } as const;
  assert.deepEqual(await sendAndList(chat, Array(20).fill(large)), [queueEndEvent(["stream"], "everyone")]);
  const all = [...many(MAX_EVENTS_IN_COMMIT, () => [1]), queueEndEvent(null, [2])];
  assert.deepEqual(await sendAndList(chat, all), [queueEndEvent(null, [1, 2])]);
});

Deno.test("queueEndEvent() ends queues of its audience that receive one of the types", async () => {
  await using chat = await startChat();
  const end = queueEndEvent(["stream", "subscription"], [chat.member.id]);
  const clients = await Promise.all([
    registerClient(chat, chat.member),
    registerClient(chat, chat.member, { event_types: ["subscription"] }),
    registerClient(chat, chat.member, { event_types: ["message"] }),
    registerClient(chat, chat.admin),
  ]);
  await sendAndList(chat, [end]);
  const received = await Promise.all(clients.map((client) => client.receiveUnlessEnded()));
  assert.deepEqual(received, [null, null, [], []]);
  const anew = await registerClient(chat, chat.member);
  assert.deepEqual(await anew.receiveUnlessEnded(), []);
});
