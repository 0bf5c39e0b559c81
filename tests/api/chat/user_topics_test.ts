import assert from "node:assert/strict";
import { listUserTopics } from "@/lib/chat/user_topics/list.ts";
import { setUserTopic } from "@/lib/chat/user_topics/set.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel } from "./subscriptions_cast.ts";
import { asOtherProcess, assertRefusal, assertSuccess, callerOf } from "./user_groups_cast.ts";

const CALL = "POST /user_topics";

/** What somebody wants of topics, by topic. */
async function wishes(chat: TestChat, { id }: Person): Promise<[string, number][]> {
  const entries = await listUserTopics(chat.services.chat, { realmId: chat.realm.id, userId: id });
  return entries.map(({ value }) => [value.topic_name, value.visibility_policy]);
}

Deno.test("POST /user_topics puts down what everybody wants of a topic without messages (A160)", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat, { subscribers: [chat.guest] });
  for (const who of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    assertSuccess(await chat.call(who, CALL, { stream_id, topic: "nowhere", visibility_policy: 1 }));
    assert.deepEqual(await wishes(chat, who), [["nowhere", 1]]);
  }
  assert.equal((await chat.call(null, CALL, { stream_id, topic: "t", visibility_policy: 1 })).status, 401);
  const sent = { stream_id, topic: "t", visibility_policy: 1 };
  assertRefusal(await chat.call(chat.outsider, CALL, sent), "Invalid channel ID");
});

Deno.test("POST /user_topics takes its parameters from the address too, and names those it does not know (A013)", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat);
  assertSuccess(await chat.call(chat.member, `${CALL}?stream_id=${id}&topic=t&visibility_policy=1`));
  const sent = { stream_id: id, topic: "t", visibility_policy: 3, mood: "good" };
  assertSuccess(await chat.call(chat.member, CALL, sent), { ignored_parameters_unsupported: ["mood"] });
});

Deno.test("POST /user_topics tells the caller alone: the muted topics, then the one that changed", async () => {
  await using chat = await startChat();
  const [one, two] = [await putChannel(chat, { name: "one" }), await putChannel(chat, { name: "two" })];
  const set = async (stream_id: number, topic: string, visibility_policy: number) => {
    chat.clock.time += 1500;
    assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic, visibility_policy }));
    return Math.floor(chat.clock.time / 1000);
  };
  await chat.events();
  const first = await set(one, "Roses", 1);
  const second = await set(two, "tulips", 1);
  const third = await set(one, "ROSES", 3);
  const fourth = await set(two, "tulips", 0);
  const audience = [chat.member.id];
  const muted = (...muted_topics: unknown[]) => ({ event: { type: "muted_topics", muted_topics }, audience });
  const changed = (
    stream_id: number,
    topic_name: string,
    last_updated: number,
    visibility_policy: number,
  ) => ({
    event: { type: "user_topic", stream_id, topic_name, last_updated, visibility_policy },
    audience,
  });
  assert.deepEqual(await chat.events(), [
    muted(["one", "Roses", first]),
    changed(one, "Roses", first, 1),
    muted(["one", "Roses", first], ["two", "tulips", second]),
    changed(two, "tulips", second, 1),
    muted(["two", "tulips", second]),
    changed(one, "ROSES", third, 3),
    muted(),
    changed(two, "tulips", fourth, 0),
  ]);
  assert.deepEqual(await wishes(chat, chat.member), [["ROSES", 3]]);
});

Deno.test("POST /user_topics says nothing when nothing changes (A166)", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat);
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "never", visibility_policy: 0 }));
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "Roses", visibility_policy: 2 }));
  await chat.events();
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "rOSES", visibility_policy: 2 }));
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await wishes(chat, chat.member), [["Roses", 2]]);
});

Deno.test("the empty topic and its display name are one topic", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat);
  assertSuccess(
    await chat.call(chat.member, CALL, { stream_id, topic: "general chat", visibility_policy: 1 }),
  );
  const [, told] = await chat.events();
  assert.equal(told?.event["topic_name"], "");
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "", visibility_policy: 1 }));
  assert.deepEqual([await chat.events(), await wishes(chat, chat.member)], [[], [["", 1]]]);
});

