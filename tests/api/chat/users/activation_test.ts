import assert from "node:assert/strict";
import { readRecord } from "@/lib/store/key.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

async function isActive(chat: TestChat, id: number): Promise<boolean> {
  return (await chat.call(chat.admin, `GET /users/${id}`)).body.user.is_active;
}

async function request(chat: TestChat, caller: TestUser | null, endpoint: string) {
  const { status, body } = await chat.call(caller, endpoint);
  return [status, body.code, body.msg];
}

const DEACTIVATED = [401, "USER_DEACTIVATED", "Account is deactivated"];
const INSUFFICIENT = [400, "BAD_REQUEST", "Insufficient permission"];
const OWNER_REQUIRED = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"];

Deno.test("DELETE /users/{user} deactivates a user with their bots, keys and sessions and sends events", async () => {
  await using chat = await startChat();
  const { admin, member, bot } = chat;
  const key = userKeys.user(chat.realm.id, member.id);
  const before = await readRecord<UserRecord>(chat.services.store.kv, key);
  const { status, body } = await chat.call(admin, `DELETE /users/${member.id}`, { reason: "" });
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    ignored_parameters_unsupported: ["reason"],
  }]);
  assert.deepEqual(await request(chat, member, "GET /users/me"), DEACTIVATED);
  assert.deepEqual(await request(chat, bot, "GET /users/me"), DEACTIVATED);
  const after = await readRecord<UserRecord>(chat.services.store.kv, key);
  assert.equal(after?.session_epoch, (before?.session_epoch ?? 0) + 1);
  const sent = (await chat.events()).map(({ event, audience }) => [
    event.type,
    event.op,
    event.person ?? event.bot,
    audience,
  ]);
  assert.deepEqual(sent, [
    ["realm_user", "update", { user_id: member.id, is_active: false }, "everyone"],
    ["invites_changed", undefined, undefined, "admins"],
    ["realm_user", "update", { user_id: bot.id, is_active: false }, "everyone"],
    ["realm_bot", "update", { user_id: bot.id, is_active: false }, "admins"],
    ["realm_bot", "update", { user_id: bot.id, is_active: false }, [member.id]],
    ["user_group", "remove_members", undefined, "everyone"],
    ["user_group", "remove_members", undefined, "everyone"],
    ["queue_end", undefined, undefined, [member.id, bot.id]],
  ]);
});

Deno.test("DELETE /users/{user} refuses callers without permission, bots, unknown and inactive users", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  assert.equal((await request(chat, null, `DELETE /users/${member.id}`))[0], 401);
  for (const caller of [moderator, guest, bot]) {
    assert.deepEqual(await request(chat, caller, `DELETE /users/${member.id}`), INSUFFICIENT);
  }
  assert.deepEqual(await request(chat, member, `DELETE /users/${member.id}`), INSUFFICIENT);
  assert.deepEqual(await request(chat, admin, `DELETE /users/${owner.id}`), OWNER_REQUIRED);
  for (const id of [outsider.id, bot.id, 99999999]) {
    assert.deepEqual(await request(chat, owner, `DELETE /users/${id}`), [400, "BAD_REQUEST", "No such user"]);
  }
  assert.deepEqual(await request(chat, owner, `DELETE /users/${owner.id}`), [
    400,
    "BAD_REQUEST",
    "Cannot deactivate the only organization owner",
  ]);
  assert.deepEqual(await chat.events(), []);
  await chat.call(owner, `DELETE /users/${guest.email}`);
  assert.equal(await isActive(chat, guest.id), false);
  assert.deepEqual(await request(chat, owner, `DELETE /users/${guest.id}`), [
    400,
    "BAD_REQUEST",
    "User is deactivated",
  ]);
});

Deno.test("DELETE /users/me deactivates the caller but refuses the only owner and bots", async () => {
  await using chat = await startChat();
  assert.equal((await request(chat, null, "DELETE /users/me"))[0], 401);
  const only = await chat.call(chat.owner, "DELETE /users/me");
  assert.deepEqual([only.status, only.body], [400, {
    result: "error",
    msg: "Cannot deactivate the only organization owner.",
    code: "CANNOT_DEACTIVATE_LAST_USER",
    is_last_owner: true,
    entity: "organization owner",
  }]);
  assert.deepEqual(await request(chat, chat.bot, "DELETE /users/me"), [
    400,
    "BAD_REQUEST",
    "This endpoint does not accept bot requests.",
  ]);
  for (const caller of [chat.guest, chat.member, chat.moderator]) {
    assert.deepEqual((await chat.call(caller, "DELETE /users/me")).body, { result: "success", msg: "" });
    assert.deepEqual(await request(chat, caller, "GET /users/me"), DEACTIVATED);
  }
  const second = await chat.add("second", 100);
  assert.equal((await chat.call(chat.owner, "DELETE /users/me")).status, 200);
  assert.equal((await chat.call(second, "DELETE /users/me")).status, 400);
});

