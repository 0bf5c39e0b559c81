import assert from "node:assert/strict";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";

/** Fetches a channel's topics, except the one of server notices. */
async function fetchTopics(chat: TestChat, user: TestUser, channel: number, params: TestParams = {}) {
  const { status, body } = await chat.call(user, `GET /users/me/${channel}/topics`, params);
  assert.equal(status, 200, JSON.stringify(body));
  const topics: { name: string; max_id: number }[] = body.topics;
  const { ignored_parameters_unsupported: ignored } = body;
  return { ignored, topics: topics.filter(({ name }) => name !== "channel events") };
}

Deno.test("GET /users/me/{stream_id}/topics returns topics by their newest message", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const other = await makeChannel(chat, "Kitchen");
  await send(chat, chat.member, { to: channel, topic: "Roses", content: "a" });
  const weeds = await send(chat, chat.member, { to: channel, topic: "weeds", content: "b" });
  const roses = await send(chat, chat.owner, { to: channel, topic: "rOSES", content: "c" });
  const empty = await send(chat, chat.owner, { to: channel, topic: "", content: "d" });
  await send(chat, chat.owner, { to: other, topic: "soup", content: "e" });
  const topics = (name: string) => [
    { name, max_id: empty },
    { name: "Roses", max_id: roses },
    { name: "weeds", max_id: weeds },
  ];
  // The administrator is not subscribed: the channel is public.
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
    const { topics: shown, ignored } = await fetchTopics(chat, user, channel);
    assert.deepEqual([shown, ignored], [topics("general chat"), undefined]);
  }
  const known = await fetchTopics(chat, chat.member, channel, { allow_empty_topic_name: true, spare: 1 });
  assert.deepEqual(known.topics, topics(""));
  assert.deepEqual(known.ignored, ["spare"]);
});

Deno.test("GET /users/me/{stream_id}/topics refuses an unreadable channel like a missing one", async () => {
  await using chat = await startChat();
  const open = await makeChannel(chat, "Garden");
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  await send(chat, chat.owner, { to: secret, content: "a" });
  const refusals: [typeof chat.member, number][] = [
    [chat.guest, open],
    [chat.outsider, open],
    [chat.member, secret],
    [chat.admin, secret],
    [chat.bot, secret],
    [chat.owner, 99_999],
  ];
  for (const [user, channel] of refusals) {
    const { status, body } = await chat.call(user, `GET /users/me/${channel}/topics`);
    assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "Invalid channel ID"]);
  }
  assert.equal((await chat.call(null, `GET /users/me/${open}/topics`)).status, 401);
  const wrong = await chat.call(chat.member, `GET /users/me/${open}/topics`, {
    allow_empty_topic_name: "yes",
  });
  assert.equal(wrong.body.msg, "allow_empty_topic_name is not valid JSON");
});

Deno.test("GET /users/me/{stream_id}/topics limits protected history to received messages", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Secret", {
    invite_only: true,
    history_public_to_subscribers: false,
    subscribers: [chat.owner.id],
  });
  await send(chat, chat.owner, { to: channel, topic: "before", content: "a" });
  const subscribe = (method: string, user: string) =>
    chat.call(chat.owner, `${method} /users/me/subscriptions`, {
      subscriptions: method === "DELETE" ? ["Secret"] : [{ name: "Secret" }],
      principals: [user],
    });
  assert.equal((await subscribe("POST", chat.member.email)).status, 200);
  const during = await send(chat, chat.owner, { to: channel, topic: "during", content: "b" });
  assert.equal((await subscribe("DELETE", chat.member.email)).status, 200);
  await send(chat, chat.owner, { to: channel, topic: "during", content: "c" });
  await send(chat, chat.owner, { to: channel, topic: "between", content: "d" });
  assert.equal((await subscribe("POST", chat.member.email)).status, 200);
  const seen = await fetchTopics(chat, chat.member, channel);
  assert.deepEqual(seen.topics, [{ name: "during", max_id: during }]);
  const whole = await fetchTopics(chat, chat.owner, channel);
  assert.deepEqual(whole.topics.map(({ name }) => name), ["between", "during", "before"]);
});
