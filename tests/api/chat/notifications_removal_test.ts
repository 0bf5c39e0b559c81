import assert from "node:assert/strict";
import { createNotifier } from "@/lib/chat/notifications/notifier.ts";
import { sentKeys } from "@/lib/chat/notifications/sent.ts";
import { pushJobKeys } from "@/lib/chat/messages/push_job.ts";
import { readRecord } from "@/lib/kv/key.ts";
import type { Person } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { ToldBouncer } from "./devices_cast.ts";
import { type Device, type PushChat, startPushChat } from "./notifications_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

const read = (chat: PushChat, who: Person, messages: readonly number[]) =>
  succeed(chat, who, "POST /messages/flags", { messages, op: "add", flag: "read" });

/** What a device was told to take back so far: the ids of each notification. */
async function removals(chat: PushChat, device: Device): Promise<number[][]> {
  chat.clock.time += 2000;
  return (await chat.told(device)).filter(({ type }) => type === "remove").map(({ message_ids }) =>
    message_ids
  );
}

function sentTo({ services, realm }: PushChat, who: Person): Promise<readonly number[] | null> {
  return readRecord(services.store.kv, sentKeys.sent(realm.id, who.id));
}

async function rows({ services, realm }: PushChat): Promise<Deno.KvKey[]> {
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

Deno.test("what is read is taken back from all devices of its reader, once and together", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const [phone, tablet] = [await chat.device(member), await chat.device(member, "apns")];
  const other = await chat.device(owner);
  const first = await sendDirect(chat, moderator, [member, owner], "first");
  const second = await sendDirect(chat, moderator, [member, owner], "second");
  const third = await sendDirect(chat, moderator, [member, owner], "third");
  assert.equal((await chat.told(phone)).length, 3);
  await read(chat, member, [first]);
  await read(chat, member, [first, second]);
  assert.deepEqual(await removals(chat, phone), [[first, second]]);
  assert.deepEqual(await removals(chat, tablet), [[first, second]]);
  assert.deepEqual(await removals(chat, other), []);
  assert.deepEqual(await sentTo(chat, member), [third]);
  await read(chat, member, [first]);
  await succeed(chat, member, "POST /messages/flags", {
    messages: [first, third],
    op: "remove",
    flag: "read",
  });
  assert.deepEqual(await removals(chat, phone), [[first, second]]);
  const told = (await chat.told(phone)).at(-1);
  assert.deepEqual(Object.keys(told ?? {}).sort(), [
    "message_ids",
    "realm_name",
    "realm_url",
    "time",
    "type",
    "user_id",
  ]);
  assert.deepEqual([told?.["user_id"], told?.["realm_name"]], [member.id, "Gardeners"]);
  assert.deepEqual(chat.provider.impostors, []);
});

Deno.test("a topic, a channel, and everything that is read is taken back, and nothing else", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const [garden, attic] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Attic")];
  const device = await chat.device(member);
  const say = (to: number, topic: string) => send(chat, moderator, { to, topic, content: "@**Member**" });
  const [roses, weeds] = [await say(garden, "roses"), await say(garden, "weeds")];
  const [boxes, direct] = [await say(attic, "boxes"), await sendDirect(chat, moderator, [member], "hi")];
  assert.equal((await chat.told(device)).length, 4);
  await succeed(chat, member, "POST /mark_topic_as_read", { stream_id: garden, topic_name: "roses" });
  assert.deepEqual(await removals(chat, device), [[roses]]);
  await succeed(chat, member, "POST /mark_stream_as_read", { stream_id: garden });
  assert.deepEqual(await removals(chat, device), [[roses], [weeds]]);
  await succeed(chat, member, "POST /mark_all_as_read");
  assert.deepEqual(await removals(chat, device), [[roses], [weeds], [boxes, direct]]);
  chat.clock.time += 61_000;
  await chat.told(device);
  assert.deepEqual(await rows(chat), []);
});

Deno.test("a moved message that is read with its new topic is taken back", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const garden = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const id = await send(chat, moderator, { to: garden, topic: "roses", content: "@**Member**" });
  assert.equal((await chat.told(device)).length, 1);
  await succeed(chat, owner, `PATCH /messages/${id}`, { topic: "tulips" });
  await succeed(chat, member, "POST /mark_topic_as_read", { stream_id: garden, topic_name: "tulips" });
  assert.deepEqual(await removals(chat, device), [[id]]);
});

Deno.test("a deleted message is taken back from everybody who was told of it", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner, guest } = chat;
  const devices = await Promise.all([member, guest].map((who) => chat.device(who)));
  const id = await sendDirect(chat, owner, [member, guest, moderator], "a mistake");
  for (const device of devices) assert.equal((await chat.told(device)).length, 1);
  await succeed(chat, owner, `DELETE /messages/${id}`);
  for (const device of devices) assert.deepEqual(await removals(chat, device), [[id]]);
  chat.clock.time += 61_000;
  await chat.services.notifier.sweep();
  assert.deepEqual(await rows(chat), []);
});

