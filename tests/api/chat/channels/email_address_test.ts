// GET /streams/{stream_id}/email_address
import assert from "node:assert/strict";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestUser } from "@/tests/helpers/chat.ts";

Deno.test("GET /streams/{stream_id}/email_address is refused, and hides channels like others do", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden", { invite_only: true });
  const ask = async (user: TestUser | null, id: number) => {
    const { status, body } = await chat.call(user, `GET /streams/${id}/email_address`, { sender_id: 1 });
    return [status, body.code, body.msg, body["ignored_parameters_unsupported"]];
  };
  const none = "Channels have no email addresses: this server does not receive email.";
  assert.deepEqual(await ask(chat.member, channel), [400, "BAD_REQUEST", none, undefined]);
  const invalid = [400, "BAD_REQUEST", "Invalid channel ID", undefined];
  for (const id of [channel, 999_999]) assert.deepEqual(await ask(chat.guest, id), invalid);
  assert.equal((await ask(null, channel))[0], 401);
});
