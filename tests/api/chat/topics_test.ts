import assert from "node:assert/strict";
import type { Person, Sent, TestChat } from "@/tests/helpers/chat.ts";
import { makeChannel, send, startChat } from "./messages_cast.ts";

/** A channel's topics without that of what the server itself tells there. */
async function topicsOf(chat: TestChat, who: Person, channel: number, params: Sent = {}) {
  const { status, body } = await chat.call(who, `GET /users/me/${channel}/topics`, params);
  assert.equal(status, 200, JSON.stringify(body));
  const topics: { name: string; max_id: number }[] = body.topics;
  const { ignored_parameters_unsupported: ignored } = body;
  return { ignored, topics: topics.filter(({ name }) => name !== "channel events") };
}

Deno.test("GET /users/me/{stream_id}/topics gives topics by their newest message", async () => {
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
  for (const who of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
    const { topics: shown, ignored } = await topicsOf(chat, who, channel);
    assert.deepEqual([shown, ignored], [topics("general chat"), undefined]);
  }
  const known = await topicsOf(chat, chat.member, channel, { allow_empty_topic_name: true, spare: 1 });
  assert.deepEqual(known.topics, topics(""));
  assert.deepEqual(known.ignored, ["spare"]);
});

Deno.test("topics of a channel that one may not read are refused like those of none", async () => {
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
  for (const [who, channel] of refusals) {
    const { status, body } = await chat.call(who, `GET /users/me/${channel}/topics`);
    assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "Invalid channel ID"]);
  }
  assert.equal((await chat.call(null, `GET /users/me/${open}/topics`)).status, 401);
  const wrong = await chat.call(chat.member, `GET /users/me/${open}/topics`, {
    allow_empty_topic_name: "yes",
  });
  assert.equal(wrong.body.msg, "allow_empty_topic_name is not valid JSON");
});

Deno.test("of a protected history one sees the topics of what was sent to him", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Secret", {
    invite_only: true,
    history_public_to_subscribers: false,
    subscribers: [chat.owner.id],
  });
  await send(chat, chat.owner, { to: channel, topic: "before", content: "a" });
  const subscribe = (method: string, who: string) =>
    chat.call(chat.owner, `${method} /users/me/subscriptions`, {
      subscriptions: method === "DELETE" ? ["Secret"] : [{ name: "Secret" }],
      principals: [who],
    });
  assert.equal((await subscribe("POST", chat.member.email)).status, 200);
  const during = await send(chat, chat.owner, { to: channel, topic: "during", content: "b" });
  assert.equal((await subscribe("DELETE", chat.member.email)).status, 200);
  await send(chat, chat.owner, { to: channel, topic: "during", content: "c" });
  await send(chat, chat.owner, { to: channel, topic: "between", content: "d" });
  assert.equal((await subscribe("POST", chat.member.email)).status, 200);
  const seen = await topicsOf(chat, chat.member, channel);
  assert.deepEqual(seen.topics, [{ name: "during", max_id: during }]);
  const whole = await topicsOf(chat, chat.owner, channel);
  assert.deepEqual(whole.topics.map(({ name }) => name), ["between", "during", "before"]);
});
