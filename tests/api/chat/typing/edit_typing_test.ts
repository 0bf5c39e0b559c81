// POST /messages/{message_id}/typing
import assert from "node:assert/strict";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

async function refusalOf(chat: TestChat, user: TestUser | null, id: number, op = "start") {
  const { status, body } = await chat.call(user, `POST /messages/${id}/typing`, { op });
  return [status, body.code, body.msg];
}

Deno.test("recipients of a message learn that its sender edits it", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, guest } = chat;
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, member, { to: channel, topic: "", content: "hello" });
  const direct = await sendDirect(chat, member, [guest], "hello");
  const event_types = ["typing_edit_message"];
  const clients = [
    await registerClient(chat, owner, { event_types }),
    await registerClient(chat, guest, { event_types, client_capabilities: { empty_topic_name: true } }),
    await registerClient(chat, moderator, { event_types, client_capabilities: { empty_topic_name: true } }),
    await registerClient(chat, chat.admin, { event_types }),
  ];
  const done = await chat.call(member, `POST /messages/${id}/typing`, { op: "start" });
  assert.deepEqual(done.body, { result: "success", msg: "" });
  await succeed(chat, member, `POST /messages/${direct}/typing`, { op: "stop" });
  const received = await Promise.all(clients.map((client) => client.receive()));
  const inChannel = (topic: string) => ({
    type: "typing_edit_message",
    op: "start",
    sender_id: member.id,
    message_id: id,
    recipient: { type: "channel", channel_id: channel, topic },
  });
  const inConversation = {
    type: "typing_edit_message",
    op: "stop",
    sender_id: member.id,
    message_id: direct,
    recipient: { type: "direct", user_ids: [member.id, guest.id].sort((one, other) => one - other) },
  };
  assert.deepEqual(received.map((events) => events.map(({ id: _, ...event }) => event)), [
    [inChannel("general chat")],
    [inConversation],
    [inChannel("")],
    [],
  ]);
});

Deno.test("only the sender sets the typing status of a message, unless they turned it off", async () => {
  await using chat = await startChat();
  const { owner, member, guest } = chat;
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, member, { to: channel, content: "hello" });
  await chat.events();
  const notSender = [400, "BAD_REQUEST", "You don't have permission to edit this message"];
  assert.deepEqual(await refusalOf(chat, owner, id), notSender);
  for (const unknown of [id, 999_999]) {
    assert.deepEqual(await refusalOf(chat, guest, unknown), [400, "BAD_REQUEST", "Invalid message(s)"]);
  }
  const wrong = "Invalid op: Value error, Not in the list of possible values";
  assert.deepEqual(await refusalOf(chat, member, id, "x"), [400, "BAD_REQUEST", wrong]);
  assert.equal((await refusalOf(chat, null, id))[0], 401);
  await succeed(chat, member, "PATCH /settings", { send_stream_typing_notifications: false });
  await chat.events();
  const off = "User has disabled typing notifications for channel messages";
  assert.deepEqual(await refusalOf(chat, member, id), [400, "BAD_REQUEST", off]);
  assert.deepEqual(await chat.events(), []);
});
