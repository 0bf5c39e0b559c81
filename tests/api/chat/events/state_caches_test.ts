// Answers that are put together from kept texts, on a store that another process changes.
import assert from "node:assert/strict";
import { Cache } from "@/lib/store/cache.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { basic, startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { shareStore } from "@/tests/helpers/copied_store.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Two servers on one store: the chat's own one answers, and the other one changes the store. */
interface TwoServers extends AsyncDisposable {
  readonly chat: TestChat;
  readonly other: TestApp;
}

const CAPABILITIES = { archived_channels: true, include_deactivated_groups: true, empty_topic_name: true };

/** Requests whose answers are put together from kept texts. */
const REQUESTS: readonly (readonly [string, TestParams])[] = [
  ["POST /register", { include_subscribers: true, client_capabilities: CAPABILITIES }],
  ["POST /register", { include_subscribers: "partial", client_gravatar: false }],
  ["GET /users", {}],
  ["GET /users", { include_custom_profile_fields: true, client_gravatar: false }],
  ["GET /streams", { include_all: true, include_default: true }],
  ["GET /users/me/subscriptions", { include_subscribers: true }],
  ["GET /user_groups", { include_deactivated_groups: true }],
  ["GET /realm/presence", {}],
];

async function startTwoServers(): Promise<TwoServers> {
  const chat = await startChat();
  const other = await startTestApp({ store: shareStore(chat.services.store) });
  return {
    chat,
    other,
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await chat[Symbol.asyncDispose]();
    },
  };
}

