import assert from "node:assert/strict";
import { succeed } from "@/tests/helpers/succeed.ts";
import { type Device, type PushChat, startPushChat } from "./notifications_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

async function triggers(chat: PushChat, device: Device): Promise<string[]> {
  return (await chat.told(device)).map(({ trigger }) => trigger);
}

Deno.test("whoever is named is told, by name, by group and with everybody, also where he muted the topic", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const team = { name: "pruners", description: "", members: [member.id] };
  await succeed(chat, chat.owner, "POST /user_groups/create", team);
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

Deno.test("followed topics are told, and those who take part in a topic when it is spoken to", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const [follower, writer] = [await chat.device(member), await chat.device(chat.owner)];
  const quiet = { automatically_follow_topics_policy: 4, automatically_follow_topics_where_mentioned: false };
  await succeed(chat, chat.owner, "PATCH /settings", quiet);
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

Deno.test("what was read, sent by somebody muted or deleted before it went out is not told", async () => {
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
  assert.deepEqual((await chat.told(device)).map(({ content }) => content), ["this one"]);
});

Deno.test("settings decide: nothing where push is off, and nothing while he is there unless he wants that", async () => {
  await using chat = await startPushChat();
  const { member, moderator } = chat;
  const device = await chat.device(member);
  await succeed(chat, member, "PATCH /settings", { enable_offline_push_notifications: false });
  await sendDirect(chat, moderator, [member], "off");
  assert.deepEqual(await chat.told(device), []);
  const onlyAway = { enable_offline_push_notifications: true, enable_online_push_notifications: false };
  await succeed(chat, member, "PATCH /settings", onlyAway);
  await succeed(chat, member, "POST /users/me/presence", { status: "active" });
  await sendDirect(chat, moderator, [member], "while there");
  assert.deepEqual(await chat.told(device), []);
  chat.clock.time += 201_000;
  await sendDirect(chat, moderator, [member], "while away");
  assert.deepEqual((await chat.told(device)).map(({ content }) => content), ["while away"]);
});

Deno.test("a long message is cut to 200 characters, and every notification fits what providers take", async () => {
  await using chat = await startPushChat();
  const { member, moderator, provider } = chat;
  const device = await chat.device(member);
  await sendDirect(chat, moderator, [member], "🌱".repeat(900));
  const [told] = await chat.told(device);
  assert.equal(told?.["content"], "🌱".repeat(199) + "…");
  assert.ok((provider.received[0]?.encryptedData.length ?? 0) < 3900);
});

Deno.test("nothing waits for messages of an organization without devices", async () => {
  await using chat = await startPushChat();
  await sendDirect(chat, chat.moderator, [chat.member], "nobody listens");
  const { kv } = chat.services.store;
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["push_message"] })), []);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["push_send"] })), []);
});
