import assert from "node:assert/strict";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";

Deno.test("POST /mark_topic_as_read marks only that topic, only for the caller", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const a = await send(chat, chat.member, { to: channel, topic: "Roses", content: "a" });
  const b = await send(chat, chat.member, { to: channel, topic: "weeds", content: "b" });
  const unread = (user = chat.owner) => fetchMessageIds(chat, user, { narrow: [["is", "unread"]] });
  assert.deepEqual(await unread(), [a, b]);
  assert.deepEqual(await unread(chat.member), []);
  await chat.events();
  const { status } = await chat.call(chat.owner, "POST /mark_topic_as_read", {
    stream_id: channel,
    topic_name: "rOSES",
  });
  assert.equal(status, 200);
  assert.deepEqual(await unread(), [b]);
  assert.deepEqual(await unread(chat.moderator), [a, b]);
  const [sent] = await chat.events();
  assert.deepEqual(sent?.audience, [chat.owner.id]);
  assert.deepEqual([sent?.event.type, sent?.event["flag"]], ["update_message_flags", "read"]);
  const c = await send(chat, chat.member, { to: channel, topic: "roses", content: "c" });
  assert.deepEqual(await unread(), [b, c]);
  const narrow = [["topic", "weeds"]];
  assert.deepEqual(
    await fetchMessageIds(chat, chat.owner, { anchor: "first_unread", num_before: 0, num_after: 0, narrow }),
    [b],
  );
  assert.equal(
    (await chat.call(chat.owner, "POST /mark_stream_as_read", { stream_id: channel })).status,
    200,
  );
  assert.deepEqual(await unread(), []);
});

Deno.test("POST /mark_topic_as_read refuses inaccessible channels and topics never received", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await send(chat, chat.member, { to: channel, topic: "roses", content: "a" });
  const mark = async (user: typeof chat.member, stream_id: number, topic_name: string) =>
    (await chat.call(user, "POST /mark_topic_as_read", { stream_id, topic_name })).body.msg;
  assert.equal(await mark(chat.owner, channel, "tulips"), "No such topic 'tulips'");
  // The administrator can read the topic but received none of its messages.
  assert.equal(await mark(chat.admin, channel, "roses"), "No such topic 'roses'");
  assert.equal(await mark(chat.owner, 99_999, "roses"), "Invalid channel ID");
  assert.equal(await mark(chat.guest, channel, "roses"), "Invalid channel ID");
  assert.equal(await mark(chat.outsider, channel, "roses"), "Invalid channel ID");
  assert.equal(await mark(chat.owner, channel, ""), "");
  const missing = await chat.call(chat.owner, "POST /mark_topic_as_read", { stream_id: channel });
  assert.equal(missing.body.msg, "Missing 'topic_name' argument");
});

Deno.test("POST /messages/flags adds and removes flags, and unread marks persist", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const a = await send(chat, chat.member, { to: channel, topic: "roses", content: "a" });
  const b = await sendDirect(chat, chat.member, [chat.owner], "b");
  const flags = async (id: number) => (await chat.call(chat.owner, `GET /messages/${id}`)).body.message.flags;
  const set = (op: string, flag: string, messages: number[]) =>
    chat.call(chat.owner, "POST /messages/flags", { op, flag, messages });
  assert.equal((await set("add", "starred", [a, b])).status, 200);
  await set("add", "read", [a, b]);
  assert.deepEqual([await flags(a), await flags(b)], [["read", "starred"], ["read", "starred"]]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["is", "starred"]] }), [a, b]);
  await set("remove", "starred", [b]);
  await set("remove", "read", [a]);
  assert.deepEqual([await flags(a), await flags(b)], [["starred"], ["read"]]);
  assert.equal((await chat.call(chat.owner, "POST /mark_all_as_read")).body.complete, true);
  assert.deepEqual(await flags(a), ["read", "starred"]);
  await set("remove", "read", [a]);
  await chat.call(chat.owner, "POST /mark_topic_as_read", { stream_id: channel, topic_name: "roses" });
  assert.deepEqual(await flags(a), ["read", "starred"]);
  const refusals: [string, string, number[], string][] = [
    ["add", "mentioned", [a], "Flag not editable: 'mentioned'"],
    ["add", "shiny", [a], "Invalid flag: 'shiny'"],
    ["toggle", "read", [a], "Invalid message flag operation: 'toggle'"],
    ["add", "read", [a, 99_999], "Invalid message(s)"],
  ];
  for (const [op, flag, messages, msg] of refusals) {
    assert.equal((await set(op, flag, messages)).body.msg, msg);
  }
});

Deno.test("POST /messages/flags keeps messages read that were not sent to the user", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const missed = await send(chat, chat.member, { to: channel, content: "before" });
  await chat.call(chat.admin, "POST /users/me/subscriptions", { subscriptions: [{ name: "Garden" }] });
  const received = await send(chat, chat.member, { to: channel, content: "after" });
  const mark = async (...messages: number[]) => {
    await chat.events();
    const sent = { op: "remove", flag: "read", messages };
    assert.equal((await chat.call(chat.admin, "POST /messages/flags", sent)).status, 200);
    return (await chat.events()).map(({ event }) => event["messages"]);
  };
  assert.deepEqual(await mark(missed, received), [[received]]);
  assert.deepEqual(await mark(missed), []);
  const { message } = (await chat.call(chat.admin, `GET /messages/${missed}`)).body;
  assert.deepEqual(message.flags, ["read", "historical"]);
});

Deno.test("messages of channels that the user left stay read, and the answer names the channels", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const [garden, shed] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  const stays = await send(chat, owner, { to: garden, content: "stays" });
  const left = await send(chat, owner, { to: shed, content: "left" });
  const call = async (endpoint: string, params: Record<string, unknown>) => {
    const { status, body } = await chat.call(member, endpoint, { op: "remove", flag: "read", ...params });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  await call("POST /mark_all_as_read", {});
  const subscriptions = ["Shed"];
  assert.equal((await chat.call(member, "DELETE /users/me/subscriptions", { subscriptions })).status, 200);
  await chat.events();
  const messages = [stays, left];
  const marked = await call("POST /messages/flags", { messages });
  assert.deepEqual([marked.messages, marked.ignored_because_not_subscribed_channels], [messages, [shed]]);
  assert.deepEqual((await chat.events()).map(({ event }) => event["messages"]), [[stays]]);
  const flagsOf = async (id: number) => (await chat.call(member, `GET /messages/${id}`)).body.message.flags;
  assert.deepEqual([await flagsOf(stays), await flagsOf(left)], [[], ["read"]]);
  const added = await call("POST /messages/flags", { messages, op: "add" });
  assert.equal("ignored_because_not_subscribed_channels" in added, false);
  const range = { anchor: stays, num_before: 0, num_after: 5, narrow: [["sender", owner.id]] };
  const swept = await call("POST /messages/flags/narrow", range);
  assert.deepEqual([swept.updated_count, swept.ignored_because_not_subscribed_channels], [1, [shed]]);
});
