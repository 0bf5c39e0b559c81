// PATCH /messages/{message_id}: the policies of users follow the topic
import assert from "node:assert/strict";
import { chunk } from "es-toolkit/array/chunk";
import {
  userTopicKeys,
  type UserTopicRecord,
  type VisibilityPolicy,
} from "@/lib/chat/channels/topics/model.ts";
import { putUserTopic, setUserTopic } from "@/lib/chat/channels/topics/user_topics.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { seedUsers } from "@/tests/casts/many_users_cast.ts";
import { asOtherProcess, callerOf } from "@/tests/casts/user_groups_cast.ts";
import {
  fetchMessageIds,
  makeChannel,
  NO_AUTOMATIC_POLICIES,
  send,
  startChat,
} from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const MUTED = 1;
const UNMUTED = 2;
const FOLLOWED = 3;

/** Returns the ids of users. */
function ids(...users: readonly TestUser[]): number[] {
  return users.map(({ id }) => id);
}

/** Lists a user's policies as registration returns them. */
async function policiesOf(chat: TestChat, user: TestUser): Promise<[number, string, number][]> {
  const { user_topics } = await succeed(chat, user, "POST /register", { event_types: ["user_topic"] });
  return user_topics.map((
    one: Record<string, never>,
  ) => [one["stream_id"], one["topic_name"], one["visibility_policy"]]);
}

function setPolicy(chat: TestChat, user: TestUser, policy: [number, string, number]) {
  const [stream_id, topic, visibility_policy] = policy;
  return succeed(chat, user, "POST /user_topics", { stream_id, topic, visibility_policy });
}

/** Moves messages without notices, as the owner. */
function move(chat: TestChat, id: number, params: TestParams) {
  return succeed(chat, chat.owner, `PATCH /messages/${id}`, {
    propagate_mode: "change_all",
    send_notification_to_new_thread: false,
    ...params,
  });
}

/** Returns the events of policies since the last call: topic and policy with the audience, or muted topics. */
async function policyEvents(chat: TestChat): Promise<unknown[]> {
  const events = await chat.events();
  return events.flatMap(({ event, audience }) => {
    if (event.type === "muted_topics") return [["muted", audience]];
    const { stream_id, topic_name, visibility_policy } = event;
    return event.type === "user_topic" ? [[stream_id, topic_name, visibility_policy, audience]] : [];
  });
}

async function sendAs(chat: TestChat, user: TestUser, to: number, topic: string): Promise<number> {
  return await send(chat, user, { to, topic, content: "a" });
}

/** Turns off policies that sending sets. */
async function startWithoutAutomaticPolicies(): Promise<TestChat> {
  const chat = await startChat();
  for (const user of [chat.owner, chat.member]) {
    await succeed(chat, user, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  }
  return chat;
}

Deno.test("policies follow a topic that is resolved, renamed, changes case and is unresolved, with events", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const { member, admin, moderator } = chat;
  const channel = await makeChannel(chat, "Garden", { subscribers: ids(member, admin, moderator) });
  const id = await sendAs(chat, chat.owner, channel, "a");
  await setPolicy(chat, member, [channel, "a", FOLLOWED]);
  await setPolicy(chat, admin, [channel, "A", MUTED]);
  await setPolicy(chat, moderator, [channel, "a", UNMUTED]);
  await setPolicy(chat, moderator, [channel, "other", FOLLOWED]);
  let before = "a";
  for (const topic of ["✔ a", "a", "b", "B"]) {
    await chat.events();
    chat.clock.time += 5000;
    await move(chat, id, { topic });
    assert.deepEqual(await policyEvents(chat), [
      [channel, before, 0, [member.id, admin.id, moderator.id].sort((one, other) => one - other)],
      ["muted", [admin.id]],
      [channel, topic, MUTED, [admin.id]],
      [channel, topic, UNMUTED, [moderator.id]],
      [channel, topic, FOLLOWED, [member.id]],
    ]);
    assert.deepEqual(await policiesOf(chat, member), [[channel, topic, FOLLOWED]]);
    assert.deepEqual(await policiesOf(chat, admin), [[channel, topic, MUTED]]);
    assert.equal((await policiesOf(chat, moderator)).length, 2);
    before = topic;
  }
  const { user_topics, muted_topics } = await succeed(chat, admin, "POST /register");
  const last_updated = Math.floor(chat.clock.time / 1000);
  assert.equal(user_topics[0].last_updated, last_updated);
  assert.deepEqual(muted_topics, [["Garden", "B", last_updated]]);
});

