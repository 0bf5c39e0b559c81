// The policies that users' settings give topics automatically: POST /messages, reactions, POST /submessage
import assert from "node:assert/strict";
import { MAX_FOLLOWING_MENTIONED } from "@/lib/chat/channels/topics/automatic_policy.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { listUserTopics } from "@/lib/chat/channels/topics/user_topics.ts";
import {
  makeChannel,
  NO_AUTOMATIC_POLICIES,
  send,
  sendDirect,
  startChat,
} from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Sends a message and returns the policy that the answer names. */
async function policyOfSending(chat: TestChat, user: TestUser, to: number, topic: string) {
  const params = { type: "channel", to, topic, content: "hello" };
  return (await succeed(chat, user, "POST /messages", params)).automatic_new_visibility_policy;
}

/** Returns a user's policies by topic. */
async function policiesOf(chat: TestChat, { id }: TestUser): Promise<Record<string, number>> {
  const entries = await listUserTopics(chat.services.chat, { realmId: chat.realm.id, userId: id });
  return Object.fromEntries(entries.map((value) => [value.topic_name, value.visibility_policy]));
}

/** Returns the types of the events of topics, with their audience. */
async function topicEvents(chat: TestChat) {
  return (await chat.events()).filter(({ event }) => /topic/.test(event.type))
    .map(({ event, audience }) => [event.type, event["visibility_policy"], audience]);
}

async function muteChannel(chat: TestChat, user: TestUser, stream_id: number): Promise<void> {
  const subscription_data = [{ stream_id, property: "is_muted", value: true }];
  await succeed(chat, user, "POST /users/me/subscriptions/properties", { subscription_data });
}

Deno.test("by default, starting a topic follows it and sending to a muted channel unmutes the topic", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, bot } = chat;
  const channel = await makeChannel(chat, "Garden", { subscribers: [owner.id, member.id, bot.id] });
  await chat.events();
  assert.equal(await policyOfSending(chat, member, channel, "Roses"), 3);
  const last_updated = Math.floor(chat.clock.time / 1000);
  const [message, userTopic, ...others] = await chat.events();
  assert.deepEqual([message?.event.type, others], ["message", []]);
  assert.deepEqual(userTopic, {
    event: {
      type: "user_topic",
      stream_id: channel,
      topic_name: "Roses",
      last_updated,
      visibility_policy: 3,
    },
    audience: [member.id],
  });
  assert.equal(await policyOfSending(chat, owner, channel, "roses"), undefined);
  assert.equal(await policyOfSending(chat, bot, channel, "Tulips"), undefined);
  assert.deepEqual([await policiesOf(chat, owner), await policiesOf(chat, bot)], [{}, {}]);
  await sendDirect(chat, member, [owner], "hello");
  assert.deepEqual(await topicEvents(chat), []);
  await muteChannel(chat, owner, channel);
  assert.equal(await policyOfSending(chat, owner, channel, "Roses"), 2);
  assert.equal(await policyOfSending(chat, owner, channel, "Roses"), undefined);
  assert.equal(await policyOfSending(chat, owner, channel, "Lilies"), 3);
  assert.deepEqual(await policiesOf(chat, owner), { Roses: 2, Lilies: 3 });
  // The moderator is not subscribed.
  assert.equal(await policyOfSending(chat, moderator, channel, "Violets"), 3);
});

Deno.test("each setting covers its own way to take part in a topic and those that include it", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const channel = await makeChannel(chat, "Garden");
  await muteChannel(chat, member, channel);
  const given: Record<string, (number | undefined)[]> = {};
  for (
    const [name, policy] of [["automatically_follow_topics_policy", 3], [
      "automatically_unmute_topics_in_muted_streams_policy",
      2,
    ]] as const
  ) {
    for (const value of [1, 2, 3, 4]) {
      await succeed(chat, member, "PATCH /settings", { ...NO_AUTOMATIC_POLICIES, [name]: value });
      const topic = `${name[14]} ${value}`;
      const started = await policyOfSending(chat, member, channel, `started ${topic}`);
      const poll = await send(chat, owner, {
        to: channel,
        topic: `voted ${topic}`,
        content: "/poll Tea?\nYes",
      });
      const vote = '{"type":"vote","key":"canned,0","vote":1}';
      const submessage = { message_id: poll, msg_type: "widget", content: vote };
      await succeed(chat, member, "POST /submessage", submessage);
      const other = await send(chat, owner, { to: channel, topic: `reacted ${topic}`, content: "a" });
      await succeed(chat, member, `POST /messages/${other}/reactions`, { emoji_name: "car" });
      await send(chat, owner, { to: channel, topic: `sent ${topic}`, content: "a" });
      const sent = await policyOfSending(chat, member, channel, `sent ${topic}`);
      const policies = await policiesOf(chat, member);
      given[`${policy} ${value}`] = [
        started,
        sent,
        policies[`reacted ${topic}`],
        policies[`voted ${topic}`],
      ];
    }
  }
  const none = undefined;
  assert.deepEqual(given, {
    "3 1": [3, 3, 3, 3],
    "3 2": [3, 3, none, none],
    "3 3": [3, none, none, none],
    "3 4": [none, none, none, none],
    "2 1": [2, 2, 2, 2],
    "2 2": [2, 2, none, none],
    "2 3": [2, none, none, none],
    "2 4": [none, none, none, none],
  });
});

