import assert from "node:assert/strict";
import { watchSubscribers } from "@/lib/chat/channels/audience.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "@/lib/chat/channels/channel.ts";
import { putChannel } from "@/lib/chat/channels/store.ts";
import { firstColor, subscribe, SUBSCRIPTION_COLORS, unsubscribe } from "@/lib/chat/channels/subscribe.ts";
import { listSubscriberCounts, readSubscriberCount } from "@/lib/chat/channels/subscriber_count.ts";
import { readPermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

const channel = { id: 7 };

/** A subscription to channel 7 in a store of its own, and what can be done with it. */
function tools(chat: TestChat, userId: number) {
  const { store, chat: app } = chat.services;
  const run = <T>(work: (tx: Tx) => Promise<T>) => transact(store, work);
  const permissions = { realm: chat.realm };
  return {
    subscribe: (color?: string) => run((tx) => subscribe(tx, permissions, { channel, userId, color })),
    unsubscribe: () => run((tx) => unsubscribe(tx, permissions, { channel, userId })),
    /** As if messages up to this one had been sent. */
    send: (id: number) => run((tx) => Promise.resolve(tx.set(channelKeys.messageHead, id))),
    change: (changes: Partial<SubscriptionRecord>) =>
      run(async (tx) => {
        const key = channelKeys.subscription(chat.realm.id, userId, channel.id);
        tx.set(key, { ...await tx.get<SubscriptionRecord>(key), ...changes });
      }),
    isListed: () =>
      run(async (tx) => await tx.get(channelKeys.subscriber(chat.realm.id, channel.id, userId)) === true),
    count: () => readSubscriberCount(app, chat.realm.id, channel.id),
    counts: () => listSubscriberCounts(app, chat.realm.id),
  };
}

Deno.test("subscribe() writes and counts a subscription once, from the next message on", async () => {
  await using chat = await startChat();
  const { subscribe, send, count, isListed } = tools(chat, chat.member.id);
  await send(41);
  const record = await subscribe();
  assert.deepEqual(record?.periods, [{ from: 42, to: null }]);
  assert.equal(record?.color, firstColor(channel));
  assert.deepEqual([await count(), await isListed()], [1, true]);
  assert.equal(await subscribe("#123456"), null);
  assert.deepEqual([await count(), await isListed()], [1, true]);
});

Deno.test("unsubscribe() keeps what was chosen and what was received, and subscribe() brings it back", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe, send, change, count, counts, isListed } = tools(chat, chat.member.id);
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
  assert.deepEqual(await counts(), new Map([[channel.id, 1]]));
});

Deno.test("subscribe() goes on where nothing was missed, and empty times leave no trace", async () => {
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
  // Nothing came while it held: what was received is as it was.
  assert.deepEqual((await unsubscribe())?.periods, [{ from: 1, to: 4 }]);
});

Deno.test("subscribe() counts somebody once who is subscribed several times at once", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe, count } = tools(chat, chat.member.id);
  await Promise.all(Array.from({ length: 5 }, () => subscribe()));
  assert.equal(await count(), 1);
  await Promise.all(Array.from({ length: 5 }, () => unsubscribe()));
  assert.equal(await count(), 0);
});

Deno.test("several accounts leave a channel in one commit", async () => {
  await using chat = await startChat();
  const people = [chat.member, chat.guest, chat.bot];
  for (const { id } of people) await tools(chat, id).subscribe();
  await transact(chat.services.store, async (tx) => {
    for (const { id } of people) await unsubscribe(tx, { realm: chat.realm }, { channel, userId: id });
  });
  assert.equal(await tools(chat, chat.member.id).count(), 0);
});

Deno.test("watchSubscribers() lets a transaction run again when somebody comes or leaves meanwhile", async () => {
  await using chat = await startChat();
  const { subscribe, unsubscribe } = tools(chat, chat.member.id);
  for (const meanwhile of [subscribe, unsubscribe]) {
    let runs = 0;
    await transact(chat.services.store, async (tx) => {
      await watchSubscribers(tx, chat.realm.id, channel.id);
      if (++runs === 1) await meanwhile();
      tx.set(["told"], runs);
    });
    assert.equal(runs, 2);
  }
});

Deno.test("the colors of subscriptions are all different", () => {
  assert.equal(new Set(SUBSCRIPTION_COLORS).size, SUBSCRIPTION_COLORS.length);
  for (const color of SUBSCRIPTION_COLORS) assert.match(color, /^#[0-9a-f]{6}$/);
});

Deno.test("putChannel() refuses a channel that does not fit into one record", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const direct_members = Array.from({ length: 30_000 }, (_, at) => at);
  const after: ChannelRecord = {
    ...{ id: 1, name: "c", description: "", creator_id: null, date_created: 0, folder_id: null },
    ...{ invite_only: false, is_web_public: false, history_public_to_subscribers: true },
    ...{ message_retention_days: null, is_archived: false, topics_policy: "inherit" },
    permissions: { can_subscribe_group: { direct_members, direct_subgroups: [] } },
  };
  const put = transact(store, async (tx) => {
    putChannel(tx, await readPermissionContext(app, tx, chat.realm.id), { before: null, after });
  });
  await assert.rejects(put, { message: "The channel would name too many users and groups." });
});
