import assert from "node:assert/strict";
import { MAX_PARTICIPANTS } from "@/lib/chat/messages/model.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";

Deno.test("POST /typing notifies the interested users of a conversation", async () => {
  await using chat = await startChat();
  const to = [chat.admin.id, chat.owner.id, chat.member.id];
  const off = { receives_typing_notifications: false };
  assert.equal((await chat.call(chat.owner, "PATCH /settings", off)).status, 200);
  await chat.events();
  const start = await chat.call(chat.member, "POST /typing", { op: "start", to, spare: 1 });
  assert.deepEqual(start.body, { result: "success", msg: "", ignored_parameters_unsupported: ["spare"] });
  const of = (person: typeof chat.member) => ({ user_id: person.id, email: person.email });
  assert.deepEqual(await chat.events(), [{
    event: {
      type: "typing",
      op: "start",
      message_type: "direct",
      sender: of(chat.member),
      recipients: [of(chat.owner), of(chat.member), of(chat.admin)],
    },
    audience: [chat.member.id, chat.admin.id],
  }]);
  assert.equal(
    (await chat.call(chat.member, "POST /typing", { type: "direct", op: "stop", to })).status,
    200,
  );
  assert.equal((await chat.events())[0]?.event.op, "stop");
});

Deno.test("POST /typing notifies a channel's subscribers", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await chat.events();
  const params = { type: "stream", op: "start", stream_id: channel, topic: " plans " };
  for (const asked of [params, { type: "channel", op: "start", to: [channel], topic: "plans" }]) {
    assert.equal((await chat.call(chat.bot, "POST /typing", asked)).status, 200);
    const [received, ...more] = await chat.events();
    assert.deepEqual([received?.event["stream_id"], received?.event["topic"], more], [channel, "plans", []]);
    assert.deepEqual(received?.event["message_type"], "stream");
    assert.deepEqual(
      received?.audience,
      [chat.owner.id, chat.member.id, chat.moderator.id].sort((a, b) => a - b),
    );
  }
});

Deno.test("POST /typing refuses an invalid recipient and users who turned typing notifications off", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  const inChannel = { type: "stream", op: "start", stream_id: channel, topic: "t" };
  const direct = { op: "start", to: [chat.admin.id] };
  const off = { send_private_typing_notifications: false, send_stream_typing_notifications: false };
  assert.equal((await chat.call(chat.moderator, "PATCH /settings", off)).status, 200);
  await chat.events();
  const refusals: [typeof chat.member, Record<string, unknown>, string][] = [
    [chat.member, { to: direct.to }, "Missing 'op' argument"],
    [chat.member, { ...direct, op: "pause" }, "Invalid op: Value error, Not in the list of possible values"],
    [chat.member, { ...direct, type: "x" }, "Invalid type: Value error, Not in the list of possible values"],
    [chat.member, { op: "start" }, "Missing 'to' argument"],
    [chat.member, { op: "start", to: [] }, "Empty 'to' list"],
    [chat.member, { op: "start", to: ["a"] }, "to[0] is not an integer"],
    [chat.member, { op: "start", to: [99_999] }, "Invalid user ID 99999"],
    [chat.member, { op: "start", to: [chat.outsider.id] }, `Invalid user ID ${chat.outsider.id}`],
    [chat.member, { type: "stream", op: "start", topic: "t" }, "Missing 'stream_id' argument"],
    [chat.member, { type: "stream", op: "start", stream_id: channel }, "Missing 'topic' argument"],
    [chat.member, { ...inChannel, to: [channel, secret] }, "Expected exactly one channel"],
    [chat.member, { ...inChannel, topic: "x".repeat(61) }, "topic is too long (limit: 60 characters)"],
    [chat.member, { ...inChannel, stream_id: secret }, "Invalid channel ID"],
    [chat.guest, inChannel, "Invalid channel ID"],
    [chat.outsider, inChannel, "Invalid channel ID"],
    [chat.moderator, direct, "User has disabled typing notifications for direct messages"],
    [chat.moderator, inChannel, "User has disabled typing notifications for channel messages"],
  ];
  for (const [user, params, msg] of refusals) {
    const { status, body } = await chat.call(user, "POST /typing", params);
    assert.deepEqual([status, body.msg], [400, msg]);
    const isMissing = /'(op|to)' argument/.test(msg);
    assert.equal(body.code, isMissing ? "REQUEST_VARIABLE_MISSING" : "BAD_REQUEST", msg);
  }
  assert.equal((await chat.call(null, "POST /typing", direct)).status, 401);
  assert.deepEqual(await chat.events(), []);
  for (const user of [chat.owner, chat.admin, chat.member, chat.guest, chat.bot]) {
    assert.equal((await chat.call(user, "POST /typing", direct)).status, 200);
  }
});

Deno.test("POST /typing refuses deactivated recipients, too many recipients, and channels without permission to send", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden", {
    can_send_message_group: systemGroupId(chat.realm, "role:nobody"),
  });
  await chat.call(chat.owner, `DELETE /users/${chat.moderator.id}`);
  const crowd = Array.from({ length: MAX_PARTICIPANTS }, (_, at) => 1_000_000 + at);
  await chat.events();
  const refusals: [Record<string, unknown>, string][] = [
    [{ to: [chat.moderator.id] }, "'Moderator' is no longer using Sotto."],
    [{ to: crowd }, `A direct message goes to ${MAX_PARTICIPANTS} people at most.`],
    [{ type: "stream", stream_id: channel, topic: "t" }, "Not authorized to send to channel 'Garden'"],
  ];
  for (const [params, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, "POST /typing", { op: "start", ...params });
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  assert.deepEqual(await chat.events(), []);
});

Deno.test("a channel with more than a hundred subscribers receives no typing notifications", async () => {
  await using chat = await startChat();
  const ids: number[] = [];
  for (let at = 0; at < 98; at++) ids.push((await chat.add(`person${at}`)).id);
  const subscribers = [chat.owner.id, chat.member.id, ...ids];
  const channel = await makeChannel(chat, "Garden", { subscribers });
  const params = { type: "stream", op: "start", stream_id: channel, topic: "t" };
  await chat.events();
  await chat.call(chat.member, "POST /typing", params);
  assert.deepEqual((await chat.events()).map(({ audience }) => audience), [
    subscribers.toSorted((a, b) => a - b),
  ]);
  await chat.call(chat.owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "Garden" }],
    principals: [chat.admin.email],
  });
  await chat.events();
  assert.equal((await chat.call(chat.member, "POST /typing", params)).status, 200);
  assert.deepEqual(await chat.events(), []);
});