Deno.test("DELETE /users/me keeps one of two owners who leave concurrently", async () => {
  for (let round = 0; round < 5; round++) {
    await using chat = await startChat();
    const second = await chat.add("second", 100);
    const answers = await Promise.all(
      [chat.owner, second].map((owner) => chat.call(owner, "DELETE /users/me")),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  }
});

Deno.test("POST /bots changes nothing after a concurrent deactivation of its caller", async () => {
  await using chat = await startChat();
  const creations = Array.from(
    { length: 20 },
    (_, index) =>
      chat.call(chat.admin, "POST /bots", { full_name: `Bot ${index}`, short_name: `bot${index}` }),
  );
  const [deactivated, ...answers] = await Promise.all([
    chat.call(chat.owner, `DELETE /users/${chat.admin.id}`),
    ...creations,
  ]);
  assert.equal(deactivated?.status, 200);
  for (const { status, body } of answers) {
    assert.ok(status === 200 || body.code === "USER_DEACTIVATED", JSON.stringify(body));
  }
  const { members } = (await chat.call(chat.owner, "GET /users")).body;
  for (const { bot_owner_id, is_active } of members) {
    if (bot_owner_id === chat.admin.id) assert.equal(is_active, false);
  }
});

Deno.test("POST /users/{user}/reactivate reactivates a user but not their bots", async () => {
  await using chat = await startChat();
  const { admin, member, bot } = chat;
  await chat.call(admin, `DELETE /users/${member.id}`);
  await chat.events();
  const { status, body } = await chat.call(admin, `POST /users/${member.id}/reactivate`, { zebra: 1 });
  assert.deepEqual([status, body.ignored_parameters_unsupported], [200, ["zebra"]]);
  const sent = (await chat.events()).map(({ event, audience }) => [event.type, event.person, audience]);
  assert.deepEqual(sent, [
    ["realm_user", { user_id: member.id, is_active: true }, "everyone"],
    ["user_group", undefined, "everyone"],
    ["user_group", undefined, "everyone"],
  ]);
  assert.equal((await request(chat, member, "GET /users/me"))[0], 200);
  assert.deepEqual(await request(chat, bot, "GET /users/me"), DEACTIVATED);
  assert.equal((await request(chat, member, `POST /users/${bot.id}/reactivate`))[0], 200);
  assert.equal((await request(chat, bot, "GET /users/me"))[0], 200);
  await chat.events();
  assert.equal((await request(chat, admin, `POST /users/${member.id}/reactivate`))[0], 200);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /users/{user}/reactivate refuses callers without permission", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const second = await chat.add("second", 100);
  await chat.call(owner, `DELETE /users/${member.id}`);
  await chat.call(owner, `DELETE /users/${second.id}`);
  assert.equal((await request(chat, null, `POST /users/${member.id}/reactivate`))[0], 401);
  for (const caller of [moderator, guest]) {
    assert.deepEqual(await request(chat, caller, `POST /users/${member.id}/reactivate`), INSUFFICIENT);
  }
  assert.deepEqual(await request(chat, bot, `POST /users/${member.id}/reactivate`), DEACTIVATED);
  assert.deepEqual(await request(chat, admin, `POST /users/${second.id}/reactivate`), OWNER_REQUIRED);
  assert.equal((await request(chat, owner, `POST /users/${second.id}/reactivate`))[0], 200);
  for (const id of [outsider.id, 99999999]) {
    assert.deepEqual((await request(chat, owner, `POST /users/${id}/reactivate`))[2], "No such user");
  }
  for (const path of ["POST /users/me/reactivate", "POST /users/a@b/reactivate"]) {
    assert.equal((await request(chat, owner, path))[0], 404);
  }
});

Deno.test("POST /users/{user}/reactivate assigns a bot of a deactivated owner to the caller", async () => {
  await using chat = await startChat();
  await chat.call(chat.admin, `DELETE /users/${chat.member.id}`);
  await chat.call(chat.admin, `POST /users/${chat.bot.id}/reactivate`);
  const { bots } = (await chat.call(chat.admin, "GET /bots")).body;
  assert.deepEqual(bots.map(({ user_id }: { user_id: number }) => user_id), [chat.bot.id]);
});