Deno.test("a moved topic stays followed in narrows and muted in unread counts", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const { member } = chat;
  const channel = await makeChannel(chat, "Garden", { subscribers: ids(member) });
  const followed = await sendAs(chat, chat.owner, channel, "followed");
  const muted = await sendAs(chat, chat.owner, channel, "muted");
  await setPolicy(chat, member, [channel, "followed", FOLLOWED]);
  await setPolicy(chat, member, [channel, "muted", MUTED]);
  await move(chat, followed, { topic: "✔ followed" });
  await move(chat, muted, { topic: "✔ muted" });
  const narrowTo = (operand: string) =>
    fetchMessageIds(chat, member, {
      narrow: [{ operator: "channel", operand: channel }, { operator: "is", operand }],
    });
  assert.deepEqual([await narrowTo("followed"), await narrowTo("muted")], [[followed], [muted]]);
  const register = await succeed(chat, member, "POST /register");
  // The others are notices about the new channel and the resolved topic that is followed.
  assert.equal(register.unread_msgs.count, 3);
});

Deno.test("policies move only with the last message of a topic that the mover can see", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const { member } = chat;
  const channel = await makeChannel(chat, "Garden", { subscribers: ids(member) });
  const sent: number[] = [];
  for (let at = 0; at < 4; at++) sent.push(await sendAs(chat, chat.owner, channel, "a"));
  const [one = 0, two = 0, three = 0] = sent;
  await setPolicy(chat, member, [channel, "a", FOLLOWED]);
  await chat.events();
  await move(chat, two, { topic: "b", propagate_mode: "change_one" });
  await move(chat, three, { topic: "b", propagate_mode: "change_later" });
  assert.deepEqual(await policyEvents(chat), []);
  assert.deepEqual(await policiesOf(chat, member), [[channel, "a", FOLLOWED]]);
  await move(chat, one, { topic: "c", propagate_mode: "change_one" });
  assert.deepEqual(await policiesOf(chat, member), [[channel, "c", FOLLOWED]]);
  await move(chat, two, { topic: "c", propagate_mode: "change_later" });
  assert.deepEqual(await policiesOf(chat, member), [[channel, "c", FOLLOWED]]);
  const hidden = await makeChannel(chat, "Cellar", {
    invite_only: true,
    history_public_to_subscribers: false,
    subscribers: ids(member),
  });
  await sendAs(chat, member, hidden, "a");
  await setPolicy(chat, member, [hidden, "a", FOLLOWED]);
  const subscriptions = [{ name: "Cellar" }];
  await succeed(chat, member, "POST /users/me/subscriptions", { subscriptions, principals: [chat.owner.id] });
  const seen = await sendAs(chat, member, hidden, "a");
  await move(chat, seen, { topic: "b", propagate_mode: "change_one" });
  assert.deepEqual((await policiesOf(chat, member)).at(-1), [hidden, "b", FOLLOWED]);
});

Deno.test("of the policies for both topics of a merge the more visible one stays", async () => {
  for (const source of [0, MUTED, UNMUTED, FOLLOWED]) {
    await using chat = await startWithoutAutomaticPolicies();
    const { member } = chat;
    const channel = await makeChannel(chat, "Garden", { subscribers: ids(member) });
    for (const target of [0, MUTED, UNMUTED, FOLLOWED]) {
      const [from, to] = [`from ${target}`, `to ${target}`];
      const id = await sendAs(chat, chat.owner, channel, from);
      await sendAs(chat, chat.owner, channel, to);
      if (source > 0) await setPolicy(chat, member, [channel, from, source]);
      if (target > 0) await setPolicy(chat, member, [channel, to, target]);
      await move(chat, id, { topic: to });
      const order = [MUTED, 0, UNMUTED, FOLLOWED];
      const merged = order[Math.max(order.indexOf(source), order.indexOf(target))];
      const policies = await policiesOf(chat, member);
      const left = policies.filter(([, topic]) => topic === from || topic === to);
      assert.deepEqual(left, merged === 0 ? [] : [[channel, to, merged]], `${source} into ${target}`);
    }
  }
});

Deno.test("a policy for an empty destination stays where it is more visible", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const { member, admin } = chat;
  const channel = await makeChannel(chat, "Garden", { subscribers: ids(member, admin) });
  const id = await sendAs(chat, chat.owner, channel, "a");
  await setPolicy(chat, member, [channel, "a", MUTED]);
  await setPolicy(chat, member, [channel, "b", FOLLOWED]);
  await setPolicy(chat, admin, [channel, "a", FOLLOWED]);
  await setPolicy(chat, admin, [channel, "b", MUTED]);
  await move(chat, id, { topic: "b" });
  assert.deepEqual(await policiesOf(chat, member), [[channel, "b", FOLLOWED]]);
  assert.deepEqual(await policiesOf(chat, admin), [[channel, "b", FOLLOWED]]);
});

