import assert from "node:assert/strict";
import { listUserTopics, setUserTopic } from "@/lib/chat/channels/topics/user_topics.ts";
import { registerClient, type TestClient } from "@/tests/casts/events_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel } from "@/tests/casts/subscriptions_cast.ts";
import { asOtherProcess, assertRefusal, assertSuccess, callerOf } from "@/tests/casts/user_groups_cast.ts";

const CALL = "POST /user_topics";

/** Lists a user's topic policies. */
async function listPolicies(chat: TestChat, { id }: TestUser): Promise<[string, number][]> {
  const entries = await listUserTopics(chat.services.chat, { realmId: chat.realm.id, userId: id });
  return entries.map((value) => [value.topic_name, value.visibility_policy]);
}

Deno.test("POST /user_topics stores the policy of a topic without messages for every role (A160)", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat, { subscribers: [chat.guest] });
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    assertSuccess(await chat.call(user, CALL, { stream_id, topic: "nowhere", visibility_policy: 1 }));
    assert.deepEqual(await listPolicies(chat, user), [["nowhere", 1]]);
  }
  assert.equal((await chat.call(null, CALL, { stream_id, topic: "t", visibility_policy: 1 })).status, 401);
  const sent = { stream_id, topic: "t", visibility_policy: 1 };
  assertRefusal(await chat.call(chat.outsider, CALL, sent), "Invalid channel ID");
});

Deno.test("POST /user_topics accepts query parameters and names unknown ones (A013)", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat);
  assertSuccess(await chat.call(chat.member, `${CALL}?stream_id=${id}&topic=t&visibility_policy=1`));
  const sent = { stream_id: id, topic: "t", visibility_policy: 3, mood: "good" };
  assertSuccess(await chat.call(chat.member, CALL, sent), { ignored_parameters_unsupported: ["mood"] });
});

Deno.test("POST /user_topics sends the muted topics and the changed topic to the caller alone", async () => {
  await using chat = await startChat();
  const [one, two] = [await putChannel(chat, { name: "one" }), await putChannel(chat, { name: "two" })];
  const client = await registerClient(chat, chat.member);
  const older = await registerClient(chat, chat.member, { event_types: ["muted_topics"] });
  const stranger = await registerClient(chat, chat.owner);
  const receive = async ({ receive }: TestClient) => (await receive()).map(({ id: _, ...event }) => event);
  const steps: [number, string, number, [string, string][]][] = [
    [one, "Roses", 1, [["one", "Roses"]]],
    [two, "tulips", 1, [["one", "Roses"], ["two", "tulips"]]],
    [one, "ROSES", 3, [["two", "tulips"]]],
    [two, "tulips", 0, []],
  ];
  const changedAt = new Map<string, number>();
  for (const [stream_id, topic_name, visibility_policy, muted] of steps) {
    chat.clock.time += 1500;
    const last_updated = Math.floor(chat.clock.time / 1000);
    changedAt.set(topic_name, last_updated);
    const params = { stream_id, topic: topic_name, visibility_policy };
    assertSuccess(await chat.call(chat.member, CALL, params));
    const list = {
      type: "muted_topics",
      muted_topics: muted.map(([channel, topic]) => [channel, topic, changedAt.get(topic)]),
    };
    const changed = { type: "user_topic", stream_id, topic_name, last_updated, visibility_policy };
    assert.deepEqual(await receive(client), [list, changed]);
    assert.deepEqual(await receive(older), [list]);
  }
  assert.deepEqual(await stranger.receive(), []);
  assert.deepEqual(await listPolicies(chat, chat.member), [["ROSES", 3]]);
});

Deno.test("POST /user_topics sends no event when nothing changes (A166)", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat);
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "never", visibility_policy: 0 }));
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "Roses", visibility_policy: 2 }));
  await chat.events();
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "rOSES", visibility_policy: 2 }));
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await listPolicies(chat, chat.member), [["Roses", 2]]);
});

Deno.test("POST /user_topics treats general chat and its display name as one topic", async () => {
  await using chat = await startChat();
  const stream_id = await putChannel(chat);
  assertSuccess(
    await chat.call(chat.member, CALL, { stream_id, topic: "general chat", visibility_policy: 1 }),
  );
  const [, sent] = await chat.events();
  assert.equal(sent?.event["topic_name"], "");
  assertSuccess(await chat.call(chat.member, CALL, { stream_id, topic: "", visibility_policy: 1 }));
  assert.deepEqual([await chat.events(), await listPolicies(chat, chat.member)], [[], [["", 1]]]);
});

Deno.test("POST /user_topics refuses missing and invalid parameters (A161, A162, A163)", async () => {
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
  assert.deepEqual([await chat.events(), await listPolicies(chat, chat.member)], [[], []]);
});

Deno.test("POST /user_topics requires access to the channel, except to remove a policy (A167, A170)", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat);
  const secret = await putChannel(chat, { invite_only: true, subscribers: [chat.member] });
  const archived = await putChannel(chat, { is_archived: true });
  const refused: [TestUser, number][] = [
    [chat.guest, open],
    [chat.owner, secret],
    [chat.moderator, secret],
    [chat.member, archived],
  ];
  for (const [user, stream_id] of refused) {
    for (const visibility_policy of [1, 2, 3]) {
      const answer = await chat.call(user, CALL, { stream_id, topic: "t", visibility_policy });
      assertRefusal(answer, "Invalid channel ID");
    }
    assertSuccess(await chat.call(user, CALL, { stream_id, topic: "t", visibility_policy: 0 }));
  }
  assert.deepEqual(await chat.events(), []);
  assertSuccess(await chat.call(chat.member, CALL, { stream_id: secret, topic: "t", visibility_policy: 1 }));
});

Deno.test("POST /user_topics does not reveal names of channels that became unreadable", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "plans" });
  const other = await putChannel(chat, { name: "other" });
  assertSuccess(await chat.call(chat.member, CALL, { stream_id: id, topic: "t", visibility_policy: 1 }));
  await patchChannel(chat, id, { invite_only: true, name: "secret plans" });
  const client = await registerClient(chat, chat.member);
  assertSuccess(await chat.call(chat.member, CALL, { stream_id: other, topic: "t", visibility_policy: 1 }));
  const [sent] = await client.receive();
  assert.deepEqual(sent?.["muted_topics"], [["other", "t", Math.floor(chat.clock.time / 1000)]]);
});

Deno.test("setUserTopic() loses no concurrent change, and events bring very many muted topics", async () => {
  await using chat = await startChat();
  const channelId = await putChannel(chat);
  const caller = await callerOf(chat, chat.member);
  const apps = [chat.services.chat, asOtherProcess(chat)];
  const topics = Array.from({ length: 200 }, (_, topic) => `${topic}`.padEnd(60, "🌷"));
  const client = await registerClient(chat, chat.member, { event_types: ["muted_topics"] });
  await Promise.all(
    apps.flatMap((app, at) =>
      topics.map((topic) =>
        setUserTopic(app, caller, { channelId, topic: `${at}${topic.slice(1)}`, policy: 1 })
      )
    ),
  );
  const muted = (await client.receive()).map(({ muted_topics }) => muted_topics.length);
  assert.equal((await listPolicies(chat, chat.member)).length, Math.max(...muted));
});
