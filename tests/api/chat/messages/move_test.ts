import assert from "node:assert/strict";
import { checkMessages } from "@/lib/cli/check_messages.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { fetchMessageIds, makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";

const WEEK = 7 * 24 * 60 * 60 * 1000;

function patch(chat: TestChat, user: TestUser, id: number, params: TestParams) {
  return chat.call(user, `PATCH /messages/${id}`, { send_notification_to_new_thread: false, ...params });
}

async function assertConsistent(chat: TestChat, channelIds: readonly number[]): Promise<void> {
  const problems: string[] = [];
  const of = { realmId: chat.realm.id, channelIds: new Set(channelIds) };
  await checkMessages(chat.services.store.kv, of, (problem) => void problems.push(problem));
  assert.deepEqual(problems, []);
}

function fetchTopicIds(chat: TestChat, channel: number, topic: string, user = chat.owner): Promise<number[]> {
  const narrow = [{ operator: "channel", operand: channel }, { operator: "topic", operand: topic }];
  return fetchMessageIds(chat, user, { narrow });
}

Deno.test("PATCH /messages/{message_id} moves one message, later ones, or a whole topic", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (let no = 0; no < 5; no++) {
    ids.push(await send(chat, chat.member, { to: channel, content: `no. ${no}` }));
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids;
  await chat.events();
  chat.clock.time += 1000;
  assert.equal((await patch(chat, chat.member, c, { topic: "one" })).status, 200);
  assert.deepEqual([await fetchTopicIds(chat, channel, "one"), await fetchTopicIds(chat, channel, "plans")], [
    [c],
    [a, b, d, e],
  ]);
  const seconds = Math.floor(chat.clock.time / 1000);
  const { message } = (await chat.call(chat.owner, `GET /messages/${c}`)).body;
  assert.deepEqual(message.edit_history, [
    { user_id: chat.member.id, timestamp: seconds, prev_topic: "plans", topic: "one" },
  ]);
  assert.equal(message.last_moved_timestamp, seconds);
  assert.equal("last_edit_timestamp" in message, false);
  assert.deepEqual(await chat.events(), [{
    event: {
      type: "update_message",
      user_id: chat.member.id,
      edit_timestamp: seconds,
      message_id: c,
      message_ids: [c],
      is_content_edited: false,
      rendering_only: false,
      propagate_mode: "change_one",
      stream_id: channel,
      orig_subject: "plans",
      subject: "one",
    },
    audience: { channel },
  }]);
  await patch(chat, chat.member, b, { topic: "later", propagate_mode: "change_later" });
  assert.deepEqual(await fetchTopicIds(chat, channel, "later"), [b, d, e]);
  await patch(chat, chat.member, d, { topic: "Plans", propagate_mode: "change_all", content: "edited too" });
  assert.deepEqual(await fetchTopicIds(chat, channel, "plans"), [a, b, d, e]);
  assert.equal((await chat.call(chat.owner, `GET /messages/${d}`)).body.raw_content, "edited too");
  await assertConsistent(chat, [channel]);
});

Deno.test("PATCH /messages/{message_id} changes the case of a topic and shows general chat", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  await patch(chat, chat.member, id, { topic: "PLANS", propagate_mode: "change_all" });
  assert.equal((await chat.call(chat.owner, `GET /messages/${id}`)).body.message.subject, "PLANS");
  await assertConsistent(chat, [channel]);
  await patch(chat, chat.member, id, { topic: "general chat" });
  const { message } = (await chat.call(chat.owner, `GET /messages/${id}`)).body;
  assert.deepEqual([message.subject, message.edit_history[0].topic], ["general chat", "general chat"]);
  const known = await chat.call(chat.owner, `GET /messages/${id}`, { allow_empty_topic_name: true });
  assert.equal(known.body.message.edit_history[0].topic, "");
  const mark = await patch(chat, chat.member, id, { topic: "✔ " });
  assert.equal(mark.body.msg, "General chat cannot be marked as resolved");
  await assertConsistent(chat, [channel]);
});

