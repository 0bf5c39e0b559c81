// POST /streams/{stream_id}/delete_topic
import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { fetchMessageIds, makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

async function refusalOf(chat: TestChat, user: TestUser | null, channelId: number, params = {}) {
  const { status, body } = await chat.call(user, `POST /streams/${channelId}/delete_topic`, params);
  return [status, body.code, body.msg];
}

async function inTopic(chat: TestChat, user: TestUser, topic: string): Promise<number[]> {
  return await fetchMessageIds(chat, user, { narrow: [["channel", "Garden"], ["topic", topic]] });
}

Deno.test("POST /streams/{stream_id}/delete_topic deletes the messages of one topic", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const first = await send(chat, chat.member, { to: channel, topic: "Weeds", content: "one" });
  const kept = await send(chat, chat.member, { to: channel, topic: "roses", content: "two" });
  const second = await send(chat, chat.owner, { to: channel, topic: "weeds", content: "three" });
  const general = await send(chat, chat.owner, { to: channel, topic: "", content: "four" });
  await chat.events();
  const path = `POST /streams/${channel}/delete_topic`;
  const { body } = await chat.call(chat.admin, path, { topic_name: "WEEDS" });
  assert.deepEqual(body, { result: "success", msg: "", complete: true });
  const events = await chat.events();
  const deleted = events.map(({ event }) => [event.type, event["message_ids"]].join(" "));
  assert.deepEqual(deleted.sort(), [`delete_message ${first}`, `delete_message ${second}`]);
  assert.deepEqual(await inTopic(chat, chat.member, "weeds"), []);
  assert.deepEqual(await inTopic(chat, chat.member, "roses"), [kept]);
  assert.deepEqual((await chat.call(chat.admin, path, { topic_name: "weeds" })).body, body);
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await inTopic(chat, chat.member, ""), [general]);
  await succeed(chat, chat.owner, path, { topic_name: "general chat" });
  assert.deepEqual(await inTopic(chat, chat.member, ""), []);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("deleting a topic needs the permission to delete any message of a channel that one can read", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden", { invite_only: true });
  const { member, moderator } = chat;
  const id = await send(chat, member, { to: channel, topic: "weeds", content: "one" });
  const topic = { topic_name: "weeds" };
  const forbidden = [400, "BAD_REQUEST", "You don't have permission to delete messages in this channel"];
  const invalid = [400, "BAD_REQUEST", "Invalid channel ID"];
  assert.deepEqual(await refusalOf(chat, member, channel, topic), forbidden);
  assert.deepEqual(await refusalOf(chat, moderator, channel, { topic_name: "none" }), forbidden);
  for (const user of [chat.admin, chat.guest, chat.outsider]) {
    assert.deepEqual(await refusalOf(chat, user, channel, topic), invalid);
    assert.deepEqual(await refusalOf(chat, user, 999_999, topic), invalid);
  }
  assert.equal((await refusalOf(chat, null, channel, topic))[0], 401);
  assert.equal((await refusalOf(chat, chat.owner, channel))[2], "Missing 'topic_name' argument");
  assert.deepEqual(await inTopic(chat, member, "weeds"), [id]);
  const can_delete_any_message_group = { new: { direct_members: [moderator.id], direct_subgroups: [] } };
  await succeed(chat, chat.owner, `PATCH /streams/${channel}`, { can_delete_any_message_group });
  await succeed(chat, moderator, `POST /streams/${channel}/delete_topic`, topic);
  assert.deepEqual(await inTopic(chat, member, "weeds"), []);
});

Deno.test("deleting a topic leaves messages alone that the caller cannot see", async () => {
  await using chat = await startChat();
  const { owner, member, admin } = chat;
  const channel = await makeChannel(chat, "Garden", {
    invite_only: true,
    subscribers: [owner.id, member.id],
  });
  const early = await send(chat, member, { to: channel, topic: "weeds", content: "one" });
  await succeed(chat, owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "Garden" }],
    principals: [admin.id],
  });
  await send(chat, member, { to: channel, topic: "weeds", content: "two" });
  const { complete } = await succeed(chat, admin, `POST /streams/${channel}/delete_topic`, {
    topic_name: "weeds",
  });
  assert.deepEqual([complete, await inTopic(chat, member, "weeds")], [true, [early]]);
});

Deno.test("a large topic is deleted by several requests", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  for (let at = 0; at < 21; at++) {
    await Promise.all(
      Array.from({ length: 10 }, () => send(chat, chat.member, { to: channel, content: "x" })),
    );
  }
  const path = `POST /streams/${channel}/delete_topic`;
  const again = async () => (await succeed(chat, chat.owner, path, { topic_name: "plans" })).complete;
  assert.deepEqual([await again(), await again()], [false, true]);
  assert.deepEqual(await inTopic(chat, chat.member, "plans"), []);
});
