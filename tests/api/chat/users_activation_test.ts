import assert from "node:assert/strict";
import { readRecord } from "@/lib/kv/key.ts";
import { userKeys, type UserRecord } from "@/lib/chat/users/user.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";

async function isActive(chat: TestChat, id: number): Promise<boolean> {
  return (await chat.call(chat.admin, `GET /users/${id}`)).body.user.is_active;
}

async function ask(chat: TestChat, caller: Person | null, endpoint: string) {
  const { status, body } = await chat.call(caller, endpoint);
  return [status, body.code, body.msg];
}

const DEACTIVATED = [401, "USER_DEACTIVATED", "Account is deactivated"];
const INSUFFICIENT = [400, "BAD_REQUEST", "Insufficient permission"];
const OWNER_NEEDED = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"];

Deno.test("DELETE /users/{user} ends an account with its bots, keys and sessions, and tells of each", async () => {
  await using chat = await startChat();
  const { admin, member, bot } = chat;
  const key = userKeys.user(chat.realm.id, member.id);
  const before = await readRecord<UserRecord>(chat.services.store.kv, key);
  const { status, body } = await chat.call(admin, `DELETE /users/${member.id}`, { actions: {} });
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    ignored_parameters_unsupported: ["actions"],
  }]);
  assert.deepEqual(await ask(chat, member, "GET /users/me"), DEACTIVATED);
  assert.deepEqual(await ask(chat, bot, "GET /users/me"), DEACTIVATED);
  const after = await readRecord<UserRecord>(chat.services.store.kv, key);
  assert.equal(after?.session_epoch, (before?.session_epoch ?? 0) + 1);
  const told = (await chat.events()).map(({ event, audience }) => [
    event.type,
    event.op,
    event.person ?? event.bot,
    audience,
  ]);
  assert.deepEqual(told, [
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

Deno.test("DELETE /users/{user} refuses those who may not, bots, and accounts that are not there or not active", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  assert.equal((await ask(chat, null, `DELETE /users/${member.id}`))[0], 401);
  for (const caller of [moderator, guest, bot]) {
    assert.deepEqual(await ask(chat, caller, `DELETE /users/${member.id}`), INSUFFICIENT);
  }
  assert.deepEqual(await ask(chat, member, `DELETE /users/${member.id}`), INSUFFICIENT);
  assert.deepEqual(await ask(chat, admin, `DELETE /users/${owner.id}`), OWNER_NEEDED);
  for (const id of [outsider.id, bot.id, 99999999]) {
    assert.deepEqual(await ask(chat, owner, `DELETE /users/${id}`), [400, "BAD_REQUEST", "No such user"]);
  }
  assert.deepEqual(await ask(chat, owner, `DELETE /users/${owner.id}`), [
    400,
    "BAD_REQUEST",
    "Cannot deactivate the only organization owner",
  ]);
  assert.deepEqual(await chat.events(), []);
  await chat.call(owner, `DELETE /users/${guest.email}`);
  assert.equal(await isActive(chat, guest.id), false);
  assert.deepEqual(await ask(chat, owner, `DELETE /users/${guest.id}`), [
    400,
    "BAD_REQUEST",
    "User is deactivated",
  ]);
});

Deno.test("DELETE /users/me ends one's own account; the only owner and bots are refused", async () => {
  await using chat = await startChat();
  assert.equal((await ask(chat, null, "DELETE /users/me"))[0], 401);
  const only = await chat.call(chat.owner, "DELETE /users/me");
  assert.deepEqual([only.status, only.body], [400, {
    result: "error",
    msg: "Cannot deactivate the only organization owner.",
    code: "BAD_REQUEST",
    is_last_owner: true,
    entity: "organization owner",
  }]);
  assert.deepEqual(await ask(chat, chat.bot, "DELETE /users/me"), [
    400,
    "BAD_REQUEST",
    "This endpoint does not accept bot requests.",
  ]);
  for (const caller of [chat.guest, chat.member, chat.moderator]) {
    assert.deepEqual((await chat.call(caller, "DELETE /users/me")).body, { result: "success", msg: "" });
    assert.deepEqual(await ask(chat, caller, "GET /users/me"), DEACTIVATED);
  }
  const second = await chat.add("second", 100);
  assert.equal((await chat.call(chat.owner, "DELETE /users/me")).status, 200);
  assert.equal((await chat.call(second, "DELETE /users/me")).status, 400);
});

Deno.test("of two owners who leave at the same moment one stays", async () => {
  for (let round = 0; round < 5; round++) {
    await using chat = await startChat();
    const second = await chat.add("second", 100);
    const answers = await Promise.all([chat.owner, second].map((who) => chat.call(who, "DELETE /users/me")));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  }
});

Deno.test("a request that races with the deactivation of its sender changes nothing after it", async () => {
  await using chat = await startChat();
  const creations = Array.from(
    { length: 20 },
    (_, at) => chat.call(chat.admin, "POST /bots", { full_name: `Bot ${at}`, short_name: `bot${at}` }),
  );
  const [ended, ...answers] = await Promise.all([
    chat.call(chat.owner, `DELETE /users/${chat.admin.id}`),
    ...creations,
  ]);
  assert.equal(ended?.status, 200);
  for (const { status, body } of answers) {
    assert.ok(status === 200 || body.code === "USER_DEACTIVATED", JSON.stringify(body));
  }
  const { members } = (await chat.call(chat.owner, "GET /users")).body;
  for (const { bot_owner_id, is_active } of members) {
    if (bot_owner_id === chat.admin.id) assert.equal(is_active, false);
  }
});

Deno.test("POST /users/{user}/reactivate lets an account be used again, its bots not", async () => {
  await using chat = await startChat();
  const { admin, member, bot } = chat;
  await chat.call(admin, `DELETE /users/${member.id}`);
  await chat.events();
  const { status, body } = await chat.call(admin, `POST /users/${member.id}/reactivate`, { zebra: 1 });
  assert.deepEqual([status, body.ignored_parameters_unsupported], [200, ["zebra"]]);
  const told = (await chat.events()).map(({ event, audience }) => [event.type, event.person, audience]);
  assert.deepEqual(told, [
    ["realm_user", { user_id: member.id, is_active: true }, "everyone"],
    ["user_group", undefined, "everyone"],
    ["user_group", undefined, "everyone"],
  ]);
  assert.equal((await ask(chat, member, "GET /users/me"))[0], 200);
  assert.deepEqual(await ask(chat, bot, "GET /users/me"), DEACTIVATED);
  assert.equal((await ask(chat, member, `POST /users/${bot.id}/reactivate`))[0], 200);
  assert.equal((await ask(chat, bot, "GET /users/me"))[0], 200);
  await chat.events();
  assert.equal((await ask(chat, admin, `POST /users/${member.id}/reactivate`))[0], 200);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /users/{user}/reactivate refuses those who may not", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const second = await chat.add("second", 100);
  await chat.call(owner, `DELETE /users/${member.id}`);
  await chat.call(owner, `DELETE /users/${second.id}`);
  assert.equal((await ask(chat, null, `POST /users/${member.id}/reactivate`))[0], 401);
  for (const caller of [moderator, guest]) {
    assert.deepEqual(await ask(chat, caller, `POST /users/${member.id}/reactivate`), INSUFFICIENT);
  }
  assert.deepEqual(await ask(chat, bot, `POST /users/${member.id}/reactivate`), DEACTIVATED);
  assert.deepEqual(await ask(chat, admin, `POST /users/${second.id}/reactivate`), OWNER_NEEDED);
  assert.equal((await ask(chat, owner, `POST /users/${second.id}/reactivate`))[0], 200);
  for (const id of [outsider.id, 99999999]) {
    assert.deepEqual((await ask(chat, owner, `POST /users/${id}/reactivate`))[2], "No such user");
  }
  for (const path of ["POST /users/me/reactivate", "POST /users/a@b/reactivate"]) {
    assert.equal((await ask(chat, owner, path))[0], 404);
  }
});

Deno.test("a bot whose owner is gone belongs to who reactivates it", async () => {
  await using chat = await startChat();
  await chat.call(chat.admin, `DELETE /users/${chat.member.id}`);
  await chat.call(chat.admin, `POST /users/${chat.bot.id}/reactivate`);
  const { bots } = (await chat.call(chat.admin, "GET /bots")).body;
  assert.deepEqual(bots.map(({ user_id }: { user_id: number }) => user_id), [chat.bot.id]);
});
