import assert from "node:assert/strict";
import { createNotifier } from "@/lib/chat/devices/push_notifications/notifier.ts";
import { sentKeys } from "@/lib/chat/devices/push_notifications/model.ts";
import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { ScriptedBouncer } from "@/tests/casts/devices_cast.ts";
import { type Device, type PushChat, startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";

const read = (chat: PushChat, person: TestUser, messages: readonly number[]) =>
  succeed(chat, person, "POST /messages/flags", { messages, op: "add", flag: "read" });

/** Returns the retractions that a device has received so far, each as a list of message ids. */
async function readRetractions(chat: PushChat, device: Device): Promise<number[][]> {
  chat.clock.time += 2000;
  return (await chat.received(device)).filter(({ type }) => type === "remove").map(({ message_ids }) =>
    message_ids
  );
}

function readSent({ services, realm }: PushChat, person: TestUser): Promise<readonly number[] | null> {
  return readRecord(services.store.kv, sentKeys.sent(realm.id, person.id));
}

async function listRows({ services, realm }: PushChat): Promise<Deno.KvKey[]> {
  const prefixes = [
    [...pushJobKeys.readers],
    [...pushJobKeys.deletions],
    ["push_send"],
    [realm.id, "push_sent"],
    [realm.id, "push_sent_to"],
  ];
  const found = await Promise.all(
    prefixes.map((prefix) => Array.fromAsync(services.store.kv.list({ prefix }))),
  );
  return found.flat().map(({ key }) => key);
}

Deno.test("read messages are retracted from all devices of the reader, once and together", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const [phone, tablet] = [await chat.device(member), await chat.device(member, "apns")];
  const other = await chat.device(owner);
  const first = await sendDirect(chat, moderator, [member, owner], "first");
  const second = await sendDirect(chat, moderator, [member, owner], "second");
  const third = await sendDirect(chat, moderator, [member, owner], "third");
  assert.equal((await chat.received(phone)).length, 3);
  await read(chat, member, [first]);
  await read(chat, member, [first, second]);
  assert.deepEqual(await readRetractions(chat, phone), [[first, second]]);
  assert.deepEqual(await readRetractions(chat, tablet), [[first, second]]);
  assert.deepEqual(await readRetractions(chat, other), []);
  assert.deepEqual(await readSent(chat, member), [third]);
  await read(chat, member, [first]);
  await succeed(chat, member, "POST /messages/flags", {
    messages: [first, third],
    op: "remove",
    flag: "read",
  });
  assert.deepEqual(await readRetractions(chat, phone), [[first, second]]);
  const retraction = (await chat.received(phone)).at(-1);
  assert.deepEqual(Object.keys(retraction ?? {}).sort(), [
    "message_ids",
    "realm_name",
    "realm_url",
    "time",
    "type",
    "user_id",
  ]);
  assert.deepEqual([retraction?.["user_id"], retraction?.["realm_name"]], [member.id, "Gardeners"]);
  assert.deepEqual(chat.provider.impostors, []);
});

Deno.test("marking a topic, a channel or everything as read retracts exactly those messages", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const [garden, attic] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Attic")];
  const device = await chat.device(member);
  const sendMention = (to: number, topic: string) =>
    send(chat, moderator, { to, topic, content: "@**Member**" });
  const [roses, weeds] = [await sendMention(garden, "roses"), await sendMention(garden, "weeds")];
  const [boxes, direct] = [
    await sendMention(attic, "boxes"),
    await sendDirect(chat, moderator, [member], "hi"),
  ];
  assert.equal((await chat.received(device)).length, 4);
  await succeed(chat, member, "POST /mark_topic_as_read", { stream_id: garden, topic_name: "roses" });
  assert.deepEqual(await readRetractions(chat, device), [[roses]]);
  await succeed(chat, member, "POST /mark_stream_as_read", { stream_id: garden });
  assert.deepEqual(await readRetractions(chat, device), [[roses], [weeds]]);
  await succeed(chat, member, "POST /mark_all_as_read");
  assert.deepEqual(await readRetractions(chat, device), [[roses], [weeds], [boxes, direct]]);
  chat.clock.time += 61_000;
  await chat.received(device);
  assert.deepEqual(await listRows(chat), []);
});

Deno.test("a moved message is retracted when its new topic is read", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const garden = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const id = await send(chat, moderator, { to: garden, topic: "roses", content: "@**Member**" });
  assert.equal((await chat.received(device)).length, 1);
  await succeed(chat, owner, `PATCH /messages/${id}`, { topic: "tulips" });
  await succeed(chat, member, "POST /mark_topic_as_read", { stream_id: garden, topic_name: "tulips" });
  assert.deepEqual(await readRetractions(chat, device), [[id]]);
});

Deno.test("a deleted message is retracted from all users who were notified of it", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner, guest } = chat;
  const devices = await Promise.all([member, guest].map((person) => chat.device(person)));
  const id = await sendDirect(chat, owner, [member, guest, moderator], "a mistake");
  for (const device of devices) assert.equal((await chat.received(device)).length, 1);
  await succeed(chat, owner, `DELETE /messages/${id}`);
  for (const device of devices) assert.deepEqual(await readRetractions(chat, device), [[id]]);
  chat.clock.time += 61_000;
  await chat.services.notifier.sweep();
  assert.deepEqual(await listRows(chat), []);
});