Deno.test("POST /user_topics refuses missing and wrong parameters (A161, A162, A163)", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat);
  const good = { stream_id, topic: "T", visibility_policy: 1 };
  for (const name of Object.keys(good)) {
    const sent = Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
    const answer = await chat.call(chat.member, CALL, sent);
    assertRefusal(answer, `Missing '${name}' argument`, "REQUEST_VARIABLE_MISSING");
    assert.equal(answer.body.var_name, name);
  }
  const choice = "Invalid visibility_policy: Value error, Not in the list of possible values";
  const refusals: [object, string][] = [
    [{ visibility_policy: 999 }, choice],
    [{ visibility_policy: "no" }, "visibility_policy is not valid JSON"],
    [{ visibility_policy: true }, "visibility_policy is not an integer"],
    [{ topic: "a".repeat(61) }, "topic is too long (limit: 60 characters)"],
    [{ stream_id: "one" }, "stream_id is not valid JSON"],
    [{ stream_id: [1] }, "stream_id is not an integer"],
    [{ stream_id: 99999999 }, "Invalid channel ID"],
    [{ stream_id: 99999999, visibility_policy: 0 }, "Invalid channel ID"],
  ];
  for (const [sent, message] of refusals) {
    assertRefusal(await chat.call(chat.member, CALL, { ...good, ...sent }), message);
  }
  assert.deepEqual([await chat.events(), await wishes(chat, chat.member)], [[], []]);
});

Deno.test("POST /user_topics wants access to the channel, but not to take something back (A167, A170)", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat);
  const secret = await putChannel(chat, { invite_only: true, subscribers: [chat.member] });
  const archived = await putChannel(chat, { is_archived: true });
  const refused: [Person, number][] = [
    [chat.guest, open],
    [chat.owner, secret],
    [chat.moderator, secret],
    [chat.member, archived],
  ];
  for (const [who, stream_id] of refused) {
    for (const visibility_policy of [1, 2, 3]) {
      const answer = await chat.call(who, CALL, { stream_id, topic: "t", visibility_policy });
      assertRefusal(answer, "Invalid channel ID");
    }
    assertSuccess(await chat.call(who, CALL, { stream_id, topic: "t", visibility_policy: 0 }));
  }
  assert.deepEqual(await chat.events(), []);
  assertSuccess(await chat.call(chat.member, CALL, { stream_id: secret, topic: "t", visibility_policy: 1 }));
});

Deno.test("nobody is told names of channels that he can no longer read", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "plans" });
  const other = await putChannel(chat, { name: "other" });
  assertSuccess(await chat.call(chat.member, CALL, { stream_id: id, topic: "t", visibility_policy: 1 }));
  await patchChannel(chat, id, { invite_only: true, name: "secret plans" });
  await chat.events();
  assertSuccess(await chat.call(chat.member, CALL, { stream_id: other, topic: "t", visibility_policy: 1 }));
  const [told] = await chat.events();
  assert.deepEqual(told?.event["muted_topics"], [["other", "t", Math.floor(chat.clock.time / 1000)]]);
});

Deno.test("setUserTopic() in two processes at once loses nothing, and tells of many topics without their list", async () => {
  await using chat = await startChat();
  const channelId = await putChannel(chat);
  const caller = await callerOf(chat, chat.member);
  const apps = [chat.services.chat, asOtherProcess(chat)];
  await Promise.all(
    apps.flatMap((app, at) =>
      Array.from(
        { length: 30 },
        (_, topic) => setUserTopic(app, caller, { channelId, topic: `${topic} ${at}`, policy: 1 }),
      )
    ),
  );
  const events = await chat.events();
  const longest = Math.max(...events.map(({ event }) => {
    const muted = event["muted_topics"];
    return Array.isArray(muted) ? muted.length : 0;
  }));
  assert.deepEqual([(await wishes(chat, chat.member)).length, longest, events.length], [60, 60, 120]);
  for (let topic = 0; topic < 340; topic++) {
    await setUserTopic(chat.services.chat, caller, {
      channelId,
      topic: `${topic}`.padEnd(60, "🌷"),
      policy: 1,
    });
  }
  await chat.events();
  await setUserTopic(chat.services.chat, caller, { channelId, topic: "one more", policy: 1 });
  assert.deepEqual((await chat.events()).map(({ event }) => event.type), ["user_topic"]);
});
