// GET /bots/{bot_id}/api_key
import assert from "node:assert/strict";
import { startChat, type TestUser } from "@/tests/helpers/chat.ts";

Deno.test("GET /bots/{bot_id}/api_key returns the key of a bot to its owner alone", async () => {
  await using chat = await startChat();
  const { owner, admin, member, moderator, guest, bot } = chat;
  const ask = async (caller: TestUser | null, id: number) => {
    const { status, body } = await chat.call(caller, `GET /bots/${id}/api_key`);
    return [status, body.msg, body.api_key];
  };
  assert.deepEqual(await ask(member, bot.id), [200, "", bot.apiKey]);
  for (const other of [owner, admin, moderator]) {
    assert.deepEqual(await ask(other, bot.id), [400, "Insufficient permission", undefined]);
  }
  assert.deepEqual(await ask(guest, bot.id), [400, "Not allowed for guest users", undefined]);
  assert.equal((await ask(bot, bot.id))[1], "This endpoint does not accept bot requests.");
  for (const unknown of [999_999, member.id]) {
    assert.deepEqual(await ask(member, unknown), [400, "No such bot", undefined]);
  }
  assert.deepEqual(await ask(chat.outsider, bot.id), [400, "No such bot", undefined]);
  assert.equal((await ask(null, bot.id))[0], 401);
  const { body } = await chat.call(member, `POST /bots/${bot.id}/api_key/regenerate`);
  assert.deepEqual(await ask(member, bot.id), [200, "", body.api_key]);
  assert.equal((await chat.call(member, `DELETE /bots/${bot.id}`)).status, 200);
  assert.deepEqual(await ask(member, bot.id), [400, "User is deactivated", undefined]);
});
