// GET /events: the flags of messages that their receiver gave some, or none, before the delivery.
import assert from "node:assert/strict";
import { registerClient, type TestClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

Deno.test("a new message is read for its sender and for those who muted them, and unread for others", async () => {
  await using chat = await startChat();
  const { owner, member, moderator } = chat;
  const to = await makeChannel(chat, "roses");
  assert.equal((await chat.call(moderator, `POST /users/me/muted_users/${owner.id}`)).status, 200);
  const clients = await registerAll(chat, [owner, member, moderator]);
  const requested = recordReads(chat);
  await send(chat, owner, { to, content: "one" });
  assert.deepEqual(await Promise.all(clients.map(receiveFlags)), [[["read"]], [[]], [["read"]]]);
  const kinds = new Set(requested.map(([, kind]) => kind));
  const unneeded = ["unread", "read", "read_channel", "read_all", "starred", "collapsed"];
  assert.deepEqual(unneeded.filter((kind) => kinds.has(kind)), []);
  assert.ok(kinds.has("alert_words"));
});

Deno.test("a message is delivered with the flags that its receiver gave it meanwhile", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const { to, client } = await makeReader(chat);
  const ids: number[] = [];
  for (const content of ["one", "two", "three"]) ids.push(await send(chat, owner, { to, content }));
  const [first, second] = ids;
  const change = (messages: unknown, flag: string) =>
    chat.call(member, "POST /messages/flags", { messages: [messages], op: "add", flag });
  await change(first, "starred");
  await change(second, "read");
  assert.deepEqual(await receiveFlags(client), [["starred"], ["read"], []]);
});

Deno.test("a message is delivered as read after its receiver marked its topic, its channel or everything", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const { to, client } = await makeReader(chat);
  const calls = [
    ["POST /mark_topic_as_read", { stream_id: to, topic_name: "t" }],
    ["POST /mark_stream_as_read", { stream_id: to }],
    ["POST /mark_all_as_read", {}],
  ] as const;
  for (const [call, params] of calls) {
    await send(chat, owner, { to, topic: "t", content: call });
    assert.equal((await chat.call(member, call, params)).status, 200, call);
    await send(chat, owner, { to, topic: "t", content: "later" });
    assert.deepEqual(await receiveFlags(client), [["read"], []], call);
  }
});

Deno.test("a message that was read and moved before its delivery is delivered as read", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const { to, client } = await makeReader(chat);
  const id = await send(chat, owner, { to, topic: "t", content: "one" });
  await chat.call(owner, `PATCH /messages/${id}`, { topic: "u", send_notification_to_new_thread: false });
  await chat.call(member, "POST /mark_topic_as_read", { stream_id: to, topic_name: "u" });
  assert.deepEqual(await receiveFlags(client), [["read"]]);
});

/** Creates a channel, and a client of the member that receives its messages. */
async function makeReader(chat: TestChat): Promise<{ to: number; client: TestClient }> {
  const to = await makeChannel(chat, "roses");
  return { to, client: await registerClient(chat, chat.member, { event_types: ["message"] }) };
}

function registerAll(chat: TestChat, users: readonly TestUser[]): Promise<TestClient[]> {
  return Promise.all(users.map((user) => registerClient(chat, user, { event_types: ["message"] })));
}

async function receiveFlags(client: TestClient): Promise<unknown[]> {
  return (await client.receive()).map(({ flags }) => flags);
}

/** Returns a list of the keys that are read in batches from now on. */
function recordReads({ services: { store: { kv } } }: TestChat): Deno.KvKey[] {
  const requested: Deno.KvKey[] = [];
  const getMany = kv.getMany.bind(kv);
  Object.assign(kv, {
    getMany<T extends readonly unknown[]>(keys: readonly [...{ [K in keyof T]: Deno.KvKey }]) {
      requested.push(...keys);
      return getMany<T>(keys);
    },
  });
  return requested;
}
