import assert from "node:assert/strict";
import { limitGuests } from "@/tests/casts/user_status_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

// GET /users/{user}/presence
const report = (chat: TestChat, user: TestUser, status = "active") =>
  chat.call(user, "POST /users/me/presence", { status, ping_only: true });
const get = (chat: TestChat, user: TestUser | null, name: string | number) =>
  chat.call(user, `GET /users/${name}/presence`);

Deno.test("GET /users/{user}/presence returns a user's presence by id and email address, offline included", async () => {
  await using chat = await startChat();
  const timestamp = chat.clock.time / 1000;
  await report(chat, chat.member);
  const presence = (aggregated: string) => ({
    result: "success",
    msg: "",
    presence: { aggregated: { status: aggregated, timestamp }, website: { status: "active", timestamp } },
  });
  for (const name of [chat.member.id, chat.member.email, encodeURIComponent(chat.member.email)]) {
    for (const user of [chat.owner, chat.guest, chat.bot, chat.member]) {
      assert.deepEqual((await get(chat, user, name)).body, presence("active"));
    }
  }
  chat.clock.time += 200_000;
  assert.deepEqual((await get(chat, chat.guest, chat.member.id)).body, presence("active"));
  chat.clock.time += 1;
  assert.deepEqual((await get(chat, chat.guest, chat.member.id)).body, presence("offline"));
});

Deno.test("GET /users/{user}/presence refuses unknown users, bots, and users without presence", async () => {
  await using chat = await startChat();
  const { member, admin, bot, outsider, owner } = chat;
  await report(chat, outsider);
  await report(chat, admin);
  assert.equal((await chat.call(owner, `DELETE /users/${admin.id}`)).status, 200);
  const refusals: [string | number, string][] = [
    [99999999, "No such user"],
    ["9".repeat(40), "No such user"],
    ["nobody@example.com", "No such user"],
    ["x".repeat(2000), "No such user"],
    [outsider.id, "No such user"],
    [outsider.email, "No such user"],
    [admin.id, "No such user"],
    [bot.id, "Presence is not supported for bot users."],
    [bot.email, "Presence is not supported for bot users."],
    [member.id, `No presence data for ${member.id}`],
    [member.email, `No presence data for ${member.email}`],
    [encodeURIComponent(member.email), `No presence data for ${member.email}`],
  ];
  for (const [name, msg] of refusals) {
    const { status, body } = await get(chat, owner, name);
    assert.deepEqual([status, body["code"], body["msg"]], [400, "BAD_REQUEST", msg]);
  }
  assert.equal((await get(chat, null, member.id)).status, 401);
  assert.equal((await get(chat, member, "me")).status, 405);
});

Deno.test("GET /users/{user}/presence finds no hidden addresses, and no presence while it is disabled", async () => {
  await using chat = await startChat();
  await report(chat, chat.member);
  await chat.call(chat.member, "PATCH /settings", { email_address_visibility: 4 });
  assert.equal((await get(chat, chat.guest, chat.member.email)).body["msg"], "No such user");
  assert.equal((await get(chat, chat.guest, `user${chat.member.id}@localhost`)).status, 200);
  await chat.call(chat.owner, "PATCH /realm", { presence_disabled: true });
  const { body } = await get(chat, chat.guest, chat.member.id);
  assert.equal(body["msg"], `No presence data for ${chat.member.id}`);
});

Deno.test("GET /users/{user}/presence refuses inaccessible users like unknown ones, whatever lists show", async () => {
  for (const isLimited of ["false", "true"]) {
    await using chat = await startChat({ env: { CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: isLimited } });
    await limitGuests(chat);
    for (const user of [chat.member, chat.guest]) await report(chat, user);
    const of = async (user: TestUser, name: string | number) => (await get(chat, user, name)).body["msg"];
    for (const name of [chat.member.id, chat.member.email, `user${chat.member.id}@localhost`]) {
      assert.equal(await of(chat.guest, name), "No such user");
    }
    assert.equal(await of(chat.guest, chat.guest.id), "");
    assert.equal(await of(chat.member, chat.guest.id), "");
  }
});