Deno.test("only delivered notifications are retracted, and nothing is stored for users without devices", async () => {
  await using chat = await startPushChat();
  const { member, moderator, guest } = chat;
  const device = await chat.device(member);
  chat.provider.behave(device.token, "fail");
  const unsent = await sendDirect(chat, moderator, [member, guest], "never arrives");
  assert.deepEqual(await chat.received(device), []);
  await read(chat, member, [unsent]);
  await read(chat, guest, [unsent]);
  assert.deepEqual((await listRows(chat)).filter(([name]) => name !== "push_send"), []);
  chat.provider.behave(device.token, "take");
  chat.clock.time += 10_000;
  assert.deepEqual(await chat.received(device), []);
  assert.deepEqual(await listRows(chat), []);
});

Deno.test("a user without remaining devices stores nothing when reading", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const device = await chat.device(member);
  const [first, second] = [
    await sendDirect(chat, moderator, [member], "first"),
    await sendDirect(chat, moderator, [member], "second"),
  ];
  assert.equal((await chat.received(device)).length, 2);
  await succeed(chat, member, "POST /remove_client_device", { device_id: device.id });
  await read(chat, member, [first]);
  chat.clock.time += 61_000;
  await chat.services.notifier.sweep();
  assert.deepEqual(await listRows(chat), []);
  await read(chat, member, [second]);
  assert.deepEqual(await listRows(chat), []);
  const again = await chat.device(member);
  const third = await sendDirect(chat, moderator, [member], "third");
  assert.equal((await chat.received(again)).length, 1);
  await read(chat, member, [third]);
  assert.deepEqual(await readRetractions(chat, again), [[third]]);
});

Deno.test("a failed retraction is retried, even by the next server", async () => {
  await using chat = await startPushChat();
  const device = await chat.device(chat.member);
  const id = await sendDirect(chat, chat.moderator, [chat.member], "hello");
  assert.equal((await chat.received(device)).length, 1);
  await read(chat, chat.member, [id]);
  chat.provider.behave(device.token, "fail");
  assert.deepEqual(await readRetractions(chat, device), []);
  await chat.services.notifier.stop();
  const { chat: app, pushDelivery } = chat.services;
  const next = createNotifier({ app, delivery: pushDelivery, report: () => {} });
  await next.sweep();
  assert.deepEqual(await readRetractions(chat, device), []);
  chat.provider.behave(device.token, "take");
  chat.clock.time += 5000;
  await next.sweep();
  assert.deepEqual(await readRetractions(chat, device), [[id]]);
  chat.clock.time += 3_600_000;
  await next.sweep();
  assert.deepEqual(await readRetractions(chat, device), [[id]]);
});

Deno.test("two servers on one store retract each message once", async () => {
  await using chat = await startPushChat();
  const { chat: app, pushDelivery } = chat.services;
  const device = await chat.device(chat.member);
  const other = createNotifier({ app, delivery: pushDelivery, report: () => {} });
  const ids: number[] = [];
  for (let at = 0; at < 12; at++) {
    ids.push(await sendDirect(chat, chat.moderator, [chat.member], `no. ${at}`));
  }
  await chat.received(device);
  for (const id of ids) {
    await read(chat, chat.member, [id]);
    chat.clock.time += 2000;
    await Promise.all([chat.services.notifier.sweep(), other.sweep()]);
  }
  assert.deepEqual((await readRetractions(chat, device)).flat(), ids);
});

Deno.test("a message that is read during the delivery of its notification is retracted", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startPushChat(bouncer.env);
  const { member } = chat;
  await chat.device(member);
  let [isFirst, id] = [true, 0];
  const priorities: string[] = [];
  bouncer.answer = async () => {
    const sent = bouncer.requests.at(-1)?.fields["push_requests"];
    const requests: { token_id: string; priority: string }[] = JSON.parse(sent ?? "[]");
    if (sent !== undefined && isFirst) {
      isFirst = false;
      await read(chat, member, [id]);
    }
    priorities.push(...requests.map(({ priority }) => priority));
    return Response.json({ delivered: requests.map(({ token_id }) => token_id), gone: [], failed: [] });
  };
  id = await sendDirect(chat, chat.moderator, [member], "hello");
  await chat.services.notifier.sweep();
  await chat.services.notifier.sweep();
  assert.deepEqual(priorities, ["high", "normal"]);
  assert.equal(await readSent(chat, member), null);
});

Deno.test("the newest 200 messages of a user are recorded, and retracted in one notification", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const device = await chat.device(member);
  const ids: number[] = [];
  for (let at = 0; at < 203; at++) ids.push(await sendDirect(chat, moderator, [member], `no. ${at}`));
  assert.equal((await chat.received(device)).length, 203);
  assert.deepEqual(await readSent(chat, member), ids.slice(3));
  await succeed(chat, member, "POST /mark_all_as_read");
  assert.deepEqual(await readRetractions(chat, device), [ids.slice(3)]);
  assert.equal(await readSent(chat, member), null);
});
