// PATCH /messages/{message_id}: resolving and unresolving a topic
import assert from "node:assert/strict";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("resolving shortens a name that gets too long with the prefix, by code points", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  for (const [length, resolved] of [[58, 58], [59, 57], [60, 57]] as const) {
    for (const letter of ["a", "🌷"]) {
      const topic = letter.repeat(length);
      const id = await send(chat, chat.member, { to: channel, topic, content: "a" });
      const resolve = { topic: `✔ ${topic}`, propagate_mode: "change_all" };
      await succeed(chat, chat.member, `PATCH /messages/${id}`, resolve);
      const { message } = await succeed(chat, chat.member, `GET /messages/${id}`);
      const name = letter.repeat(resolved) + (resolved === length ? "" : "…");
      assert.equal(message.subject, `✔ ${name}`);
      assert.equal("last_moved_timestamp" in message, false);
      const unresolve = { topic: name, propagate_mode: "change_all" };
      await succeed(chat, chat.member, `PATCH /messages/${id}`, unresolve);
      assert.equal((await succeed(chat, chat.member, `GET /messages/${id}`)).message.subject, name);
    }
  }
});

Deno.test("only resolving shortens a name", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, topic: "a".repeat(60), content: "a" });
  for (const topic of ["a".repeat(61), `✔ ${"b".repeat(60)}`, `✔ ✔ ${"a".repeat(60)}`]) {
    const { status, body } = await chat.call(chat.member, `PATCH /messages/${id}`, { topic });
    assert.deepEqual([status, body.msg], [400, "topic is too long (limit: 60 characters)"]);
  }
});
