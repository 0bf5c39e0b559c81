// GET /users/{user}/channels
import assert from "node:assert/strict";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("GET /users/{user}/channels lists the channels of a user that the caller can see", async () => {
  await using chat = await startChat();
  const { owner, admin, member, moderator, guest, outsider } = chat;
  const open = await makeChannel(chat, "Garden");
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [owner.id, member.id] });
  const old = await makeChannel(chat, "Old");
  await succeed(chat, owner, `DELETE /streams/${old}`);
  const channelsOf = async (caller: TestUser, user: number | string) =>
    (await succeed(chat, caller, `GET /users/${user}/channels`)).subscribed_channel_ids;
  assert.deepEqual(await channelsOf(member, member.id), [open, secret]);
  assert.deepEqual(await channelsOf(owner, member.email), [open, secret]);
  assert.deepEqual(await channelsOf(moderator, member.id), [open]);
  // Administrators know of every channel.
  assert.deepEqual(await channelsOf(admin, member.id), [open, secret]);
  assert.deepEqual(await channelsOf(guest, member.id), []);
  assert.deepEqual(await channelsOf(member, guest.id), []);
  const ask = async (caller: TestUser | null, user: number | string) => {
    const { status, body } = await chat.call(caller, `GET /users/${user}/channels`);
    return [status, body.code, body.msg];
  };
  const unknown = [400, "BAD_REQUEST", "No such user"];
  for (const user of [999_999, "nobody@example.com"]) assert.deepEqual(await ask(member, user), unknown);
  assert.deepEqual(await ask(outsider, member.id), unknown);
  assert.equal((await ask(null, member.id))[0], 401);
  const members = chat.realm.first_system_group_id + 5;
  await succeed(chat, owner, "PATCH /realm", { can_access_all_users_group: { new: members } });
  assert.deepEqual(await ask(guest, member.id), unknown);
});
