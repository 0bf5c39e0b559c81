// GET /events: events of messages that move between channels.
import assert from "node:assert/strict";
import { type ReceivedEvent, registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const event_types = ["update_message", "delete_message"];
const FLAG_TYPES = ["update_message_flags"];

/** Subscribers of the channels "roses" and "tulips" besides the owner, and further properties of "tulips". */
interface Channels {
  readonly roses: readonly TestUser[];
  readonly tulips: readonly TestUser[];
  readonly properties?: TestParams;
}

/** Creates the channels "roses" and "tulips", and sends a message to the first as the owner. */
async function sendMessage(chat: TestChat, { roses, tulips, properties = {} }: Channels) {
  const idsOf = (users: readonly TestUser[]) => [chat.owner, ...users].map(({ id }) => id);
  const from = await makeChannel(chat, "roses", { subscribers: idsOf(roses) });
  const to = await makeChannel(chat, "tulips", { subscribers: idsOf(tulips), ...properties });
  return { from, to, id: await send(chat, chat.owner, { to: from, content: "one" }) };
}

/** Moves a message to another channel, as the owner. */
async function move(chat: TestChat, id: number, to: number, params: TestParams = {}): Promise<void> {
  const sent = { stream_id: to, send_notification_to_new_thread: false, ...params };
  await succeed(chat, chat.owner, `PATCH /messages/${id}`, sent);
}

/**
 * Moves a message as the owner; returns the events of subscribers of both channels, of the old one, a guest
 * of it, and of the new one.
 */
async function receiveMove(chat: TestChat, isPrivate: boolean) {
  const { owner, member, guest, moderator } = chat;
  const properties = { invite_only: isPrivate };
  const { from, to, id } = await sendMessage(chat, {
    roses: [member, guest],
    tulips: [moderator],
    properties,
  });
  const people = [owner, member, guest, moderator];
  const clients = await Promise.all(people.map((user) => registerClient(chat, user, { event_types })));
  await move(chat, id, to);
  const received = await Promise.all(clients.map((client) => client.receive()));
  return { id, from, to, received: received.map((events) => events.map(withoutId)) };
}

function withoutId({ id: _, ...event }: ReceivedEvent): ReceivedEvent {
  return event;
}

Deno.test("a move is received once by users with access to the new channel, and as a deletion by others", async () => {
  await using chat = await startChat();
  const { id, from, to, received: [inBoth, inOld, guest, inNew] } = await receiveMove(chat, false);
  assert.deepEqual(inBoth?.map(({ type, new_stream_id }) => [type, new_stream_id]), [["update_message", to]]);
  assert.deepEqual([inOld?.length, inNew?.length], [1, 1]);
  assert.deepEqual([inOld?.[0]?.stream_id, inNew?.[0]?.stream_id], [from, from]);
  assert.deepEqual(guest, [
    { type: "delete_message", message_type: "stream", stream_id: from, topic: "plans", message_id: id },
  ]);
});

Deno.test("a move to a private channel is a deletion for users who are not subscribed to it", async () => {
  await using chat = await startChat();
  const { id, from, to, received: [inBoth, inOld, guest, inNew] } = await receiveMove(chat, true);
  assert.deepEqual(inBoth?.map(({ type, new_stream_id }) => [type, new_stream_id]), [["update_message", to]]);
  const gone = { type: "delete_message", message_type: "stream", stream_id: from, topic: "plans" };
  assert.deepEqual([inOld, guest], [[{ ...gone, message_id: id }], [{ ...gone, message_id: id }]]);
  assert.deepEqual(inNew?.map(({ type }) => type), ["update_message"]);
});

Deno.test("a move sends flag events to users for whom messages become unread or read by it", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, admin } = chat;
  const { from, to, id: first } = await sendMessage(chat, { roses: [moderator], tulips: [member] });
  const second = await send(chat, owner, { to: from, content: "two" });
  const subscriptions = [{ name: "tulips" }];
  for (const user of [admin, moderator]) {
    assert.equal((await chat.call(user, "POST /users/me/subscriptions", { subscriptions })).status, 200);
  }
  const people = [member, moderator, admin];
  const clients = await Promise.all(
    people.map((caller) => registerClient(chat, caller, { event_types: FLAG_TYPES })),
  );
  await move(chat, first, to, { propagate_mode: "change_all" });
  const received = await Promise.all(clients.map((client) => client.receive()));
  const flags = received.map((events) => events.map(({ op, messages }) => [op, messages]));
  assert.deepEqual(flags, [[["remove", [first, second]]], [["add", [first, second]]], []]);
  const place = { type: "stream", stream_id: to, topic: "plans" };
  assert.deepEqual(received[0]?.[0]?.["message_details"], { [first]: place, [second]: place });
});

Deno.test("a move of several messages is a move of the accessible ones and a deletion of the others", async () => {
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
  const client = await registerClient(chat, member, { event_types: ["update_message"], client_capabilities });
  const deaf = await registerClient(chat, member, { event_types, client_capabilities });
  await move(chat, before, to, { propagate_mode: "change_all" });
  const [update, ...others] = await client.receive();
  assert.deepEqual([update?.message_id, update?.message_ids, others], [after, [after], []]);
  const gone = (await deaf.receive()).filter(({ type }) => type === "delete_message");
  assert.deepEqual([...new Set(gone.flatMap(({ message_ids }) => message_ids))], [before]);
});

Deno.test("a user who can read a private channel without a subscription receives the move, and that the message is read", async () => {
  await using chat = await startChat();
  const { member } = chat;
  const properties = {
    invite_only: true,
    history_public_to_subscribers: true,
    can_subscribe_group: { direct_members: [member.id], direct_subgroups: [] },
  };
  const { to, id } = await sendMessage(chat, { roses: [member], tulips: [], properties });
  const client = await registerClient(chat, member, { event_types: [...event_types, ...FLAG_TYPES] });
  await move(chat, id, to);
  const received = await client.receive();
  assert.deepEqual(
    received.map(({ type, new_stream_id, op, messages }) => [type, new_stream_id, op, messages]),
    [
      ["update_message", to, undefined, undefined],
      ["update_message_flags", undefined, "add", [id]],
    ],
  );
  const { body } = await chat.call(member, "POST /register", {
    fetch_event_types: ["message", ...FLAG_TYPES],
  });
  const unread: ReceivedEvent[] = body.unread_msgs.streams;
  assert.ok(!unread.some(({ unread_message_ids }) => unread_message_ids.includes(id)));
});

Deno.test("a subscriber of both channels receives a move once, over several polls", async () => {
  await using chat = await startChat();
  const { member } = chat;
  const { to, id } = await sendMessage(chat, { roses: [member], tulips: [member] });
  const client = await registerClient(chat, member, { event_types });
  await move(chat, id, to);
  const received = [await client.receive(), await client.receive()];
  assert.deepEqual(received.map((events) => events.map(({ type }) => type)), [["update_message"], []]);
});

Deno.test("a message received in a channel that the user left is unread again after a move to one of theirs", async () => {
  await using chat = await startChat();
  const { member } = chat;
  const { to, id } = await sendMessage(chat, { roses: [member], tulips: [member] });
  await succeed(chat, member, "DELETE /users/me/subscriptions", { subscriptions: ["roses"] });
  const client = await registerClient(chat, member, { event_types: [...event_types, ...FLAG_TYPES] });
  await move(chat, id, to);
  const received = await client.receive();
  assert.deepEqual(received.map(({ type, op, messages }) => [type, op, messages]), [
    ["update_message", undefined, undefined],
    ["update_message_flags", "remove", [id]],
  ]);
});
