// What GET /events tells of messages that move from channel to channel.
import assert from "node:assert/strict";
import { type Sent, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { type Heard, listen } from "./events_cast.ts";
import { makeChannel, send } from "./messages_cast.ts";

const event_types = ["update_message", "delete_message"];
const FLAG_TYPES = ["update_message_flags"];

/** Moves a message to another channel, as the owner. */
async function move(chat: TestChat, id: number, to: number, params: Sent = {}): Promise<void> {
  const sent = { stream_id: to, send_notification_to_new_thread: false, ...params };
  await succeed(chat, chat.owner, `PATCH /messages/${id}`, sent);
}

/** What people hear of a message that the owner moves: of those in both channels, in the old one, in the new one. */
async function hearMove(chat: TestChat, isPrivate: boolean) {
  const { id: ownerId } = chat.owner;
  const from = await makeChannel(chat, "roses", { subscribers: [ownerId, chat.member.id, chat.guest.id] });
  const to = await makeChannel(chat, "tulips", {
    subscribers: [ownerId, chat.moderator.id],
    invite_only: isPrivate,
  });
  const id = await send(chat, chat.owner, { to: from, content: "one" });
  const people = [chat.owner, chat.member, chat.guest, chat.moderator];
  const clients = await Promise.all(people.map((who) => listen(chat, who, { event_types })));
  await move(chat, id, to);
  const heard = await Promise.all(clients.map((client) => client.hear()));
  return { id, from, to, heard: heard.map((events) => events.map(withoutId)) };
}

function withoutId({ id: _, ...event }: Heard): Heard {
  return event;
}

Deno.test("who may see where a message went is told once, who may not is told that it is gone", async () => {
  await using chat = await startChat();
  const { id, from, to, heard: [inBoth, inOld, guest, inNew] } = await hearMove(chat, false);
  assert.deepEqual(inBoth?.map(({ type, new_stream_id }) => [type, new_stream_id]), [["update_message", to]]);
  assert.deepEqual([inOld?.length, inNew?.length], [1, 1]);
  assert.deepEqual([inOld?.[0]?.stream_id, inNew?.[0]?.stream_id], [from, from]);
  assert.deepEqual(guest, [
    { type: "delete_message", message_type: "stream", stream_id: from, topic: "plans", message_id: id },
  ]);
});

Deno.test("a message that moves to a private channel is gone for those who are not in it", async () => {
  await using chat = await startChat();
  const { id, from, to, heard: [inBoth, inOld, guest, inNew] } = await hearMove(chat, true);
  assert.deepEqual(inBoth?.map(({ type, new_stream_id }) => [type, new_stream_id]), [["update_message", to]]);
  const gone = { type: "delete_message", message_type: "stream", stream_id: from, topic: "plans" };
  assert.deepEqual([inOld, guest], [[{ ...gone, message_id: id }], [{ ...gone, message_id: id }]]);
  assert.deepEqual(inNew?.map(({ type }) => type), ["update_message"]);
});

Deno.test("what is unread by a move, or no longer is, is told to those to whom it was not sent before", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, admin } = chat;
  const subscribers = [owner.id, member.id, moderator.id];
  const from = await makeChannel(chat, "roses", { subscribers: [owner.id, moderator.id] });
  const to = await makeChannel(chat, "tulips", { subscribers: subscribers.slice(0, 2) });
  const first = await send(chat, owner, { to: from, content: "one" });
  const second = await send(chat, owner, { to: from, content: "two" });
  const subscriptions = [{ name: "tulips" }];
  for (const who of [admin, moderator]) {
    assert.equal((await chat.call(who, "POST /users/me/subscriptions", { subscriptions })).status, 200);
  }
  const people = [member, moderator, admin];
  const clients = await Promise.all(people.map((who) => listen(chat, who, { event_types: FLAG_TYPES })));
  await move(chat, first, to, { propagate_mode: "change_all" });
  const heard = await Promise.all(clients.map((client) => client.hear()));
  const flags = heard.map((events) => events.map(({ op, messages }) => [op, messages]));
  assert.deepEqual(flags, [[["remove", [first, second]]], [["add", [first, second]]], []]);
  const place = { type: "stream", stream_id: to, topic: "plans" };
  assert.deepEqual(heard[0]?.[0]?.["message_details"], { [first]: place, [second]: place });
});

