// GET /events: messages that mention a bot
import assert from "node:assert/strict";
import { contentsIn, registerClient, untilWaiting } from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("a bot that is mentioned in a public channel receives the message without being subscribed", async () => {
  await using chat = await startChat();
  const { bot, owner, member } = chat;
  const to = await makeChannel(chat, "Garden");
  const client = await registerClient(chat, bot, { event_types: ["message"] });
  const others = [chat.admin, chat.guest];
  const clients = await Promise.all(others.map((user) => registerClient(chat, user)));
  const pending = client.wait();
  await untilWaiting(chat);
  await send(chat, owner, { to, content: "not for bots" });
  const id = await send(chat, owner, { to, content: "@**Bot** @**Admin** water!" });
  const [event, ...more] = await pending;
  assert.deepEqual([event?.["message"].id, event?.["flags"], more], [id, ["mentioned"], []]);
  assert.equal("mentioned_bot_ids" in (event ?? {}), false);
  for (const other of clients) assert.deepEqual(contentsIn(await other.receive()), []);

  // Silent mentions, mentions of all and of groups, edits and other channels bring nothing.
  const plain = await send(chat, owner, { to, content: "plain" });
  await send(chat, owner, { to, content: "@_**Bot** @**all** @**topic**" });
  await succeed(chat, owner, `PATCH /messages/${plain}`, { content: "@**Bot** edited" });
  const closed = await makeChannel(chat, "Shed", { invite_only: true });
  await send(chat, owner, { to: closed, content: "@**Bot** in private" });
  assert.deepEqual(await client.receive(), []);

  // A subscribed bot receives it once.
  await succeed(chat, member, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "Garden" }],
    principals: [bot.id],
  });
  const again = await send(chat, owner, { to, content: "@**Bot** again" });
  const received = await client.receive();
  assert.deepEqual(received.map(({ message, flags }) => [message.id, flags]), [[again, ["mentioned"]]]);
});

Deno.test("a mentioned bot receives nothing of a channel that is private by then, nor as a guest", async () => {
  await using chat = await startChat();
  const { owner, bot } = chat;
  const to = await makeChannel(chat, "Garden");
  const guestBot = await chat.add("lodger", 600, 1);
  const [client, guest] = [await registerClient(chat, bot), await registerClient(chat, guestBot)];
  await send(chat, owner, { to, content: "@**Bot** @**Lodger** hello" });
  assert.deepEqual(contentsIn(await guest.receive()), []);
  await succeed(chat, owner, `PATCH /streams/${to}`, { is_private: true });
  assert.deepEqual(contentsIn(await client.receive()), []);
});