Deno.test("automatic policies replace lower ones and list the muted topics again", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const channel = await makeChannel(chat, "Garden");
  const set = (topic: string, visibility_policy: number) =>
    succeed(chat, member, "POST /user_topics", { stream_id: channel, topic, visibility_policy });
  await succeed(chat, member, "PATCH /settings", {
    ...NO_AUTOMATIC_POLICIES,
    automatically_follow_topics_policy: 2,
  });
  for (const policy of [1, 2, 3]) await set(`was ${policy}`, policy);
  const client = await registerClient(chat, member, { event_types: ["muted_topics"] });
  await chat.events();
  assert.equal(await policyOfSending(chat, member, channel, "was 1"), 3);
  const [, muted] = await chat.events();
  assert.deepEqual(muted?.event, { type: "muted_topics" });
  assert.deepEqual((await client.receive()).map(({ muted_topics }) => muted_topics), [[]]);
  assert.equal(await policyOfSending(chat, member, channel, "was 2"), 3);
  assert.deepEqual(await topicEvents(chat), [["user_topic", 3, [member.id]]]);
  assert.equal(await policyOfSending(chat, member, channel, "was 3"), undefined);
  await succeed(chat, member, "PATCH /settings", {
    ...NO_AUTOMATIC_POLICIES,
    automatically_unmute_topics_in_muted_streams_policy: 1,
  });
  await muteChannel(chat, member, channel);
  const id = await send(chat, owner, { to: channel, topic: "was 3", content: "a" });
  await succeed(chat, member, `POST /messages/${id}/reactions`, { emoji_name: "car" });
  assert.deepEqual(await policiesOf(chat, member), { "was 1": 3, "was 2": 3, "was 3": 3 });
});

Deno.test("a topic is followed by the subscribers whom a message mentions by name", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, admin, bot } = chat;
  const subscribers = [owner, member, moderator, bot].map(({ id }) => id);
  const channel = await makeChannel(chat, "Garden", { subscribers });
  await send(chat, owner, { to: channel, topic: "Roses", content: "start" });
  const mention = async (topic: string, names: readonly string[]) => {
    await chat.events();
    const content = names.map((name) => `@**${name}**`).join(" ");
    await send(chat, owner, { to: channel, topic, content });
    return await topicEvents(chat);
  };
  // The administrator is not subscribed, and bots have no settings of their own.
  assert.deepEqual(await mention("Roses", ["Member", "Admin", "Bot"]), [["user_topic", 3, [member.id]]]);
  assert.deepEqual(await policiesOf(chat, admin), {});
  assert.deepEqual(await mention("Roses", ["Member", "all", "topic"]), []);
  const muted = { stream_id: channel, topic: "Roses", visibility_policy: 1 };
  await succeed(chat, moderator, "POST /user_topics", muted);
  assert.deepEqual(await mention("Roses", ["Moderator"]), []);
  await succeed(chat, moderator, `POST /users/me/muted_users/${owner.id}`);
  assert.deepEqual(await mention("roses 2", ["Moderator"]), [["user_topic", 3, [owner.id]]]);
  await succeed(chat, member, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  assert.deepEqual(await mention("roses 2", ["Member"]), []);
  const direct = await sendDirect(chat, owner, [member], "@**Member**");
  assert.deepEqual([direct > 0, await topicEvents(chat)], [true, []]);
});

Deno.test("an edit that mentions a user changes no policy, so that the edit notifies them as before", async () => {
  await using chat = await startChat();
  const { owner, member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, owner, { to: channel, topic: "Roses", content: "@**Member**" });
  await chat.events();
  const content = "@**Member** @**Moderator**";
  await succeed(chat, owner, `PATCH /messages/${id}`, { content });
  assert.deepEqual(await topicEvents(chat), []);
  assert.deepEqual([await policiesOf(chat, member), await policiesOf(chat, moderator)], [{ Roses: 3 }, {}]);
});

Deno.test("a message lets a limited number of mentioned users follow, in the commit of the message", async () => {
  await using chat = await startChat();
  const people: TestUser[] = [];
  for (let at = 0; at < MAX_FOLLOWING_MENTIONED + 2; at++) people.push(await chat.add(`person${at}`));
  const subscribers = [chat.owner, ...people].map(({ id }) => id);
  const channel = await makeChannel(chat, "Garden", { subscribers });
  await send(chat, chat.owner, { to: channel, topic: "Roses", content: "start" });
  await chat.events();
  const content = people.map((_, at) => `@**Person${at}**`).join(" ");
  await send(chat, chat.owner, { to: channel, topic: "Roses", content });
  const events = await topicEvents(chat);
  const followers = people.slice(0, MAX_FOLLOWING_MENTIONED);
  assert.deepEqual(events, followers.map(({ id }) => ["user_topic", 3, [id]]));
});
