// POST /register: the newest message of the caller.
import assert from "node:assert/strict";
import { seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Messages that one user receives and others do not, more than are searched one by one. */
const MANY = Array.from({ length: 150 }, () => ({ content: "rain" }));

async function newestOf(chat: TestChat, user: TestUser): Promise<number> {
  const { max_message_id } = await succeed(chat, user, "POST /register", { fetch_event_types: ["message"] });
  return max_message_id;
}

/** Starts a server, and returns a function that stores many messages in a channel of the owner. */
async function startNoisy() {
  const chat = await startChat();
  const channelId = await makeChannel(chat, "noise", { subscribers: [chat.owner.id], invite_only: true });
  const { store } = chat.services;
  const target = { store, realmId: chat.realm.id, channelId, senderId: chat.owner.id };
  return { chat, channelId, sendNoise: () => seedMessages(target, MANY) };
}

Deno.test("POST /register returns the newest message of an account below many that it cannot see", async () => {
  const { chat, sendNoise } = await startNoisy();
  await using _ = chat;
  const roses = await makeChannel(chat, "roses");
  const inChannel = await send(chat, chat.owner, { to: roses, content: "one" });
  const direct = await sendDirect(chat, chat.owner, [chat.admin], "two");
  const fromGuest = await sendDirect(chat, chat.guest, [chat.guest], "three");
  const noise = await sendNoise();
  assert.equal(await newestOf(chat, chat.member), inChannel);
  assert.equal(await newestOf(chat, chat.admin), direct);
  assert.equal(await newestOf(chat, chat.guest), fromGuest);
  assert.equal(await newestOf(chat, chat.owner), noise.at(-1));
  const newcomer = await chat.add("newcomer");
  assert.equal(await newestOf(chat, newcomer), -1);
});

Deno.test("POST /register returns the newest message of a former channel as long as it can be read", async () => {
  const { chat, sendNoise } = await startNoisy();
  await using _ = chat;
  const open = await makeChannel(chat, "open");
  const closed = await makeChannel(chat, "closed", { invite_only: true });
  const inOpen = await send(chat, chat.owner, { to: open, content: "one" });
  await send(chat, chat.owner, { to: closed, content: "two" });
  for (const name of ["open", "closed"]) {
    await succeed(chat, chat.member, "DELETE /users/me/subscriptions", { subscriptions: [name] });
  }
  await send(chat, chat.owner, { to: open, content: "after the subscription" });
  await sendNoise();
  assert.equal(await newestOf(chat, chat.member), inOpen);
});

Deno.test("POST /register counts messages since a subscription to protected history, and those sent without one", async () => {
  const { chat, sendNoise } = await startNoisy();
  await using _ = chat;
  const closed = await makeChannel(chat, "closed", {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await send(chat, chat.owner, { to: closed, content: "before" });
  await succeed(chat, chat.owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "closed" }],
    principals: [chat.admin.id],
  });
  await sendNoise();
  const before = await newestOf(chat, chat.admin);
  const after = await send(chat, chat.owner, { to: closed, content: "after" });
  await sendNoise();
  assert.ok(before < after);
  assert.equal(await newestOf(chat, chat.admin), after);
  const open = await makeChannel(chat, "open");
  const sent = await send(chat, chat.admin, { to: open, content: "from outside" });
  await sendNoise();
  assert.equal(await newestOf(chat, chat.admin), sent);
});

Deno.test("POST /register returns an older message when the newest was deleted or moved out of sight", async () => {
  const { chat, channelId, sendNoise } = await startNoisy();
  await using _ = chat;
  const roses = await makeChannel(chat, "roses");
  const [one, two, three] = [
    await send(chat, chat.owner, { to: roses, topic: "a", content: "one" }),
    await send(chat, chat.owner, { to: roses, topic: "b", content: "two" }),
    await send(chat, chat.owner, { to: roses, topic: "c", content: "three" }),
  ];
  await sendNoise();
  assert.equal(await newestOf(chat, chat.member), three);
  await succeed(chat, chat.owner, `DELETE /messages/${three}`);
  assert.equal(await newestOf(chat, chat.member), two);
  const move = { stream_id: channelId, propagate_mode: "change_one", send_notification_to_old_thread: false };
  await succeed(chat, chat.owner, `PATCH /messages/${two}`, {
    ...move,
    send_notification_to_new_thread: false,
  });
  assert.equal(await newestOf(chat, chat.member), one);
});