Deno.test("members can move for a week and resolve at any time, moderators can do both, guests neither", async () => {
  await using chat = await startChat();
  const people = [chat.owner, chat.member, chat.moderator, chat.guest].map(({ id }) => id);
  const channel = await makeChannel(chat, "Garden", { subscribers: people });
  const id = await send(chat, chat.owner, { to: channel, content: "a" });
  const refused = async (user: TestUser, params: TestParams, msg: string) => {
    const { status, body } = await patch(chat, user, id, params);
    assert.deepEqual([status, body.msg], [400, msg]);
  };
  await refused(chat.guest, { topic: "x" }, "You don't have permission to edit this message");
  await refused(
    chat.guest,
    { topic: "✔ plans" },
    "You don't have permission to resolve topics in this channel.",
  );
  chat.clock.time += WEEK + 1000;
  await refused(chat.member, { topic: "x" }, "The time limit for editing this message's topic has passed.");
  const fresh = await send(chat, chat.member, { to: channel, content: "b" });
  const all = await patch(chat, chat.member, fresh, { topic: "x", propagate_mode: "change_all" });
  assert.equal(all.body.msg, "The time limit for editing this message's topic has passed.");
  const done = await patch(chat, chat.member, id, { topic: "✔ plans", propagate_mode: "change_all" });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  const { message } = (await chat.call(chat.owner, `GET /messages/${id}`)).body;
  assert.equal(message.subject, "✔ plans");
  assert.equal("last_moved_timestamp" in message, false);
  assert.equal(message.edit_history.length, 1);
  assert.equal((await patch(chat, chat.moderator, id, { topic: "x" })).status, 200);
  const setting = { new: { direct_members: [chat.guest.id], direct_subgroups: [] } };
  await chat.call(chat.owner, `PATCH /streams/${channel}`, {
    can_move_messages_within_channel_group: setting,
  });
  assert.equal((await patch(chat, chat.guest, id, { topic: "by a guest" })).status, 200);
});

Deno.test("moderators can move messages to other channels that they can send to", async () => {
  await using chat = await startChat();
  const [from, to] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  const ids: number[] = [];
  for (let no = 0; no < 3; no++) ids.push(await send(chat, chat.member, { to: from, content: `no. ${no}` }));
  const [id = 0] = ids;
  const refusals: [TestUser, TestParams, string][] = [
    [chat.member, { stream_id: to }, "You don't have permission to move this message"],
    [chat.moderator, { stream_id: secret }, "Invalid channel ID"],
    [chat.moderator, { stream_id: 99_999 }, "Invalid channel ID"],
    [chat.moderator, { stream_id: from }, "Nothing to change"],
    [chat.member, { stream_id: to, content: "x" }, "Cannot change message content while changing channel"],
  ];
  for (const [user, params, msg] of refusals) {
    const { status, body } = await patch(chat, user, id, params);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  await chat.events();
  const moved = await patch(chat, chat.moderator, id, { stream_id: to, propagate_mode: "change_all" });
  assert.equal(moved.status, 200);
  assert.deepEqual([await fetchTopicIds(chat, from, "plans"), await fetchTopicIds(chat, to, "plans")], [
    [],
    ids,
  ]);
  const { message } = (await chat.call(chat.owner, `GET /messages/${id}`)).body;
  assert.deepEqual([message.stream_id, message.display_recipient], [to, "Kitchen"]);
  assert.deepEqual([message.edit_history[0].prev_stream, message.edit_history[0].stream], [from, to]);
  assert.deepEqual((await chat.events()).map(({ event, audience }) => [event.type, audience]), [
    ["user_topic", [chat.member.id]],
    ["user_topic", [chat.member.id]],
    ["update_message", { channel: from }],
    ["update_message", { channel: to }],
  ]);
  await patch(chat, chat.owner, id, { stream_id: secret, topic: "hidden" });
  assert.deepEqual((await chat.events()).map(({ event, audience }) => [event.type, audience]), [
    ["update_message", { channel: to }],
    ["update_message", { channel: secret }],
  ]);
  assert.equal((await chat.call(chat.member, `GET /messages/${id}`)).body.msg, "Invalid message(s)");
  await assertConsistent(chat, [from, to, secret]);
});

Deno.test("moves respect the topics policy and the topic creation permission of a channel", async () => {
  await using chat = await startChat();
  const nobody = { direct_members: [], direct_subgroups: [] };
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { can_create_topic_group: { new: nobody } });
  const { body } = await patch(chat, chat.moderator, id, { topic: "new" });
  assert.equal(body.msg, "You do not have permission to create new topics in this channel.");
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { topics_policy: "disable_empty_topic" });
  const empty = await patch(chat, chat.moderator, id, { topic: "" });
  assert.equal(empty.body.msg, "Sending messages to the general chat is not allowed in this channel.");
});

