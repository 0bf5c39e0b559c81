import assert from "node:assert/strict";
import type { TestUser } from "@/tests/helpers/chat.ts";
import { type Device, type PushChat, startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";

const MINUTE_MS = 60_000;

async function edit(chat: PushChat, person: TestUser, id: number, content: string): Promise<void> {
  const { status, body } = await chat.call(person, `PATCH /messages/${id}`, { content });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Waits for the delay of edits and returns the triggers and contents that a device has received so far. */
async function readNotifications(chat: PushChat, device: Device): Promise<[string, string][]> {
  chat.clock.time += 5000;
  return (await chat.received(device)).map(({ trigger, content }) => [trigger, content]);
}

async function countJobs({ services }: PushChat): Promise<number> {
  const queues = ["push_message", "push_send"].map((name) => services.store.kv.list({ prefix: [name] }));
  return (await Promise.all(queues.map((queue) => Array.fromAsync(queue)))).flat().length;
}

Deno.test("an edit notifies users whom it newly mentions, and not those mentioned before", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const [devices, owners] = [
    [await chat.device(member), await chat.device(member, "apns")],
    await chat.device(owner),
  ];
  const id = await send(chat, moderator, { to: channel, content: "@**Owner** one" });
  assert.deepEqual(await readNotifications(chat, owners), [["mentioned", "@Owner one"]]);
  chat.clock.time += MINUTE_MS;
  await edit(chat, moderator, id, "@**Owner** @**Member** two");
  for (const device of devices) {
    assert.deepEqual(await readNotifications(chat, device), [["mentioned", "@Owner @Member two"]]);
  }
  await edit(chat, moderator, id, "@**Member** @**Owner** three");
  await edit(chat, moderator, id, "@**Member** four");
  for (const device of devices) assert.equal((await readNotifications(chat, device)).length, 1);
  assert.equal((await readNotifications(chat, owners)).length, 1);
  assert.equal(await countJobs(chat), 0);
});

Deno.test("an edit that mentions a group or everyone notifies users who were not notified before", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const team = { name: "pruners", description: "", members: [member.id] };
  assert.equal((await chat.call(owner, "POST /user_groups/create", team)).status, 200);
  const [device, owners] = [await chat.device(member), await chat.device(owner)];
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  await edit(chat, moderator, id, "@*pruners* hello");
  assert.deepEqual((await readNotifications(chat, device)).map(([trigger]) => trigger), ["mentioned"]);
  assert.deepEqual(await readNotifications(chat, owners), []);
  await edit(chat, moderator, id, "@*pruners* @**all** hello");
  assert.deepEqual((await readNotifications(chat, owners)).map(([trigger]) => trigger), [
    "stream_wildcard_mentioned",
  ]);
  assert.equal((await readNotifications(chat, device)).length, 1);
});

Deno.test("a user who is notified of all messages in a channel is not notified again of an edit", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const property = { stream_id: channel, property: "push_notifications", value: true };
  await chat.call(member, "POST /users/me/subscriptions/properties", { subscription_data: [property] });
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  await edit(chat, moderator, id, "@**Member** hello");
  assert.equal((await readNotifications(chat, device)).length, 1);
  assert.equal(await countJobs(chat), 0);
});

Deno.test("edits before delivery notify each user once, and not users whose mention was removed", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner, guest } = chat;
  const channel = await makeChannel(chat, "Garden");
  const devices = await Promise.all([member, owner, guest].map((person) => chat.device(person)));
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  await edit(chat, moderator, id, "@**Member** hello");
  await chat.services.notifier.sweep();
  chat.clock.time += 10;
  await edit(chat, moderator, id, "@**Member** @**Guest** hello");
  chat.clock.time += 10;
  await edit(chat, moderator, id, "@**Member** @**Owner** hello");
  const counts = await Promise.all(
    devices.map(async (device) => (await readNotifications(chat, device)).length),
  );
  assert.deepEqual(counts, [1, 1, 0]);
});

Deno.test("an edit of an old message, or one that adds no mention, notifies no one", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  assert.deepEqual(await readNotifications(chat, device), []);
  await edit(chat, moderator, id, "@_**Member** hello");
  assert.equal(await countJobs(chat), 0);
  const direct = await sendDirect(chat, moderator, [member], "hello");
  assert.equal((await readNotifications(chat, device)).length, 1);
  await edit(chat, moderator, direct, "@**Member** hello");
  assert.equal(await countJobs(chat), 0);
  chat.clock.time += 5 * MINUTE_MS;
  await edit(chat, moderator, id, "@**Member** hello");
  assert.equal(await countJobs(chat), 0);
});

Deno.test("an edit does not notify users who have read the message", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const device = await chat.device(member);
  const id = await send(chat, moderator, { to: channel, content: "hello" });
  const reading = { messages: [id], op: "add", flag: "read" };
  assert.equal((await chat.call(member, "POST /messages/flags", reading)).status, 200);
  await edit(chat, moderator, id, "@**Member** hello");
  assert.deepEqual(await readNotifications(chat, device), []);
});
