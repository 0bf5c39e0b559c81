import assert from "node:assert/strict";
import { changePassword } from "@/lib/chat/people/user_settings/change_account.ts";
import { sessionsEndEvent } from "@/lib/chat/organization/events/model.ts";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const PATCH = "PATCH /settings";
const STRONG = "Qr7!kkzz19x";
const LIMITED = { env: { RATE_LIMITS: '{"sign_in":{"points":3,"seconds":1800}}' } };

async function readPerson(chat: TestChat, { id, realm }: TestUser): Promise<UserRecord> {
  const user = await readUser(chat.services.chat, realm.id, id);
  assert.ok(user !== null);
  return user;
}

function refusal(msg: string) {
  return [400, { result: "error", msg, code: "BAD_REQUEST" }];
}

Deno.test("PATCH /settings changes the password with the correct old one: sessions end, the API key stays", async () => {
  await using chat = await startChat();
  const before = await readPerson(chat, chat.guest);
  const params = { old_password: PASSWORD, new_password: STRONG };
  const { status, body } = await chat.call(chat.guest, PATCH, params);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  const after = await readPerson(chat, chat.guest);
  assert.equal(await chat.services.chat.passwords.verify(STRONG, after.password_hash), true);
  assert.deepEqual(after, {
    ...before,
    password_hash: after.password_hash,
    session_epoch: before.session_epoch + 1,
  });
  assert.equal(deriveApiKey(chat.services.chat, chat.realm.id, after), chat.guest.apiKey);
  assert.deepEqual(await chat.events(), [{ event: sessionsEndEvent(chat.guest.id), audience: [] }]);
  assert.deepEqual((await chat.call(chat.guest, PATCH, params)).body.msg, "Wrong password!");
});

Deno.test("PATCH /settings refuses wrong, missing and weak passwords, and changes nothing (A027)", async () => {
  await using chat = await startChat();
  const before = await readPerson(chat, chat.member);
  const refusals: [params: Record<string, string>, msg: string][] = [
    [{ old_password: "bad", new_password: STRONG }, "Wrong password!"],
    [{ old_password: "", new_password: STRONG }, "Wrong password!"],
    [{ new_password: STRONG }, "Wrong password!"],
    [{ old_password: "bad", new_password: "x" }, "Wrong password!"],
    [{ old_password: PASSWORD, new_password: "" }, "New password is too weak!"],
    [{ old_password: PASSWORD, new_password: "member@example.com" }, "New password is too weak!"],
    [{ old_password: PASSWORD, new_password: "x".repeat(1001) }, "New password is too long!"],
    [{ old_password: PASSWORD, new_password: STRONG, full_name: "Ann*" }, "Invalid characters in name!"],
    [{ old_password: PASSWORD, new_password: STRONG, email: chat.guest.email }, "Email is already in use."],
  ];
  for (const [params, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, PATCH, { color_scheme: 2, ...params });
    assert.deepEqual([status, body], refusal(msg));
  }
  assert.deepEqual(await readPerson(chat, chat.member), before);
  assert.deepEqual(await chat.events(), []);
  const alone = await chat.call(chat.member, PATCH, { old_password: "bad" });
  assert.deepEqual([alone.status, alone.body], [200, { result: "success", msg: "" }]);
});

Deno.test("PATCH /settings limits attempts after wrong passwords, sequential or parallel", async () => {
  await using chat = await startChat(LIMITED);
  const attempt = (person: TestUser, old_password: string) =>
    chat.call(person, PATCH, { old_password, new_password: STRONG });
  const answers = await Promise.all(Array.from({ length: 8 }, () => attempt(chat.member, "bad")));
  const messages = answers.map(({ status, body }) => `${status} ${body.code} ${body.msg}`).sort();
  assert.equal(messages.filter((message) => message === "400 BAD_REQUEST Wrong password!").length, 3);
  for (const message of messages.slice(3)) {
    assert.match(
      message,
      /^400 BAD_REQUEST (Wrong|You're making too many attempts! Try again in \d+ seconds\.$)/,
    );
  }
  const right = await attempt(chat.member, PASSWORD);
  assert.equal(right.status, 400);
  assert.match(right.body.msg, /^You're making too many attempts! Try again in \d+ seconds\.$/);
  assert.equal(right.headers.has("retry-after"), true);
  assert.equal((await chat.call(chat.member, PATCH, { color_scheme: 2 })).status, 200);
  assert.equal((await attempt(chat.guest, PASSWORD)).status, 200);
});

Deno.test("PATCH /settings does not count correct passwords as attempts", async () => {
  await using chat = await startChat(LIMITED);
  for (let count = 0; count < 5; count++) {
    const { body } = await chat.call(chat.member, PATCH, { old_password: PASSWORD, new_password: "weak" });
    assert.equal(body.msg, "New password is too weak!");
  }
});

Deno.test("changePassword() applies only one of two parallel changes", async () => {
  await using chat = await startChat();
  const caller = {
    realm: chat.realm,
    actingUser: await readPerson(chat, chat.member),
    isSession: false,
    limits: null,
  };
  const change = (newPassword: string) =>
    changePassword(chat.services.chat, caller, { oldPassword: PASSWORD, newPassword });
  const outcomes = await Promise.allSettled([change(STRONG), change("a still greener hedge")]);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  assert.deepEqual(refused.map(({ code, message }) => [code, message]), [["BAD_REQUEST", "Wrong password!"]]);
  assert.equal((await readPerson(chat, chat.member)).session_epoch, caller.actingUser.session_epoch + 1);
});

Deno.test("changePassword() refuses a user without a password", async () => {
  await using chat = await startChat();
  const user = { ...await readPerson(chat, chat.member), password_hash: null };
  await assert.rejects(
    changePassword(chat.services.chat, {
      realm: chat.realm,
      actingUser: user,
      isSession: false,
      limits: null,
    }, {
      oldPassword: undefined,
      newPassword: STRONG,
    }),
    { code: "BAD_REQUEST", message: "Wrong password!" },
  );
});
