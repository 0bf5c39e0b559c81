import assert from "node:assert/strict";
import { getNotificationBot } from "@/lib/chat/people/put_user.ts";
import { mutedUsersKey, type MutedUsersRecord } from "@/lib/chat/people/muted_users.ts";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { toValue } from "@/lib/store/key.ts";
import type { ApiResponse, TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { startChat } from "@/tests/casts/messages_cast.ts";

// POST /users/me/muted_users/{muted_user_id}, DELETE /users/me/muted_users/{muted_user_id}

function mute(chat: TestChat, user: TestUser | null, id: number | string): Promise<ApiResponse> {
  return chat.call(user, `POST /users/me/muted_users/${id}`);
}

function unmute(chat: TestChat, user: TestUser | null, id: number | string): Promise<ApiResponse> {
  return chat.call(user, `DELETE /users/me/muted_users/${id}`);
}

async function mutedBy(chat: TestChat, user: TestUser) {
  const { body } = await chat.call(user, "POST /register", { fetch_event_types: ["muted_users"] });
  return body.muted_users;
}

function toRefusal({ status, body }: ApiResponse): unknown[] {
  return [status, body.code, body.msg];
}

const DONE = { result: "success", msg: "" };

Deno.test("POST /users/me/muted_users/{muted_user_id} mutes a user for the caller and notifies only the caller", async () => {
  await using chat = await startChat();
  const first = Math.floor(chat.clock.time / 1000);
  const { status, body } = await mute(chat, chat.member, chat.owner.id);
  assert.deepEqual([status, body], [200, DONE]);
  const owner = { id: chat.owner.id, timestamp: first };
  const [mutedEvent, flagsEvent, ...more] = await chat.events();
  assert.deepEqual(mutedEvent, {
    event: { type: "muted_users", muted_users: [owner] },
    audience: [chat.member.id],
  });
  assert.deepEqual(flagsEvent, {
    event: {
      type: "update_message_flags",
      op: "add",
      flag: "read",
      up_to: 0,
      sender_id: chat.owner.id,
    },
    audience: [chat.member.id],
  });
  assert.deepEqual(more, []);
  chat.clock.time += 5000;
  const spare = await chat.call(chat.member, `POST /users/me/muted_users/${chat.guest.id}`, { spare: 1 });
  assert.deepEqual(spare.body, { ...DONE, ignored_parameters_unsupported: ["spare"] });
  const guest = { id: chat.guest.id, timestamp: first + 5 };
  assert.deepEqual(await mutedBy(chat, chat.member), [owner, guest]);
  assert.deepEqual(await mutedBy(chat, chat.owner), []);
  assert.deepEqual(await mutedBy(chat, chat.bot), []);
});

Deno.test("DELETE /users/me/muted_users/{muted_user_id} unmutes a user, who can be muted again", async () => {
  await using chat = await startChat();
  for (const id of [chat.owner.id, chat.guest.id]) await mute(chat, chat.member, id);
  const [owner, guest] = await mutedBy(chat, chat.member);
  await chat.events();
  assert.deepEqual((await unmute(chat, chat.member, chat.owner.id)).body, DONE);
  assert.deepEqual(await chat.events(), [
    { event: { type: "muted_users", muted_users: [guest] }, audience: [chat.member.id] },
  ]);
  assert.deepEqual(toRefusal(await unmute(chat, chat.member, chat.owner.id)), [
    400,
    "BAD_REQUEST",
    "User is not muted",
  ]);
  assert.equal((await mute(chat, chat.member, chat.owner.id)).status, 200);
  assert.deepEqual(await mutedBy(chat, chat.member), [guest, owner]);
});

Deno.test("muting or unmuting an invalid user is refused and changes nothing", async () => {
  await using chat = await startChat();
  const unknown = [400, "BAD_REQUEST", "No such user"];
  const self = [400, "BAD_REQUEST", "Cannot mute self"];
  for (const change of [mute, unmute]) {
    // B-mute-01
    assert.deepEqual(toRefusal(await change(chat, chat.member, chat.member.id)), self);
    // B-mute-02
    assert.deepEqual(toRefusal(await change(chat, chat.member, 99_999_999)), unknown);
    assert.deepEqual(toRefusal(await change(chat, chat.member, chat.outsider.id)), unknown);
    assert.deepEqual(toRefusal(await change(chat, chat.member, 0)), unknown);
    assert.deepEqual(toRefusal(await change(chat, chat.member, "9".repeat(30))), unknown);
    assert.equal((await change(chat, null, chat.member.id)).status, 401);
    for (const id of ["x", "-1", "1.5"]) assert.equal((await change(chat, chat.member, id)).status, 404);
  }
  assert.deepEqual(toRefusal(await unmute(chat, chat.member, chat.owner.id)), [
    400,
    "BAD_REQUEST",
    "User is not muted",
  ]);
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await mutedBy(chat, chat.member), []);
});