/** Sends a request and returns the text of the answer without the id of the queue. */
async function ask(
  app: TestApp,
  user: TestUser,
  [endpoint, params]: readonly [string, TestParams],
): Promise<string> {
  const [method = "", path = ""] = endpoint.split(" ");
  const form = new URLSearchParams(
    Object.entries(params).map((
      [name, value],
    ) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  const headers = { authorization: basic(user.email, user.apiKey) };
  const host = user.realm.subdomain === "" ? undefined : `${user.realm.subdomain}.localhost:8000`;
  const response = method === "GET"
    ? await app.request(`/api/v1${path}?${form}`, { headers }, host)
    : await app.request(`/api/v1${path}`, { method, headers, body: form }, host);
  return (await response.text()).replace(/"queue_id":"[^"]*","last_event_id":-?\d+,/, "");
}

/** Returns the answers to all requests by each kind of caller. */
async function askAll(app: TestApp, { owner, member, guest, outsider }: TestChat): Promise<string[]> {
  const answers: string[] = [];
  for (const user of [owner, member, guest, outsider]) {
    for (const request of REQUESTS) answers.push(await ask(app, user, request));
  }
  return answers;
}

/** Changes that one server makes, in order; each is visible in some answer of the other one. */
async function listChanges(
  { chat }: TwoServers,
): Promise<readonly (readonly [string, TestUser, string, TestParams?])[]> {
  const { owner, member, moderator, guest } = chat;
  const { id: channelId } = await succeed(chat, owner, "POST /channels/create", {
    name: "seeds",
    subscribers: [owner.id, member.id],
  });
  const { id: secondId } = await succeed(chat, owner, "POST /channels/create", {
    name: "tools",
    subscribers: [owner.id, member.id, moderator.id],
  });
  const { group_id: groupId } = await succeed(chat, owner, "POST /user_groups/create", {
    ...{ name: "crew", description: "", members: [member.id] },
  });
  const { id: fieldId } = await succeed(chat, owner, "POST /realm/profile_fields", {
    ...{ name: "Phone", field_type: 1 },
  });
  const { id: messageId } = await succeed(chat, owner, "POST /messages", {
    ...{ type: "stream", to: channelId, topic: "beans", content: "sow" },
  });
  return [
    ["a user is renamed", owner, `PATCH /users/${member.id}`, { full_name: "New $& Name" }],
    ["a user hides their address", member, "PATCH /settings", { email_address_visibility: 3 }],
    ["a role changes", owner, `PATCH /users/${moderator.id}`, { role: 400 }],
    ["a profile value is set", member, "PATCH /users/me/profile_data", {
      data: [{ id: fieldId, value: "$1" }],
    }],
    ["a profile field is deleted", owner, `DELETE /realm/profile_fields/${fieldId}`],
    ["a channel is renamed", owner, `PATCH /streams/${channelId}`, {
      new_name: "grains",
      description: "*all*",
    }],
    ["a channel becomes private", owner, `PATCH /streams/${secondId}`, { is_private: true }],
    ["a permission names users", owner, `PATCH /streams/${channelId}`, {
      can_send_message_group: {
        new: { direct_members: [owner.id, member.id, moderator.id], direct_subgroups: [] },
      },
    }],
    ["a named user is deactivated", owner, `DELETE /users/${moderator.id}`],
    ["a user is reactivated", owner, `POST /users/${moderator.id}/reactivate`],
    ["a guest is subscribed", owner, "POST /users/me/subscriptions", {
      ...{ subscriptions: [{ name: "grains" }], principals: [guest.id] },
    }],
    ["a user unsubscribes", member, "DELETE /users/me/subscriptions", { subscriptions: ["grains"] }],
    ["a user subscribes again", member, "POST /users/me/subscriptions", {
      subscriptions: [{ name: "grains" }],
    }],
    ["a group gains a member", owner, `POST /user_groups/${groupId}/members`, { add: [guest.id] }],
    ["a group is renamed", owner, `PATCH /user_groups/${groupId}`, { name: "team" }],
    ["a group is deactivated", owner, `POST /user_groups/${groupId}/deactivate`],
    ["a message is sent", owner, "POST /messages", {
      ...{ type: "stream", to: channelId, topic: "peas", content: "water" },
    }],
    ["a topic is renamed", owner, `PATCH /messages/${messageId}`, {
      topic: "kale",
      propagate_mode: "change_all",
    }],
    ["a message is moved to another channel", owner, `PATCH /messages/${messageId}`, {
      ...{ stream_id: secondId, propagate_mode: "change_one" },
    }],
    ["a message is deleted", owner, `DELETE /messages/${messageId}`],
    ["a topic is read", member, "POST /mark_topic_as_read", { stream_id: channelId, topic_name: "peas" }],
    ["a default channel is added", owner, "POST /default_streams", { stream_id: channelId }],
    ["a channel is archived", owner, `DELETE /streams/${channelId}`],
    ["a waiting period is set", owner, "PATCH /realm", { waiting_period_threshold: 3 }],
    ["a user reports presence", member, "POST /users/me/presence", { status: "active" }],
    ["a user with a smaller id does", owner, "POST /users/me/presence", { status: "active" }],
    ["another organization renames a user", chat.outsider, "PATCH /settings", { full_name: "Elsewhere" }],
  ];
}

Deno.test("kept texts never outlive a change that another server on the store makes", async (t) => {
  await using servers = await startTwoServers();
  const { chat, other } = servers;
  const changes = await listChanges(servers);
  let before = await askAll(chat, chat);
  for (const [title, user, endpoint, params = {}] of changes) {
    await t.step(title, async () => {
      const outcome = await ask(other, user, [endpoint, params]);
      assert.equal(JSON.parse(outcome).result, "success", outcome);
      // Events of another process are known a second later.
      chat.clock.time += 2000;
      other.clock.time += 2000;
      const answers = await askAll(chat, chat);
      Object.assign(other.services.chat, { cache: new Cache() });
      assert.deepEqual(strip(answers), strip(await askAll(other, chat)));
      assert.notDeepEqual(strip(answers), strip(before));
      before = answers;
    });
  }
});

/** Changes of a topic of which a reader has read every second message. */
function listTopicChanges(
  { owner, member }: TestChat,
  { topic, ids }: { topic: TestParams; ids: readonly number[] },
): readonly (readonly [string, TestUser, string, TestParams?])[] {
  const middle = `/messages/${ids[10]}`;
  const sent = { ...topic, content: "water" };
  return [
    ["a message is sent", owner, "POST /messages", sent],
    ["more messages are sent than the tail of a topic has", owner, "POST /messages", sent],
    ["an unread message is moved", owner, `PATCH ${middle}`, { topic: "kale", propagate_mode: "change_one" }],
    ["it is moved back", owner, `PATCH ${middle}`, { topic: "beans", propagate_mode: "change_one" }],
    ["it mentions its reader", owner, `PATCH ${middle}`, { content: `@**Member|${member.id}**` }],
    ["it is deleted", owner, `DELETE ${middle}`],
    ["a topic is muted", member, "POST /user_topics", {
      ...{ stream_id: topic["to"], topic: "beans", visibility_policy: 1 },
    }],
    ["a message is marked as unread", member, "POST /messages/flags", {
      ...{ messages: [ids[1]], op: "remove", flag: "read" },
    }],
    ["a topic is renamed", owner, `PATCH /messages/${ids[20]}`, {
      topic: "peas",
      propagate_mode: "change_all",
    }],
    ["a sender is muted", member, `POST /users/me/muted_users/${owner.id}`],
  ];
}

Deno.test("kept messages of a topic with many read ones follow the changes of another server", async (t) => {
  await using servers = await startTwoServers();
  const { chat, other } = servers;
  const { owner, member } = chat;
  const { id: to } = await succeed(chat, owner, "POST /channels/create", {
    ...{ name: "seeds", subscribers: [owner.id, member.id] },
  });
  const topic = { type: "stream", to, topic: "beans" };
  const ids: number[] = [];
  for (let nth = 0; nth < 40; nth++) {
    ids.push((await succeed(chat, owner, "POST /messages", { ...topic, content: `bean ${nth}` })).id);
  }
  const read = ids.filter((_, at) => at % 2 === 1);
  await succeed(chat, member, "POST /messages/flags", { messages: read, op: "add", flag: "read" });
  const request = ["POST /register", { event_types: ["message", "update_message_flags"] }] as const;
  let before = await ask(chat, member, request);
  const { streams } = JSON.parse(before).unread_msgs;
  assert.deepEqual(
    streams.find((one: { topic: string }) => one.topic === "beans").unread_message_ids,
    ids.filter((_, at) => at % 2 === 0),
  );
  for (const [title, user, endpoint, params = {}] of listTopicChanges(chat, { topic, ids })) {
    await t.step(title, async () => {
      for (let nth = 0; nth < (title.startsWith("more") ? 20 : 1); nth++) {
        const outcome = await ask(other, user, [endpoint, params]);
        assert.equal(JSON.parse(outcome).result, "success", outcome);
      }
      chat.clock.time += 2000;
      other.clock.time += 2000;
      const answer = await ask(chat, member, request);
      Object.assign(other.services.chat, { cache: new Cache() });
      assert.equal(answer, await ask(other, member, request));
      assert.notEqual(answer, before);
      before = answer;
    });
  }
});

/** Removes the time of the server from answers. */
function strip(answers: readonly string[]): string[] {
  return answers.map((answer) => answer.replace(/"server_timestamp":[\d.]+/, ""));
}

Deno.test("members become full members in kept groups when their waiting period ends", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.owner, "PATCH /realm", { waiting_period_threshold: 3 });
  const listFullMembers = async (): Promise<number[]> => {
    const { user_groups } = await succeed(chat, chat.owner, "GET /user_groups");
    return user_groups.find(({ name }: { name: string }) => name === "role:fullmembers").members;
  };
  assert.equal((await listFullMembers()).includes(chat.member.id), false);
  chat.clock.time += 3 * 86_400_000;
  assert.equal((await listFullMembers()).includes(chat.member.id), true);
  chat.clock.time -= 86_400_000;
  assert.equal((await listFullMembers()).includes(chat.member.id), false);
});

Deno.test("users who share kept texts see their own hidden address, and no one else's", async () => {
  await using chat = await startChat();
  const second = await chat.add("second");
  for (const user of [chat.member, second]) {
    await succeed(chat, user, "PATCH /settings", { email_address_visibility: 4 });
  }
  const listAddresses = async (caller: TestUser) => {
    const { members } = await succeed(chat, caller, "GET /users");
    const { realm_users } = await succeed(chat, caller, "POST /register");
    const toAddresses = (users: { user_id: number; delivery_email: string | null }[]) =>
      users.filter(({ user_id }) => [chat.member.id, second.id].includes(user_id))
        .map(({ delivery_email }) => delivery_email);
    assert.deepEqual(toAddresses(realm_users), toAddresses(members));
    return toAddresses(members);
  };
  assert.deepEqual(await listAddresses(chat.member), [chat.member.email, null]);
  assert.deepEqual(await listAddresses(second), [null, second.email]);
  assert.deepEqual(await listAddresses(chat.member), [chat.member.email, null]);
  assert.deepEqual(await listAddresses(chat.owner), [null, null]);
});