Deno.test("users without access to the other channel lose the policy and learn nothing of it", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const { member, admin, guest } = chat;
  const open = await makeChannel(chat, "Garden", { subscribers: ids(member, admin, guest) });
  const secret = await makeChannel(chat, "Cellar", { invite_only: true, subscribers: ids(admin) });
  const id = await sendAs(chat, chat.owner, open, "a");
  for (const user of [member, admin, guest]) {
    await setPolicy(chat, user, [open, "a", FOLLOWED]);
    await setPolicy(chat, user, [open, "other", MUTED]);
  }
  await succeed(chat, chat.admin, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "Cellar" }],
    principals: [chat.owner.id],
  });
  await chat.events();
  await move(chat, id, { stream_id: secret, topic: "b" });
  const everyone = [member.id, admin.id, guest.id].sort((one, other) => one - other);
  assert.deepEqual(await policyEvents(chat), [
    [open, "a", 0, everyone],
    [secret, "b", FOLLOWED, [admin.id]],
  ]);
  for (const user of [member, guest]) {
    assert.deepEqual(await policiesOf(chat, user), [[open, "other", MUTED]]);
  }
  assert.deepEqual(await policiesOf(chat, admin), [[open, "other", MUTED], [secret, "b", FOLLOWED]]);
});

Deno.test("a user who left a private channel does not learn the new name of a topic", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const { member } = chat;
  const secret = await makeChannel(chat, "Cellar", {
    invite_only: true,
    subscribers: ids(member, chat.owner),
  });
  const id = await sendAs(chat, chat.owner, secret, "a");
  await setPolicy(chat, member, [secret, "a", MUTED]);
  await succeed(chat, member, "DELETE /users/me/subscriptions", { subscriptions: ["Cellar"] });
  await chat.events();
  await move(chat, id, { topic: "b" });
  assert.deepEqual(await policyEvents(chat), []);
  assert.deepEqual(await policiesOf(chat, member), []);
});

/** Sets the same policy of users in the store. */
async function seedPolicies(
  chat: TestChat,
  userIds: readonly number[],
  { channelId, topic, policy }: { channelId: number; topic: string; policy: VisibilityPolicy },
): Promise<void> {
  for (const some of chunk(userIds, 30)) {
    await transact(chat.services.store, (tx) => {
      for (const userId of some) {
        putUserTopic(tx, chat.realm.id, { of: { userId, channelId, topic }, policy, now: chat.clock.time });
      }
      return Promise.resolve();
    });
  }
}

/** Lists the policies for a topic by its index, which must agree with the records of the users. */
async function policiesFor(chat: TestChat, channelId: number, topic: string): Promise<[number, number][]> {
  const { kv } = chat.services.store;
  const prefix = [...userTopicKeys.ofTopic(chat.realm.id, { channelId, topic })];
  const policies = await Array.fromAsync(
    kv.list<number>({ prefix }),
    ({ key, value }): [number, number] => [Number(key.at(-1)), value],
  );
  for (const [userId, policy] of policies) {
    const key = userTopicKeys.topic(chat.realm.id, { userId, channelId, topic });
    const record = await readRecord<UserTopicRecord>(kv, key);
    assert.deepEqual([record?.topic_name, record?.visibility_policy], [topic, policy]);
  }
  return policies;
}

Deno.test("the policies of more users than fit into one commit follow the topic", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const channelId = await makeChannel(chat, "Garden");
  const users = await seedUsers(chat, 230);
  for (const [from, to] of [["a", "✔ a"], ["🌷".repeat(60), "🌻".repeat(60)]] as const) {
    const id = await sendAs(chat, chat.owner, channelId, from);
    await sendAs(chat, chat.owner, channelId, from);
    await seedPolicies(chat, users, { channelId, topic: from, policy: FOLLOWED });
    await chat.events();
    await move(chat, id, { topic: to });
    assert.deepEqual(await policiesFor(chat, channelId, from), []);
    assert.deepEqual(await policiesFor(chat, channelId, to), users.map((userId) => [userId, FOLLOWED]));
    const events = (await chat.events()).filter(({ event }) => event.type === "user_topic");
    const audience = (policy: number) =>
      events.filter(({ event }) => event["visibility_policy"] === policy)
        .flatMap(({ audience: ids }) => Array.isArray(ids) ? ids : [])
        .sort();
    assert.deepEqual([audience(0), audience(FOLLOWED)], [users, users]);
  }
});

Deno.test("a move misses no policy that is set at the same time", async () => {
  await using chat = await startWithoutAutomaticPolicies();
  const channelId = await makeChannel(chat, "Garden");
  const users = await seedUsers(chat, 20);
  const id = await sendAs(chat, chat.owner, channelId, "a");
  await seedPolicies(chat, users, { channelId, topic: "a", policy: FOLLOWED });
  const others = asOtherProcess(chat);
  const { realm } = await callerOf(chat, chat.member);
  const mute = async (userId: number) => {
    const user = await readRecord<UserRecord>(chat.services.store.kv, userKeys.user(realm.id, userId));
    assert.ok(user);
    await setUserTopic(others, { realm, actingUser: user }, { channelId, topic: "a", policy: MUTED });
  };
  await Promise.all([
    ...users.slice(0, 10).map(mute),
    move(chat, id, { topic: "b" }),
    ...users.slice(10).map(mute),
  ]);
  const [old, moved] = [await policiesFor(chat, channelId, "a"), await policiesFor(chat, channelId, "b")];
  const later = new Map(old);
  assert.deepEqual(moved, users.map((userId) => [userId, later.has(userId) ? FOLLOWED : MUTED]));
});
