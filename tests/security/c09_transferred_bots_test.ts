import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

async function roleOf(chat: TestChat, { id }: TestUser): Promise<number> {
  return (await chat.call(chat.owner, `GET /users/${id}`)).body["user"].role;
}

Deno.test("C9: a bot that is transferred has its new owner's role at most", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot } = chat;
  const change = async (params: Record<string, number>) => {
    const { status, body } = await chat.call(owner, `PATCH /bots/${bot.id}`, params);
    assert.equal(status, 200, JSON.stringify(body));
  };
  await change({ bot_owner_id: owner.id });
  await change({ role: 100 });
  const roles: number[] = [];
  for (const person of [admin, moderator, member, guest]) {
    await change({ bot_owner_id: person.id });
    roles.push(await roleOf(chat, bot));
  }
  assert.deepEqual(roles, [200, 300, 400, 600]);
  await change({ bot_owner_id: owner.id });
  assert.equal(await roleOf(chat, bot), 600);
  const listed = (await chat.call(bot, "GET /users/me")).body;
  assert.deepEqual([listed["is_owner"], listed["is_admin"], listed["is_guest"]], [false, false, true]);
});

Deno.test("C9: a transfer together with a role gives the new owner's role at most", async () => {
  await using chat = await startChat();
  const { owner, admin, member, bot } = chat;
  await chat.call(owner, `PATCH /bots/${bot.id}`, { bot_owner_id: admin.id });
  const params = { role: 200, bot_owner_id: member.id };
  assert.equal((await chat.call(owner, `PATCH /bots/${bot.id}`, params)).status, 200);
  assert.equal(await roleOf(chat, bot), 400);
});