Deno.test("read state survives moves, and marking a topic as read covers messages moved into it", async () => {
  await using chat = await startChat();
  const [from, to] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  const ids: number[] = [];
  for (let no = 0; no < 4; no++) ids.push(await send(chat, chat.owner, { to: from, content: `no. ${no}` }));
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  const unread = async () =>
    await fetchMessageIds(chat, chat.member, { narrow: [{ operator: "is", operand: "unread" }] });
  const mark = async (channel: number, topic: string) => {
    const { status } = await chat.call(chat.member, "POST /mark_topic_as_read", {
      stream_id: channel,
      topic_name: topic,
    });
    assert.equal(status, 200);
  };
  await chat.call(chat.member, "POST /messages/flags", { messages: [a], op: "add", flag: "read" });
  await patch(chat, chat.owner, a, { stream_id: to, topic: "x" });
  await patch(chat, chat.owner, b, { stream_id: to, topic: "x" });
  await patch(chat, chat.owner, c, { topic: "y" });
  assert.deepEqual(await unread(), [b, c, d]);
  await mark(from, "plans");
  assert.deepEqual(await unread(), [b, c]);
  await mark(to, "x");
  assert.deepEqual(await unread(), [c]);
  await patch(chat, chat.owner, c, { stream_id: to, topic: "z" });
  await chat.call(chat.member, "POST /mark_stream_as_read", { stream_id: from });
  assert.deepEqual(await unread(), [c]);
  await chat.call(chat.member, "POST /mark_stream_as_read", { stream_id: to });
  assert.deepEqual(await unread(), []);
});

Deno.test("a move of more messages than one commit holds is complete", async () => {
  await using chat = await startChat();
  const [from, to] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  const ids = await Promise.all(
    Array.from({ length: 230 }, (_, no) => send(chat, chat.member, { to: from, content: `word${no} ${no}` })),
  );
  await chat.events();
  const [some = 0] = ids.slice(50);
  const moved = await patch(chat, chat.moderator, some, {
    stream_id: to,
    topic: "x",
    propagate_mode: "change_all",
  });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  const sorted = ids.toSorted((one, other) => one - other);
  const narrow = [{ operator: "channel", operand: to }, { operator: "topic", operand: "x" }];
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow, num_before: 500 }), sorted);
  const events = (await chat.events()).filter(({ audience }) =>
    JSON.stringify(audience).includes(String(to))
  );
  assert.deepEqual(
    events.flatMap(({ event }) => event.message_ids).toSorted((one, other) => Number(one) - Number(other)),
    sorted,
  );
  await assertConsistent(chat, [from, to]);
});

Deno.test("one hundred messages move in one commit, even after earlier moves", async () => {
  await using chat = await startChat();
  const channels = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  channels.push(await makeChannel(chat, "Cellar"));
  const [first = 0, second = 0, third = 0] = channels;
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_, no) => send(chat, chat.member, { to: first, content: `no. ${no}` })),
  );
  for (const [stream_id, topic] of [[second, "x"], [third, "y"], [first, "plans"]]) {
    await chat.events();
    const params = { stream_id, topic, propagate_mode: "change_all" };
    const { status, body } = await patch(chat, chat.moderator, ids[50] ?? 0, params);
    assert.equal(status, 200, JSON.stringify(body));
    const events = (await chat.events()).filter(({ event }) => event.type === "update_message");
    assert.deepEqual(events.map(({ event }) => [event.message_ids].flat().length), [100, 100]);
    await assertConsistent(chat, channels);
  }
});

Deno.test("a move of large messages takes as many commits as it needs", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (let no = 0; no < 30; no++) {
    ids.push(await send(chat, chat.member, { to: channel, content: `${no} ${"ж".repeat(9900)}` }));
  }
  const moved = await patch(chat, chat.member, ids[3] ?? 0, { topic: "x", propagate_mode: "change_all" });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  assert.deepEqual(await fetchTopicIds(chat, channel, "x"), ids);
  await assertConsistent(chat, [channel]);
});

Deno.test("concurrent moves, sends and deletions keep topic counts consistent", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids = await Promise.all(
    [1, 2, 3, 4].map((no) => send(chat, chat.member, { to: channel, content: `${no}` })),
  );
  await Promise.all([
    ...ids.map((id, at) => patch(chat, chat.member, id, { topic: at % 2 === 0 ? "x" : "y" })),
    ...[5, 6, 7].map((no) => send(chat, chat.member, { to: channel, topic: "x", content: `${no}` })),
    ...ids.slice(0, 2).map((id) => chat.call(chat.admin, `DELETE /messages/${id}`)),
    patch(chat, chat.moderator, ids[3] ?? 0, { topic: "z", propagate_mode: "change_all" }),
  ]);
  await assertConsistent(chat, [channel]);
});

Deno.test("more than a hundred messages move between topics with names of the most bytes", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (let no = 0; no < 105; no++) {
    ids.push(await send(chat, chat.member, { to: channel, topic: "🌷".repeat(60), content: `no. ${no}` }));
  }
  const topic = "🌻".repeat(60);
  const moved = await patch(chat, chat.owner, ids[0] ?? 0, { topic, propagate_mode: "change_all" });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  const narrow = [{ operator: "channel", operand: channel }, { operator: "topic", operand: topic }];
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow, num_before: 200 }), ids);
  await assertConsistent(chat, [channel]);
});
