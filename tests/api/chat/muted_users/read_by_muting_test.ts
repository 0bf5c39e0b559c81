import assert from "node:assert/strict";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";

async function mute(chat: TestChat, user: TestUser, { id }: TestUser, method = "POST"): Promise<void> {
  const { status, body } = await chat.call(user, `${method} /users/me/muted_users/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
}

async function flagsOf(chat: TestChat, user: TestUser, id: number): Promise<string[]> {
  return (await chat.call(user, `GET /messages/${id}`)).body.message.flags;
}

function unread(chat: TestChat, user: TestUser, ...terms: unknown[]): Promise<number[]> {
  return fetchMessageIds(chat, user, { narrow: [["is", "unread"], ...terms] });
}

async function mark(chat: TestChat, user: TestUser, op: "add" | "remove", messages: number[]): Promise<void> {
  const { status } = await chat.call(user, "POST /messages/flags", { op, flag: "read", messages });
  assert.equal(status, 200);
}

Deno.test("past and future messages of a muted user are read, only for the muting user and everywhere", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const sendAll = async () => [
    await send(chat, chat.member, { to: channel, topic: "roses", content: "@**Owner** look" }),
    await sendDirect(chat, chat.member, [chat.owner, chat.moderator], "psst"),
  ];
  const before = await sendAll();
  const other = await send(chat, chat.moderator, { to: channel, topic: "roses", content: "c" });
  assert.deepEqual(await unread(chat, chat.owner), [...before, other]);
  await mute(chat, chat.owner, chat.member);
  const after = await sendAll();
  assert.deepEqual(await unread(chat, chat.owner), [other]);
  assert.deepEqual(await unread(chat, chat.moderator), [...before, ...after]);
  for (const id of [...before, ...after]) {
    assert.ok((await flagsOf(chat, chat.owner, id)).includes("read"));
    assert.ok(!(await flagsOf(chat, chat.moderator, id)).includes("read"));
  }
  // Mentions keep their flag.
  assert.deepEqual((await flagsOf(chat, chat.owner, after[0] ?? 0)).sort(), ["mentioned", "read"]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), [...before, other, ...after]);
  const first = { anchor: "first_unread", num_before: 0, num_after: 0 };
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, first), [other]);
});

Deno.test("after unmuting, earlier messages stay read and new ones are unread", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const a = await send(chat, chat.member, { to: channel, content: "a" });
  await mute(chat, chat.owner, chat.member);
  const b = await send(chat, chat.member, { to: channel, content: "b" });
  await mute(chat, chat.owner, chat.member, "DELETE");
  assert.deepEqual(await unread(chat, chat.owner), []);
  const c = await send(chat, chat.member, { to: channel, content: "c" });
  assert.deepEqual(await unread(chat, chat.owner), [c]);
  await mute(chat, chat.owner, chat.member);
  assert.deepEqual(await unread(chat, chat.owner), []);
  await mute(chat, chat.owner, chat.member, "DELETE");
  const d = await send(chat, chat.member, { to: channel, content: "d" });
  assert.deepEqual(await unread(chat, chat.owner), [d]);
  assert.deepEqual(await unread(chat, chat.moderator), [a, b, c, d]);
});

Deno.test("messages marked as unread stay unread until the sender is muted again", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const a = await send(chat, chat.member, { to: channel, content: "a" });
  const b = await send(chat, chat.moderator, { to: channel, content: "b" });
  await mark(chat, chat.owner, "remove", [a, b]);
  await mute(chat, chat.owner, chat.member);
  assert.deepEqual(await unread(chat, chat.owner), [b]);
  await mark(chat, chat.owner, "remove", [a]);
  assert.deepEqual(await unread(chat, chat.owner), [a, b]);
  await mute(chat, chat.owner, chat.member, "DELETE");
  assert.deepEqual(await unread(chat, chat.owner), [a, b]);
  await mark(chat, chat.owner, "add", [b]);
  await mute(chat, chat.owner, chat.member);
  assert.deepEqual(await unread(chat, chat.owner), []);
});

Deno.test("a narrow can be marked as unread after muting, and a move keeps messages read", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const a = await send(chat, chat.member, { to: channel, topic: "roses", content: "a" });
  await mute(chat, chat.owner, chat.member);
  const moved = await chat.call(chat.owner, `PATCH /messages/${a}`, {
    topic: "weeds",
    send_notification_to_new_thread: false,
  });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  assert.deepEqual(await unread(chat, chat.owner), []);
  const narrow = {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [["topic", "weeds"]],
    flag: "read",
    op: "remove",
  };
  assert.equal((await chat.call(chat.owner, "POST /messages/flags/narrow", narrow)).body.updated_count, 1);
  assert.deepEqual(await unread(chat, chat.owner), [a]);
  const again = await chat.call(chat.owner, "POST /messages/flags/narrow", { ...narrow, op: "add" });
  assert.equal(again.body.updated_count, 1);
  assert.deepEqual(await unread(chat, chat.owner), []);
});

Deno.test("muting clears unread marks among many messages of other senders", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const [own, others]: [number[], number[]] = [[], []];
  for (let at = 0; at < 15; at++) {
    own.push(await send(chat, chat.member, { to: channel, content: `own ${at}` }));
    others.push(await send(chat, chat.moderator, { to: channel, content: `other ${at}` }));
  }
  await chat.call(chat.owner, "POST /mark_all_as_read");
  await mark(chat, chat.owner, "remove", [...own, ...others]);
  await mute(chat, chat.owner, chat.member);
  assert.deepEqual(await unread(chat, chat.owner), others);
});

Deno.test("unmuting while messages arrive leaves each read or unread by its id alone", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await mute(chat, chat.owner, chat.member);
  const sends = Array.from(
    { length: 12 },
    (_, at) => send(chat, chat.member, { to: channel, content: `${at}` }),
  );
  const [ids] = await Promise.all([
    Promise.all(sends),
    mute(chat, chat.owner, chat.member, "DELETE"),
  ]);
  const left = await unread(chat, chat.owner);
  const sorted = ids.toSorted((a, b) => a - b);
  assert.deepEqual(left, sorted.slice(sorted.length - left.length));
  const later = await send(chat, chat.member, { to: channel, content: "later" });
  assert.equal((await unread(chat, chat.owner)).at(-1), later);
});
