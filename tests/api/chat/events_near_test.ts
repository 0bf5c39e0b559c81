// GET /events for those whom most of what happens is not for
import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { contentsIn, listen, untilWaiting } from "./events_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

Deno.test("who is in none of the channels hears nothing of them, goes on after them, and hears what is for him", async () => {
  await using chat = await startChat();
  const loner = await chat.add("loner");
  const client = await listen(chat, loner, { event_types: ["message"] });
  const { last } = client;
  for (let number = 0; number < 25; number++) {
    const to = await makeChannel(chat, `channel ${number}`);
    await send(chat, chat.owner, { to, content: `${number}` });
    if (number % 12 === 0) assert.deepEqual(await client.hear(), []);
  }
  assert.deepEqual([await client.hear(), client.last], [[], last]);
  const hearing = client.wait();
  await untilWaiting(chat);
  await send(chat, chat.owner, { to: await makeChannel(chat, "another"), content: "no" });
  await sendDirect(chat, chat.owner, [loner], "for you");
  assert.deepEqual(contentsIn(await hearing), ["for you"]);
});

Deno.test("who subscribes while he waits hears the next message, who leaves hears what was sent before", async () => {
  await using chat = await startChat();
  const loner = await chat.add("loner");
  const to = await makeChannel(chat, "roses");
  const client = await listen(chat, loner, { event_types: ["message"] });
  await send(chat, chat.owner, { to, content: "before" });
  const subscriptions = JSON.stringify([{ name: "roses" }]);
  assert.equal((await chat.call(loner, "POST /users/me/subscriptions", { subscriptions })).status, 200);
  await send(chat, chat.owner, { to, content: "within" });
  assert.equal(
    (await chat.call(loner, "DELETE /users/me/subscriptions", { subscriptions: '["roses"]' })).status,
    200,
  );
  await send(chat, chat.owner, { to, content: "after" });
  assert.deepEqual(contentsIn(await client.hear()), ["within"]);
});
