import assert from "node:assert/strict";
import type { Audience, StoredEvent } from "@/lib/chat/events/emit.ts";
import {
  endedTypes,
  MAX_EVENTS_IN_COMMIT,
  queueEndEvent,
  sendEvents,
} from "@/lib/chat/events/tell_together.ts";
import { transact } from "@/lib/kv/transact.ts";
import { listen } from "@/tests/api/chat/events_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

async function told(chat: TestChat, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  await transact(chat.services.store, (tx) => {
    sendEvents(tx, { realmId: chat.realm.id, now: chat.clock.now() }, events);
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

Deno.test("sendEvents() tells as many events as fit, in order", async () => {
  await using chat = await startChat();
  const events = many(MAX_EVENTS_IN_COMMIT, () => "everyone");
  assert.deepEqual(await told(chat, events), events);
  assert.deepEqual(await told(chat, []), []);
});

Deno.test("sendEvents() ends the queues of those whom too much would be told", async () => {
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
    const [one, ...others] = await told(chat, many(MAX_EVENTS_IN_COMMIT + 1, audienceOf));
    assert.deepEqual(others, []);
    assert.ok(one);
    assert.deepEqual(endedTypes(one), types);
    const sorted = (ids: Audience) => Array.isArray(ids) ? ids.toSorted((a, b) => a - b) : ids;
    assert.deepEqual(sorted(one.audience), audience);
  }
  const large = { event: { type: "stream", text: "x".repeat(20_000) }, audience: "everyone" } as const;
  assert.deepEqual(await told(chat, Array(20).fill(large)), [queueEndEvent(["stream"], "everyone")]);
  const all = [...many(MAX_EVENTS_IN_COMMIT, () => [1]), queueEndEvent(null, [2])];
  assert.deepEqual(await told(chat, all), [queueEndEvent(null, [1, 2])]);
});

Deno.test("a queue ends for its audience alone, and where it takes one of the types", async () => {
  await using chat = await startChat();
  const end = queueEndEvent(["stream", "subscription"], [chat.member.id]);
  const clients = await Promise.all([
    listen(chat, chat.member),
    listen(chat, chat.member, { event_types: ["subscription"] }),
    listen(chat, chat.member, { event_types: ["message"] }),
    listen(chat, chat.admin),
  ]);
  await told(chat, [end]);
  const heard = await Promise.all(clients.map((client) => client.hearUnlessEnded()));
  assert.deepEqual(heard, [null, null, [], []]);
  const anew = await listen(chat, chat.member);
  assert.deepEqual(await anew.hearUnlessEnded(), []);
});
