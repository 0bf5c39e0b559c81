import assert from "node:assert/strict";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  defaultSubscriptionColor,
  type SubscriptionRecord,
} from "@/lib/chat/channels/subscriptions/model.ts";
import { readSubscriberCount, subscribe, unsubscribe } from "@/lib/chat/channels/subscriptions/store.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

const channel = { id: 7 };

/** Returns operations on a user's subscription to channel 7. */
function tools(chat: TestChat, userId: number) {
  const { store, chat: app } = chat.services;
  const run = <T>(work: (tx: Tx) => Promise<T>) => transact(store, work);
  const permissions = { realm: chat.realm };
  return {
    subscribe: (color?: string) => run((tx) => subscribe(tx, permissions, { channel, userId, color })),
    unsubscribe: () => run((tx) => unsubscribe(tx, permissions, { channel, userId })),
    /** Pretends that messages up to this id were sent. */
    send: (id: number) => run((tx) => Promise.resolve(tx.set(channelKeys.messageHead, id))),
    change: (changes: Partial<SubscriptionRecord>) =>
      run(async (tx) => {
        const key = channelKeys.subscription(chat.realm.id, userId, channel.id);
        tx.set(key, { ...await tx.get<SubscriptionRecord>(key), ...changes });
      }),
    isListed: () =>
      run(async (tx) => await tx.get(channelKeys.subscriber(chat.realm.id, channel.id, userId)) === true),
    count: () => readSubscriberCount(app, chat.realm.id, channel.id),
  };
}

Deno.test("subscribe() writes and counts a subscription once, starting with the next message", async () => {
  await using chat = await startChat();
  const { subscribe, send, count, isListed } = tools(chat, chat.member.id);
  await send(41);
  const record = await subscribe();
  assert.deepEqual(record?.periods, [{ from: 42, to: null }]);
  assert.equal(record?.color, defaultSubscriptionColor(channel));
  assert.deepEqual([await count(), await isListed()], [1, true]);
  assert.equal(await subscribe("#123456"), null);
  assert.deepEqual([await count(), await isListed()], [1, true]);
});

Deno.test("unsubscribe() keeps properties and periods, and subscribe() restores them", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe, send, change, count, isListed } = tools(chat, chat.member.id);
  assert.equal(await unsubscribe(), null);
  await subscribe();
  await change({ is_muted: true, color: "#abcdef" });
  await send(5);
  const left = await unsubscribe();
  assert.deepEqual([left?.is_active, left?.periods], [false, [{ from: 1, to: 5 }]]);
  assert.deepEqual([await count(), await isListed()], [0, false]);
  assert.equal(await unsubscribe(), null);
  await send(9);
  const back = await subscribe();
  assert.deepEqual([back?.is_active, back?.is_muted, back?.color], [true, true, "#abcdef"]);
  assert.deepEqual(back?.periods, [{ from: 1, to: 5 }, { from: 10, to: null }]);
  assert.equal(await count(), 1);
});

Deno.test("subscribe() continues a period without missed messages, and drops empty periods", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe, send } = tools(chat, chat.member.id);
  await subscribe();
  assert.deepEqual((await unsubscribe())?.periods, []);
  await subscribe();
  await send(3);
  await unsubscribe();
  assert.deepEqual((await subscribe("#000000"))?.periods, [{ from: 1, to: null }]);
  await send(4);
  assert.deepEqual((await unsubscribe())?.periods, [{ from: 1, to: 4 }]);
  await send(5);
  await subscribe();
  // No message arrived in the meantime: the periods are unchanged.
  assert.deepEqual((await unsubscribe())?.periods, [{ from: 1, to: 4 }]);
});

Deno.test("subscribe() counts a user once in concurrent calls", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe, count } = tools(chat, chat.member.id);
  await Promise.all(Array.from({ length: 5 }, () => subscribe()));
  assert.equal(await count(), 1);
  await Promise.all(Array.from({ length: 5 }, () => unsubscribe()));
  assert.equal(await count(), 0);
});

Deno.test("unsubscribe() counts several users in one commit", async () => {
  await using chat = await startChat();
  const users = [chat.member, chat.guest, chat.bot];
  for (const { id } of users) await tools(chat, id).subscribe();
  await transact(chat.services.store, async (tx) => {
    for (const { id } of users) await unsubscribe(tx, { realm: chat.realm }, { channel, userId: id });
  });
  assert.equal(await tools(chat, chat.member.id).count(), 0);
});

Deno.test("a transaction that relies on the organization runs again if a user is subscribed or unsubscribed meanwhile", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe } = tools(chat, chat.member.id);
  for (const meanwhile of [subscribe, unsubscribe]) {
    let runs = 0;
    await transact(chat.services.store, async (tx) => {
      await tx.organization(chat.realm.id);
      if (++runs === 1) await meanwhile();
      tx.set(["runs"], runs);
    });
    assert.equal(runs, 2);
  }
});