Deno.test("only what was really sent is taken back; nothing is noted for those without devices", async () => {
  await using chat = await startPushChat();
  const { member, moderator, guest } = chat;
  const device = await chat.device(member);
  chat.provider.behave(device.token, "fail");
  const unsent = await sendDirect(chat, moderator, [member, guest], "never arrives");
  assert.deepEqual(await chat.told(device), []);
  await read(chat, member, [unsent]);
  await read(chat, guest, [unsent]);
  assert.deepEqual((await rows(chat)).filter(([name]) => name !== "push_send"), []);
  chat.provider.behave(device.token, "take");
  chat.clock.time += 10_000;
  assert.deepEqual(await chat.told(device), []);
  assert.deepEqual(await rows(chat), []);
});

Deno.test("whoever has no device any more leaves nothing when he reads", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const device = await chat.device(member);
  const [first, second] = [
    await sendDirect(chat, moderator, [member], "first"),
    await sendDirect(chat, moderator, [member], "second"),
  ];
  assert.equal((await chat.told(device)).length, 2);
  await succeed(chat, member, "POST /remove_client_device", { device_id: device.id });
  await read(chat, member, [first]);
  chat.clock.time += 61_000;
  await chat.services.notifier.sweep();
  assert.deepEqual(await rows(chat), []);
  await read(chat, member, [second]);
  assert.deepEqual(await rows(chat), []);
  const again = await chat.device(member);
  const third = await sendDirect(chat, moderator, [member], "third");
  assert.equal((await chat.told(again)).length, 1);
  await read(chat, member, [third]);
  assert.deepEqual(await removals(chat, again), [[third]]);
});

Deno.test("what a provider does not take back is tried again, also by the server that comes next", async () => {
  await using chat = await startPushChat();
  const device = await chat.device(chat.member);
  const id = await sendDirect(chat, chat.moderator, [chat.member], "hello");
  assert.equal((await chat.told(device)).length, 1);
  await read(chat, chat.member, [id]);
  chat.provider.behave(device.token, "fail");
  assert.deepEqual(await removals(chat, device), []);
  await chat.services.notifier.stop();
  const { chat: app, courier } = chat.services;
  const next = createNotifier({ app, courier, report: () => {} });
  await next.sweep();
  assert.deepEqual(await removals(chat, device), []);
  chat.provider.behave(device.token, "take");
  chat.clock.time += 5000;
  await next.sweep();
  assert.deepEqual(await removals(chat, device), [[id]]);
  chat.clock.time += 3_600_000;
  await next.sweep();
  assert.deepEqual(await removals(chat, device), [[id]]);
});

Deno.test("two servers on one store take each message back once", async () => {
  await using chat = await startPushChat();
  const { chat: app, courier } = chat.services;
  const device = await chat.device(chat.member);
  const other = createNotifier({ app, courier, report: () => {} });
  const ids: number[] = [];
  for (let at = 0; at < 12; at++) {
    ids.push(await sendDirect(chat, chat.moderator, [chat.member], `no. ${at}`));
  }
  await chat.told(device);
  for (const id of ids) {
    await read(chat, chat.member, [id]);
    chat.clock.time += 2000;
    await Promise.all([chat.services.notifier.sweep(), other.sweep()]);
  }
  assert.deepEqual((await removals(chat, device)).flat(), ids);
});

Deno.test("what is read while its notification is on its way is taken back as well", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startPushChat(bouncer.env);
  const { member } = chat;
  await chat.device(member);
  let [isFirst, id] = [true, 0];
  const priorities: string[] = [];
  bouncer.answer = async () => {
    const asked = bouncer.asked.at(-1)?.fields["push_requests"];
    const requests: { token_id: string; priority: string }[] = JSON.parse(asked ?? "[]");
    if (asked !== undefined && isFirst) {
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
  assert.equal(await sentTo(chat, member), null);
});

Deno.test("of very many messages the newest 200 are kept in mind, and taken back in one notification", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const device = await chat.device(member);
  const ids: number[] = [];
  for (let at = 0; at < 203; at++) ids.push(await sendDirect(chat, moderator, [member], `no. ${at}`));
  assert.equal((await chat.told(device)).length, 203);
  assert.deepEqual(await sentTo(chat, member), ids.slice(3));
  await succeed(chat, member, "POST /mark_all_as_read");
  assert.deepEqual(await removals(chat, device), [ids.slice(3)]);
  assert.equal(await sentTo(chat, member), null);
});