Deno.test("of messages that move to where one sees some of them, those are moved, and the others gone", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const from = await makeChannel(chat, "roses", { subscribers: [owner.id, member.id] });
  const to = await makeChannel(chat, "secrets", {
    subscribers: [owner.id],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const before = await send(chat, owner, { to: from, content: "before" });
  const joining = { subscriptions: [{ name: "secrets" }], principals: [member.id] };
  assert.equal((await chat.call(owner, "POST /users/me/subscriptions", joining)).status, 200);
  const after = await send(chat, owner, { to: from, content: "after" });
  const client_capabilities = { bulk_message_deletion: true };
  const client = await listen(chat, member, { event_types: ["update_message"], client_capabilities });
  const deaf = await listen(chat, member, { event_types, client_capabilities });
  await move(chat, before, to, { propagate_mode: "change_all" });
  const [update, ...others] = await client.hear();
  assert.deepEqual([update?.message_id, update?.message_ids, others], [after, [after], []]);
  const gone = (await deaf.hear()).filter(({ type }) => type === "delete_message");
  assert.deepEqual([...new Set(gone.flatMap(({ message_ids }) => message_ids))], [before]);
});

Deno.test("who may read a private channel without being in it is told where a message went, and that it is read", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const from = await makeChannel(chat, "roses", { subscribers: [owner.id, member.id] });
  const to = await makeChannel(chat, "tulips", {
    subscribers: [owner.id],
    invite_only: true,
    history_public_to_subscribers: true,
    can_subscribe_group: { direct_members: [member.id], direct_subgroups: [] },
  });
  const id = await send(chat, owner, { to: from, content: "one" });
  const client = await listen(chat, member, { event_types: [...event_types, ...FLAG_TYPES] });
  await move(chat, id, to);
  const heard = await client.hear();
  assert.deepEqual(
    heard.map(({ type, new_stream_id, op, messages }) => [type, new_stream_id, op, messages]),
    [
      ["update_message", to, undefined, undefined],
      ["update_message_flags", undefined, "add", [id]],
    ],
  );
  const { body } = await chat.call(member, "POST /register", {
    fetch_event_types: ["message", ...FLAG_TYPES],
  });
  const unread: Heard[] = body.unread_msgs.streams;
  assert.ok(!unread.some(({ unread_message_ids }) => unread_message_ids.includes(id)));
});

Deno.test("who is in both channels is told of a move once, however often he asks", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const subscribers = [owner.id, member.id];
  const from = await makeChannel(chat, "roses", { subscribers });
  const to = await makeChannel(chat, "tulips", { subscribers });
  const id = await send(chat, owner, { to: from, content: "one" });
  const client = await listen(chat, member, { event_types });
  await move(chat, id, to);
  const heard = [await client.hear(), await client.hear()];
  assert.deepEqual(heard.map((events) => events.map(({ type }) => type)), [["update_message"], []]);
});

Deno.test("what was sent to somebody in a channel that he left is unread again where he is told of it", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const subscribers = [owner.id, member.id];
  const from = await makeChannel(chat, "roses", { subscribers });
  const to = await makeChannel(chat, "tulips", { subscribers });
  const id = await send(chat, owner, { to: from, content: "one" });
  await succeed(chat, member, "DELETE /users/me/subscriptions", { subscriptions: ["roses"] });
  const client = await listen(chat, member, { event_types: [...event_types, ...FLAG_TYPES] });
  await move(chat, id, to);
  const heard = await client.hear();
  assert.deepEqual(heard.map(({ type, op, messages }) => [type, op, messages]), [
    ["update_message", undefined, undefined],
    ["update_message_flags", "remove", [id]],
  ]);
});
