import assert from "node:assert/strict";
import type { Person } from "@/tests/helpers/chat.ts";
import { type Device, type PushChat, startPushChat } from "./notifications_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

const MINUTE_MS = 60_000;

async function edit(chat: PushChat, who: Person, id: number, content: string): Promise<void> {
  const { status, body } = await chat.call(who, `PATCH /messages/${id}`, { content });
  assert.equal(status, 200, JSON.stringify(body));
}

/** What a device was told so far, when edits are no longer waited for. */
async function told(chat: PushChat, device: Device): Promise<[string, string][]> {
  chat.clock.time += 5000;
  return (await chat.told(device)).map(({ trigger, content }) => [trigger, content]);
}

async function waiting({ services }: PushChat): Promise<number> {
  const queues = ["push_message", "push_send"].map((name) => services.store.kv.list({ prefix: [name] }));
  return (await Promise.all(queues.map((queue) => Array.fromAsync(queue)))).flat().length;
}

Deno.test("whoever an edit names is told, and nobody who was named before", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const [devices, owners] = [
    [await chat.device(member), await chat.device(member, "apns")],
    await chat.device(owner),
  ];
  const id = await send(chat, moderator, { to: channel, content: "@**Owner** one" });
  assert.deepEqual(await told(chat, owners), [["mentioned", "@Owner one"]]);
  chat.clock.time += MINUTE_MS;
  await edit(chat, moderator, id, "@**Owner** @**Member** two");
  for (const device of devices) {
    assert.deepEqual(await told(chat, device), [["mentioned", "@Owner @Member two"]]);
  }
  await edit(chat, moderator, id, "@**Member** @**Owner** three");
  await edit(chat, moderator, id, "@**Member** four");
  for (const device of devices) assert.equal((await told(chat, device)).length, 1);
  assert.equal((await told(chat, owners)).length, 1);
  assert.equal(await waiting(chat), 0);
});

Deno.test("an edit that names a group or everybody tells those who had no reason before", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const team = { name: "pruners", description: "", members: [member.id] };
  assert.equal((await chat.call(owner, "POST /user_groups/create", team)).status, 200);
  const [device, owners] = [await chat.device(member), await chat.device(owner)];
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  await edit(chat, moderator, id, "@*pruners* hello");
  assert.deepEqual((await told(chat, device)).map(([trigger]) => trigger), ["mentioned"]);
  assert.deepEqual(await told(chat, owners), []);
  await edit(chat, moderator, id, "@*pruners* @**all** hello");
  assert.deepEqual((await told(chat, owners)).map(([trigger]) => trigger), ["stream_wildcard_mentioned"]);
  assert.equal((await told(chat, device)).length, 1);
});

Deno.test("who is told of every message of a channel anyway is told once", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const property = { stream_id: channel, property: "push_notifications", value: true };
  await chat.call(member, "POST /users/me/subscriptions/properties", { subscription_data: [property] });
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  await edit(chat, moderator, id, "@**Member** hello");
  assert.equal((await told(chat, device)).length, 1);
  assert.equal(await waiting(chat), 0);
});

Deno.test("edits before anybody was told tell each once, and not whom they name no more", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner, guest } = chat;
  const channel = await makeChannel(chat, "Garden");
  const devices = await Promise.all([member, owner, guest].map((who) => chat.device(who)));
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  await edit(chat, moderator, id, "@**Member** hello");
  await chat.services.notifier.sweep();
  chat.clock.time += 10;
  await edit(chat, moderator, id, "@**Member** @**Guest** hello");
  chat.clock.time += 10;
  await edit(chat, moderator, id, "@**Member** @**Owner** hello");
  const counts = await Promise.all(devices.map(async (device) => (await told(chat, device)).length));
  assert.deepEqual(counts, [1, 1, 0]);
});

Deno.test("an edit of an old message, or one that names nobody else, tells nobody", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  assert.deepEqual(await told(chat, device), []);
  await edit(chat, moderator, id, "@_**Member** hello");
  assert.equal(await waiting(chat), 0);
  const direct = await sendDirect(chat, moderator, [member], "hello");
  assert.equal((await told(chat, device)).length, 1);
  await edit(chat, moderator, direct, "@**Member** hello");
  assert.equal(await waiting(chat), 0);
  chat.clock.time += 5 * MINUTE_MS;
  await edit(chat, moderator, id, "@**Member** hello");
  assert.equal(await waiting(chat), 0);
});

Deno.test("who has read a message is not told of its edit", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  const reading = { messages: [id], op: "add", flag: "read" };
  assert.equal((await chat.call(member, "POST /messages/flags", reading)).status, 200);
  await edit(chat, moderator, id, "@**Member** hello");
  assert.deepEqual(await told(chat, device), []);
});
