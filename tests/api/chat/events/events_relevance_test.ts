// GET /events for users whom most events do not concern
import assert from "node:assert/strict";
import { contentsIn, registerClient, untilWaiting } from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("a user without subscriptions receives only their direct messages, and polls on after other events", async () => {
  await using chat = await startChat();
  const reader = await chat.add("loner");
  const client = await registerClient(chat, reader, { event_types: ["message"] });
  const { last } = client;
  for (let number = 0; number < 25; number++) {
    const to = await makeChannel(chat, `channel ${number}`);
    await send(chat, chat.owner, { to, content: `${number}` });
    if (number % 12 === 0) assert.deepEqual(await client.receive(), []);
  }
  assert.deepEqual([await client.receive(), client.last], [[], last]);
  const pending = client.wait();
  await untilWaiting(chat);
  await send(chat, chat.owner, { to: await makeChannel(chat, "another"), content: "no" });
  await sendDirect(chat, chat.owner, [reader], "for you");
  assert.deepEqual(contentsIn(await pending), ["for you"]);
});

Deno.test("a user receives the messages sent between subscribing and unsubscribing", async () => {
  await using chat = await startChat();
  const reader = await chat.add("loner");
  const to = await makeChannel(chat, "roses");
  const client = await registerClient(chat, reader, { event_types: ["message"] });
  await send(chat, chat.owner, { to, content: "before" });
  const subscriptions = JSON.stringify([{ name: "roses" }]);
  assert.equal((await chat.call(reader, "POST /users/me/subscriptions", { subscriptions })).status, 200);
  await send(chat, chat.owner, { to, content: "within" });
  assert.equal(
    (await chat.call(reader, "DELETE /users/me/subscriptions", { subscriptions: '["roses"]' })).status,
    200,
  );
  await send(chat, chat.owner, { to, content: "after" });
  assert.deepEqual(contentsIn(await client.receive()), ["within"]);
});
