// GET /messages/{message_id}/read_receipts
import assert from "node:assert/strict";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

async function readersOf(chat: TestChat, viewer: TestUser, id: number): Promise<number[]> {
  return (await succeed(chat, viewer, `GET /messages/${id}/read_receipts`)).user_ids;
}

async function refusalOf(chat: TestChat, viewer: TestUser | null, id: number) {
  const { status, body } = await chat.call(viewer, `GET /messages/${id}/read_receipts`);
  return [status, body.code, body.msg];
}

async function markRead(chat: TestChat, users: readonly TestUser[], id: number): Promise<void> {
  for (const user of users) {
    await succeed(chat, user, "POST /messages/flags", { messages: [id], op: "add", flag: "read" });
  }
}

const INVALID = [400, "BAD_REQUEST", "Invalid message(s)"];

Deno.test("read receipts list who has read a message, by any way of marking it, without its sender", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, guest, bot, admin } = chat;
  const subscribers = [owner, member, moderator, guest, bot].map(({ id }) => id);
  const channel = await makeChannel(chat, "Garden", { subscribers });
  const id = await send(chat, owner, { to: channel, content: "hello" });
  for (const viewer of [owner, member, guest, bot, admin]) {
    assert.deepEqual(await readersOf(chat, viewer, id), []);
  }
  await markRead(chat, [member, bot], id);
  await succeed(chat, guest, "POST /mark_topic_as_read", { stream_id: channel, topic_name: "plans" });
  await succeed(chat, moderator, "POST /mark_all_as_read");
  const all = [member.id, moderator.id, guest.id, bot.id].sort((one, other) => one - other);
  for (const viewer of [owner, member, guest, bot, admin]) {
    assert.deepEqual(await readersOf(chat, viewer, id), all);
  }
  await succeed(chat, member, "POST /messages/flags", { messages: [id], op: "remove", flag: "read" });
  assert.deepEqual(await readersOf(chat, owner, id), all.filter((one) => one !== member.id));
  await succeed(chat, owner, `DELETE /users/${moderator.id}`);
  await succeed(chat, bot, "DELETE /users/me/subscriptions", { subscriptions: ["Garden"] });
  assert.deepEqual(await readersOf(chat, owner, id), [guest.id], "former users and subscribers are left out");
});

Deno.test("read receipts of direct messages are for the participants alone", async () => {
  await using chat = await startChat();
  const { owner, admin, member, moderator, guest, outsider } = chat;
  const id = await sendDirect(chat, member, [moderator, guest], "hello");
  await markRead(chat, [guest], id);
  for (const viewer of [member, moderator, guest]) {
    assert.deepEqual(await readersOf(chat, viewer, id), [guest.id]);
  }
  for (const viewer of [owner, admin, outsider]) {
    assert.deepEqual(await refusalOf(chat, viewer, id), INVALID);
    assert.deepEqual(await refusalOf(chat, viewer, 999_999), INVALID);
  }
  assert.equal((await refusalOf(chat, null, id))[0], 401);
});

Deno.test("messages of private channels and protected history have no read receipts for others", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, admin } = chat;
  const channel = await makeChannel(chat, "Secret", {
    invite_only: true,
    subscribers: [owner.id, member.id],
  });
  const id = await send(chat, owner, { to: channel, content: "hello" });
  await markRead(chat, [member], id);
  await succeed(chat, owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "Secret" }],
    principals: [moderator.id],
  });
  await succeed(chat, moderator, "POST /mark_stream_as_read", { stream_id: channel });
  assert.deepEqual(await readersOf(chat, owner, id), [member.id], "a later subscriber never received it");
  for (const viewer of [moderator, admin]) assert.deepEqual(await refusalOf(chat, viewer, id), INVALID);
});

Deno.test("users who turned read receipts off are left out, and the organization can turn them off", async () => {
  await using chat = await startChat();
  const { owner, member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, owner, { to: channel, content: "hello" });
  await markRead(chat, [member, moderator], id);
  await succeed(chat, member, "PATCH /settings", { send_read_receipts: false });
  assert.deepEqual(await readersOf(chat, owner, id), [moderator.id]);
  assert.deepEqual(await readersOf(chat, member, id), [moderator.id]);
  await chat.events();
  await succeed(chat, owner, "PATCH /realm", { enable_read_receipts: false });
  const data = { enable_read_receipts: false };
  assert.deepEqual(await chat.events(), [
    { event: { type: "realm", op: "update_dict", property: "default", data }, audience: "everyone" },
  ]);
  const disabled = [400, "BAD_REQUEST", "Read receipts are disabled in this organization."];
  assert.deepEqual(await refusalOf(chat, owner, id), disabled);
  assert.deepEqual(await refusalOf(chat, owner, 999_999), INVALID);
  const { realm_enable_read_receipts } = await succeed(chat, member, "POST /register", {
    fetch_event_types: ["realm"],
  });
  assert.equal(realm_enable_read_receipts, false);
  assert.equal((await chat.call(chat.moderator, "PATCH /realm", data)).body.code, "UNAUTHORIZED_PRINCIPAL");
});

Deno.test("read receipts reveal neither muting nor users whom the viewer cannot access", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, guest } = chat;
  const subscribers = [owner, member, moderator, guest].map(({ id }) => id);
  const channel = await makeChannel(chat, "Garden", { subscribers });
  // A user who muted the sender has not read the message, though it counts as read for them.
  await succeed(chat, member, `POST /users/me/muted_users/${owner.id}`);
  const id = await send(chat, owner, { to: channel, content: "hello" });
  assert.deepEqual(await readersOf(chat, moderator, id), []);
  await succeed(chat, member, `DELETE /users/me/muted_users/${owner.id}`);
  assert.deepEqual(await readersOf(chat, moderator, id), []);
  // Neither side of a muting sees the other.
  const second = await send(chat, owner, { to: channel, content: "again" });
  await markRead(chat, [member, moderator, guest], second);
  const all = [member.id, moderator.id, guest.id].sort((one, other) => one - other);
  assert.deepEqual(await readersOf(chat, owner, second), all);
  await succeed(chat, member, `POST /users/me/muted_users/${moderator.id}`);
  assert.deepEqual(await readersOf(chat, owner, second), all);
  assert.deepEqual(await readersOf(chat, moderator, second), [moderator.id, guest.id].sort((a, b) => a - b));
  assert.deepEqual(await readersOf(chat, member, second), [member.id, guest.id].sort((a, b) => a - b));
  // A guest without access to other users.
  const members = chat.realm.first_system_group_id + 5;
  await succeed(chat, owner, "PATCH /realm", { can_access_all_users_group: { new: members } });
  assert.deepEqual(await readersOf(chat, guest, second), [guest.id]);
});
