import assert from "node:assert/strict";
import { succeed } from "@/tests/helpers/succeed.ts";
import { type Device, type PushChat, startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { makeChannel, NO_AUTOMATIC_POLICIES, send, sendDirect } from "@/tests/casts/messages_cast.ts";

async function triggers(chat: PushChat, device: Device): Promise<string[]> {
  return (await chat.received(device)).map(({ trigger }) => trigger);
}

Deno.test("mentions by name, group and wildcard notify a user, and mentions by name even in muted topics", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const team = { name: "pruners", description: "", members: [member.id] };
  await succeed(chat, chat.owner, "POST /user_groups/create", team);
  await succeed(chat, member, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  const device = await chat.device(member);
  await send(chat, moderator, { to: channel, content: "@**Member** you" });
  await send(chat, moderator, { to: channel, content: "@*pruners* all of you" });
  await send(chat, moderator, { to: channel, content: "@**all** everybody" });
  await send(chat, moderator, { to: channel, content: "@_**Member** silently" });
  const expected = ["mentioned", "mentioned", "stream_wildcard_mentioned"];
  assert.deepEqual(await triggers(chat, device), expected);
  const muting = { stream_id: channel, topic: "plans", visibility_policy: 1 };
  await succeed(chat, member, "POST /user_topics", muting);
  await send(chat, moderator, { to: channel, content: "@**all** again" });
  await send(chat, moderator, { to: channel, content: "@**Member** again" });
  assert.deepEqual(await triggers(chat, device), [...expected, "mentioned"]);
});

Deno.test("followed topics notify their followers, and topic mentions notify participants", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const [follower, writer] = [await chat.device(member), await chat.device(chat.owner)];
  await succeed(chat, chat.owner, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  const following = { stream_id: channel, topic: "plans", visibility_policy: 3 };
  await succeed(chat, member, "POST /user_topics", following);
  await send(chat, chat.owner, { to: channel, content: "I take part" });
  await send(chat, moderator, { to: channel, content: "@**topic** you all" });
  await send(chat, moderator, { to: channel, topic: "other", content: "@**topic** nobody" });
  assert.deepEqual(await triggers(chat, writer), ["topic_wildcard_mentioned"]);
  assert.deepEqual(await triggers(chat, follower), [
    "followed_topic_push_notify",
    "followed_topic_push_notify",
  ]);
});

Deno.test("messages that were read or deleted before delivery, and those of muted users, do not notify", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const device = await chat.device(member);
  const read = await sendDirect(chat, moderator, [member], "read elsewhere");
  await succeed(chat, member, "POST /messages/flags", { messages: [read], op: "add", flag: "read" });
  const deleted = await sendDirect(chat, owner, [member], "a mistake");
  await succeed(chat, owner, `DELETE /messages/${deleted}`);
  await succeed(chat, member, `POST /users/me/muted_users/${moderator.id}`);
  await sendDirect(chat, moderator, [member], "muted");
  await sendDirect(chat, owner, [member], "this one");
  assert.deepEqual((await chat.received(device)).map(({ content }) => content), ["this one"]);
});

Deno.test("no message notifies while push is off, or while the user is active and online push is off", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const device = await chat.device(member);
  await succeed(chat, member, "PATCH /settings", { enable_offline_push_notifications: false });
  await sendDirect(chat, moderator, [member], "off");
  assert.deepEqual(await chat.received(device), []);
  const onlyAway = { enable_offline_push_notifications: true, enable_online_push_notifications: false };
  await succeed(chat, member, "PATCH /settings", onlyAway);
  await succeed(chat, member, "POST /users/me/presence", { status: "active" });
  await sendDirect(chat, moderator, [member], "while there");
  assert.deepEqual(await chat.received(device), []);
  chat.clock.time += 201_000;
  await sendDirect(chat, moderator, [member], "while away");
  assert.deepEqual((await chat.received(device)).map(({ content }) => content), ["while away"]);
});

Deno.test("a long message is truncated to 200 characters, and notifications fit the limits of the providers", async () => {
  await using chat = await startPushChat();
  const { member, moderator, provider } = chat;
  const device = await chat.device(member);
  await sendDirect(chat, moderator, [member], "🌱".repeat(900));
  const [payload] = await chat.received(device);
  assert.equal(payload?.["content"], "🌱".repeat(199) + "…");
  assert.ok((provider.received[0]?.encryptedData.length ?? 0) < 3900);
});

Deno.test("messages of an organization without devices enqueue no jobs", async () => {
  await using chat = await startPushChat();
  await sendDirect(chat, chat.moderator, [chat.member], "nobody listens");
  const { kv } = chat.services.store;
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["push_message"] })), []);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["push_send"] })), []);
});