Deno.test("POST /users/me/muted_users/{muted_user_id} refuses a user who is already muted (B-mute-03)", async () => {
  await using chat = await startChat();
  await mute(chat, chat.member, chat.owner.id);
  await chat.events();
  const again = await mute(chat, chat.member, chat.owner.id);
  assert.deepEqual(toRefusal(again), [400, "BAD_REQUEST", "User already muted"]);
  assert.deepEqual(await chat.events(), []);
  assert.equal((await mutedBy(chat, chat.member)).length, 1);
});

Deno.test("bots can be muted, system bots included (B-mute-04)", async () => {
  await using chat = await startChat();
  const own = await getNotificationBot(chat.services.chat, chat.realm);
  for (const { id } of [chat.bot, own]) assert.equal((await mute(chat, chat.member, id)).status, 200);
  for (const { id } of [chat.bot, own]) assert.equal((await unmute(chat, chat.member, id)).status, 200);
});

Deno.test("deactivated users can be muted and unmuted (B-mute-05)", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(chat.owner, `DELETE /users/${chat.moderator.id}`)).status, 200);
  assert.equal((await mute(chat, chat.member, chat.moderator.id)).status, 200);
  assert.equal((await unmute(chat, chat.member, chat.moderator.id)).status, 200);
});

Deno.test("users of every role and bots can mute", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot } = chat;
  for (const user of [admin, moderator, member, guest, bot]) {
    assert.equal((await mute(chat, user, owner.id)).status, 200);
    assert.equal((await unmute(chat, user, owner.id)).status, 200);
  }
});

Deno.test("guests without access to all users can only mute bots", async () => {
  await using chat = await startChat();
  const limit = { new: systemGroupId(chat.realm, "role:members") };
  const { status } = await chat.call(chat.owner, "PATCH /realm", { can_access_all_users_group: limit });
  assert.equal(status, 200);
  await chat.events();
  for (const change of [mute, unmute]) {
    const refused = await change(chat, chat.guest, chat.member.id);
    assert.deepEqual(toRefusal(refused), [400, "BAD_REQUEST", "No such user"]);
  }
  // The caller and unknown users are checked before access.
  assert.equal((await mute(chat, chat.guest, chat.guest.id)).body.msg, "Cannot mute self");
  assert.equal((await mute(chat, chat.guest, 99_999_999)).body.msg, "No such user");
  assert.deepEqual(await chat.events(), []);
  assert.equal((await mute(chat, chat.guest, chat.bot.id)).status, 200);
});

Deno.test("parallel mutes are all stored, and only one of several for the same user succeeds", async () => {
  await using chat = await startChat();
  const others = [chat.owner, chat.admin, chat.moderator, chat.guest, chat.bot];
  const answers = await Promise.all(
    [...others, ...others].map(({ id }) => mute(chat, chat.member, id)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, others.length);
  const muted: { id: number }[] = await mutedBy(chat, chat.member);
  assert.deepEqual(
    muted.map(({ id }) => id).sort((a, b) => a - b),
    others.map(({ id }) => id).sort((a, b) => a - b),
  );
  const released = await Promise.all(others.map(({ id }) => unmute(chat, chat.member, id)));
  assert.deepEqual(released.map(({ status }) => status), others.map(() => 200));
  assert.deepEqual(await mutedBy(chat, chat.member), []);
});

Deno.test("a user can mute at most 1000 users, and the largest list fits the store", async () => {
  await using chat = await startChat();
  // The largest numbers take the most bytes.
  const greatest = Number.MAX_SAFE_INTEGER;
  const range = (length: number) => Array.from({ length }, (_, at) => [greatest - at, greatest - at]);
  const key = mutedUsersKey(chat.realm.id, chat.member.id);
  const put = (muted: number) =>
    chat.services.store.kv.set(key, { muted: range(muted), read_through: range(1000) });
  await put(999);
  assert.equal((await mute(chat, chat.member, chat.owner.id)).status, 200);
  await chat.events();
  const refused = await mute(chat, chat.member, chat.guest.id);
  assert.deepEqual(toRefusal(refused), [400, "BAD_REQUEST", "You can mute 1000 people at most."]);
  assert.deepEqual(await chat.events(), []);
  assert.equal((await mutedBy(chat, chat.member)).length, 1000);
  assert.equal((await unmute(chat, chat.member, chat.owner.id)).status, 200);
  assert.equal((await mute(chat, chat.member, chat.guest.id)).status, 200);
});

Deno.test("1000 formerly muted users are stored, without those whose messages are read anyway", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const key = mutedUsersKey(chat.realm.id, chat.member.id);
  const before = Array.from({ length: 1000 }, (_, at) => [50_000 + at, 10 + at % 2]);
  const letOff = async () => {
    await kv.set(key, { muted: [[chat.owner.id, 7]], read_through: before });
    assert.equal((await unmute(chat, chat.member, chat.owner.id)).status, 200);
    const { muted, read_through } = toValue<MutedUsersRecord>((await kv.get(key)).value);
    assert.deepEqual(muted, []);
    return read_through;
  };
  assert.deepEqual(await letOff(), [...before.slice(1), [chat.owner.id, 0]]);
  await kv.set(messageKeys.readAll(chat.realm.id, chat.member.id), 10);
  assert.deepEqual(await letOff(), [...before.filter(([, id]) => id === 11), [chat.owner.id, 0]]);
});
