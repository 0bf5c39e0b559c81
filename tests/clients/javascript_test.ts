import assert from "node:assert/strict";
import zulip from "zulip-js";
import { createGardeners } from "@/tests/helpers/command_line.ts";
import { TestServer } from "@/tests/helpers/server.ts";

Deno.test("a third-party client signs in, registers and reads, and its errors are reported", async () => {
  await using server = await TestServer.start();
  const { email, api_key } = await createGardeners(server.store, {
    email: "ada@example.com",
    name: "Ada",
    password: "a quiet wall",
  });
  const client = await zulip({ username: email, apiKey: api_key, realm: server.url });
  const profile = await client.users.me.getProfile();
  assert.deepEqual([profile.result, profile.full_name, profile.is_owner], ["success", "Ada", true]);
  const { members } = await client.users.retrieve();
  assert.deepEqual(members.map((member: { email: string }) => member.email), [email]);
  const registered = await client.queues.register({ event_types: ["message"] });
  assert.equal(registered.result, "success");
  assert.equal(typeof registered.queue_id, "string");

  const subscribed = await client.users.me.subscriptions.add({
    subscriptions: JSON.stringify([{ name: "roses" }]),
  });
  assert.equal(subscribed.result, "success", JSON.stringify(subscribed));
  const sent = await client.messages.send({
    type: "stream",
    to: "roses",
    topic: "pruning",
    content: "Hello, **garden**",
  });
  assert.equal(sent.result, "success", JSON.stringify(sent));
  const { messages } = await client.messages.retrieve({ anchor: "newest", num_before: 10, num_after: 0 });
  assert.equal(messages.at(-1).id, sent.id);
  assert.equal(messages.at(-1).content, "<p>Hello, <strong>garden</strong></p>");

  const { events } = await client.events.retrieve({
    queue_id: registered.queue_id,
    last_event_id: registered.last_event_id,
  });
  const received = events.find(({ message }: { message: { id: number } }) => message.id === sent.id);
  assert.deepEqual([received.type, received.message.content], ["message", "Hello, **garden**"]);
  const next = { queue_id: registered.queue_id, last_event_id: events.at(-1).id };
  const pending = client.events.retrieve(next);
  const later = await client.messages.send({ type: "direct", to: [profile.user_id], content: "Later" });
  const [event, ...others] = (await pending).events;
  assert.deepEqual([event.message.id, event.message.content, others], [later.id, "Later", []]);
  const ended = await client.queues.deregister({ queue_id: registered.queue_id });
  assert.equal(ended.result, "success", JSON.stringify(ended));
  assert.equal((await client.events.retrieve(next)).code, "BAD_EVENT_QUEUE_ID");

  const byPassword = await zulip({ username: email, password: "a quiet wall", realm: server.url });
  assert.equal((await byPassword.users.me.getProfile()).user_id, profile.user_id);

  const wrong = await zulip({ username: email, apiKey: "x".repeat(32), realm: server.url });
  const refused = await wrong.users.me.getProfile();
  assert.deepEqual([refused.result, refused.code], ["error", "INVALID_API_KEY"]);
});
