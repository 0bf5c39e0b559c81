// PATCH /users/me/subscriptions/muted_topics
import assert from "node:assert/strict";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const ENDPOINT = "PATCH /users/me/subscriptions/muted_topics";

async function mutedBy(chat: TestChat, user: TestUser): Promise<string[][]> {
  const { muted_topics } = await succeed(chat, user, "POST /register", { event_types: ["muted_topics"] });
  return muted_topics.map(([channel, topic]: string[]) => [channel, topic]);
}

async function ask(chat: TestChat, user: TestUser | null, params: TestParams) {
  const { status, body } = await chat.call(user, ENDPOINT, params);
  return [status, body.code, body.msg];
}

Deno.test("a topic is muted and unmuted by the id or the name of its channel, with both kinds of events", async () => {
  await using chat = await startChat();
  const { member } = chat;
  const stream_id = await makeChannel(chat, "Garden");
  const client = await registerClient(chat, member);
  await chat.events();
  const done = await chat.call(member, ENDPOINT, { stream: "GARDEN", topic: "Weeds", op: "add" });
  assert.deepEqual(done.body, { result: "success", msg: "" });
  const last_updated = Math.floor(chat.clock.time / 1000);
  const audience = [member.id];
  const events = [
    { event: { type: "muted_topics" }, audience },
    {
      event: { type: "user_topic", stream_id, topic_name: "Weeds", last_updated, visibility_policy: 1 },
      audience,
    },
  ];
  assert.deepEqual(await chat.events(), events);
  const [delivered] = await client.receive();
  assert.deepEqual(delivered?.["muted_topics"], [["Garden", "Weeds", last_updated]]);
  await succeed(chat, member, ENDPOINT, { stream_id, topic: "weeds", op: "add" });
  assert.deepEqual(await chat.events(), [], "muting again changes nothing");
  assert.deepEqual(await mutedBy(chat, member), [["Garden", "Weeds"]]);
  assert.deepEqual(await mutedBy(chat, chat.owner), []);
  await succeed(chat, member, ENDPOINT, { stream_id, topic: "WEEDS", op: "remove" });
  assert.deepEqual(await mutedBy(chat, member), []);
  assert.equal((await chat.events()).length, 2);
  await succeed(chat, member, ENDPOINT, { stream_id, topic: "WEEDS", op: "remove" });
  assert.deepEqual(await chat.events(), []);
});

Deno.test("unmuting leaves a topic alone that is followed", async () => {
  await using chat = await startChat();
  const stream_id = await makeChannel(chat, "Garden");
  const topic = "roses";
  await succeed(chat, chat.member, "POST /user_topics", { stream_id, topic, visibility_policy: 3 });
  await chat.events();
  await succeed(chat, chat.member, ENDPOINT, { stream_id, topic, op: "remove" });
  assert.deepEqual(await chat.events(), []);
  await succeed(chat, chat.member, ENDPOINT, { stream_id, topic, op: "add" });
  assert.deepEqual(await mutedBy(chat, chat.member), [["Garden", "roses"]]);
});

Deno.test("invalid requests and hidden channels are refused like unknown ones", async () => {
  await using chat = await startChat();
  const stream_id = await makeChannel(chat, "Secret", { invite_only: true });
  const { member, guest, admin } = chat;
  const add = { topic: "t", op: "add" };
  for (const user of [guest, admin]) {
    assert.deepEqual(await ask(chat, user, { ...add, stream_id }), [
      400,
      "BAD_REQUEST",
      "Invalid channel ID",
    ]);
  }
  assert.deepEqual(
    await ask(chat, member, { ...add, stream_id: 999_999 }),
    [400, "BAD_REQUEST", "Invalid channel ID"],
  );
  for (const stream of ["Secret", "None"]) {
    const refused = [400, "BAD_REQUEST", `Invalid channel name '${stream}'`];
    assert.deepEqual(await ask(chat, guest, { ...add, stream }), refused);
    assert.deepEqual(await ask(chat, guest, { ...add, op: "remove", stream }), refused);
  }
  assert.deepEqual(
    await ask(chat, member, { ...add, stream: "Secret", stream_id }),
    [400, "BAD_REQUEST", "Unsupported parameter combination: stream_id, stream"],
  );
  const missing = "REQUEST_VARIABLE_MISSING";
  assert.deepEqual(await ask(chat, member, add), [400, missing, "Missing 'stream_id' argument"]);
  assert.deepEqual(await ask(chat, member, { stream_id }), [400, missing, "Missing 'topic' argument"]);
  assert.deepEqual(await ask(chat, member, { stream_id, topic: "t" }), [
    400,
    missing,
    "Missing 'op' argument",
  ]);
  const wrong = await ask(chat, member, { stream_id, topic: "t", op: "mute" });
  assert.equal(wrong[2], "Invalid op: Value error, Not in the list of possible values");
  const long = "topic is too long (limit: 60 characters)";
  assert.deepEqual(await ask(chat, member, { ...add, stream_id, topic: "t".repeat(61) }), [
    400,
    "BAD_REQUEST",
    long,
  ]);
  assert.equal((await ask(chat, null, add))[0], 401);
});
