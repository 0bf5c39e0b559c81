// GET /messages: anchors
import assert from "node:assert/strict";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Number by which clients recognize the newest end. */
const NEWEST = 10_000_000_000_000_000;

async function anchorOf(chat: TestChat, user: TestUser, params: TestParams): Promise<number> {
  const { anchor } = await succeed(chat, user, "GET /messages", { num_before: 0, num_after: 0, ...params });
  return anchor;
}

Deno.test("GET /messages answers the newest end with the number that clients compare with", async () => {
  await using chat = await startChat();
  await sendDirect(chat, chat.owner, [chat.member], "one");
  await succeed(chat, chat.member, "POST /mark_all_as_read");
  for (const anchor of ["newest", "first_unread", String(NEWEST), "9".repeat(30)]) {
    assert.equal(await anchorOf(chat, chat.member, { anchor }), NEWEST, anchor);
  }
  assert.equal(await anchorOf(chat, chat.member, { anchor: "oldest" }), 0);
});

Deno.test("GET /messages takes use_first_unread_anchor as the anchor first_unread, whatever the anchor is", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.member, "POST /mark_all_as_read");
  await sendDirect(chat, chat.member, [chat.owner], "own");
  const unread = await sendDirect(chat, chat.owner, [chat.member], "unread");
  await sendDirect(chat, chat.owner, [chat.member], "later");
  for (const anchor of [{}, { anchor: "oldest" }, { anchor: 0 }, { anchor: "newest" }]) {
    assert.equal(await anchorOf(chat, chat.member, { ...anchor, use_first_unread_anchor: true }), unread);
  }
  const off = { anchor: "oldest", use_first_unread_anchor: false };
  assert.equal(await anchorOf(chat, chat.member, off), 0);
  const { body } = await chat.call(chat.member, "GET /messages", { use_first_unread_anchor: false });
  assert.deepEqual([body.code, body.var_name], ["REQUEST_VARIABLE_MISSING", "anchor"]);
});

Deno.test("the anchor first_unread skips what POST /register does not count as unread", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const names = ["Left", "Archived", "Muted", "Garden"];
  const [left = 0, archived = 0, muted = 0, garden = 0] = await Promise.all(
    names.map((name) => makeChannel(chat, name)),
  );
  await succeed(chat, member, "POST /mark_all_as_read");
  for (const to of [left, archived]) await send(chat, owner, { to, content: "gone" });
  const inMuted = await send(chat, owner, { to: muted, content: "in a muted channel" });
  const inMutedTopic = await send(chat, owner, { to: garden, topic: "weeds", content: "in a muted topic" });
  const shown = await send(chat, owner, { to: garden, topic: "roses", content: "roses" });
  await succeed(chat, member, "DELETE /users/me/subscriptions", { subscriptions: ["Left"] });
  await succeed(chat, owner, `DELETE /streams/${archived}`);
  await succeed(chat, member, `PATCH /users/me/subscriptions/${muted}`, {
    property: "is_muted",
    value: true,
  });
  const policy = { stream_id: garden, topic: "weeds", visibility_policy: 1 };
  await succeed(chat, member, "POST /user_topics", policy);

  const find = (...narrow: unknown[]) => anchorOf(chat, member, { anchor: "first_unread", narrow });
  assert.equal(await find(), shown);
  assert.equal(await find(["channel", left]), NEWEST);
  assert.equal(await find(["channel", archived]), NEWEST);
  assert.equal(await find(["channel", muted]), inMuted, "a narrow to a muted channel shows its messages");
  assert.equal(await find(["channel", garden]), shown);
  assert.equal(await find(["channel", garden], ["topic", "weeds"]), inMutedTopic);
  assert.equal(await find(["is", "muted"]), inMuted);
  assert.equal(await find(["sender", member.id]), NEWEST);

  await succeed(chat, member, "POST /messages/flags", { messages: [shown], op: "add", flag: "read" });
  assert.equal(await find(), NEWEST);
  const { unread_msgs } = await succeed(chat, member, "POST /register", {
    fetch_event_types: ["message", "update_message_flags"],
  });
  assert.equal(unread_msgs.count, 0);
});

Deno.test("the anchor first_unread finds a message that was marked as unread again, behind any number of read ones", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (let at = 0; at < 20; at++) ids.push(await send(chat, chat.owner, { to, content: `no. ${at}` }));
  await succeed(chat, chat.member, "POST /mark_all_as_read");
  await succeed(chat, chat.member, "POST /messages/flags", {
    messages: [ids[7]],
    op: "remove",
    flag: "read",
  });
  const last = await sendDirect(chat, chat.owner, [chat.member], "last");
  const find = (narrow: unknown) => anchorOf(chat, chat.member, { anchor: "first_unread", narrow });
  assert.deepEqual([await find([]), await find([["is", "dm"]])], [ids[7], last]);
});

Deno.test("the anchor date is the first message of the narrow that was sent at that time or later", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const at: string[] = [];
  const ids: number[] = [];
  for (const topic of ["roses", "weeds", "roses", "weeds"]) {
    chat.clock.time += 3_600_000;
    at.push(new Date(chat.clock.time).toISOString());
    ids.push(await send(chat, chat.owner, { to, topic, content: topic }));
    await sendDirect(chat, chat.owner, [chat.admin], "unseen");
  }
  const find = (anchor_date: unknown, ...narrow: unknown[]) =>
    anchorOf(chat, chat.member, { anchor: "date", anchor_date, narrow });
  const [first = "", second = "", , last = ""] = at;
  assert.deepEqual([await find(first), await find(second), await find(last)], [ids[0], ids[1], ids[3]]);
  const later = (text: string) => new Date(Date.parse(text) + 1000).toISOString();
  assert.deepEqual([await find(later(first)), await find(later(last))], [ids[1], NEWEST]);
  assert.equal(await find(second, ["topic", "roses"]), ids[2]);
  assert.equal(await find(second.replace(/T(\d\d).*/, (_, hour) => `T${hour}:00:00+00:00`)), ids[1]);
  assert.equal(
    (await succeed(chat, chat.member, "GET /messages", { anchor: "date", anchor_date: "1999-01-01" }))
      .anchor > 0,
    true,
  );
  const missing = await chat.call(chat.member, "GET /messages", { anchor: "date" });
  assert.deepEqual([missing.body.code, missing.body.var_name], ["REQUEST_VARIABLE_MISSING", "anchor_date"]);
  for (const anchor_date of ["yesterday", "2026-13-45", "", "9".repeat(50)]) {
    const { status, body } = await chat.call(chat.member, "GET /messages", { anchor: "date", anchor_date });
    assert.deepEqual([status, body.code], [400, "BAD_REQUEST"], anchor_date);
  }
});
