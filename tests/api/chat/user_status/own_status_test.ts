// POST /users/me/status
import assert from "node:assert/strict";
import { statusKeys } from "@/lib/chat/people/user_status.ts";
import { userKeys } from "@/lib/chat/organization/users/model.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import {
  DONE,
  limitGuests,
  refused,
  setStatus,
  startChat,
  statusOf,
} from "@/tests/casts/user_status_cast.ts";

async function setOwn(chat: TestChat, user: TestUser | null, params = {}) {
  const { status, body } = await chat.call(user, "POST /users/me/status", params);
  return [status, body.code, body.msg];
}

async function registered(chat: TestChat, user: TestUser) {
  const params = { fetch_event_types: ["user_status"] };
  return (await chat.call(user, "POST /register", params)).body.user_status;
}

Deno.test("POST /users/me/status sets the caller's own status in every role", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  for (const user of [owner, admin, moderator, member, guest]) {
    const params = { status_text: ` hi ${user.id} `, emoji_name: "car", spare: 1 };
    const { status, body } = await chat.call(user, "POST /users/me/status", params);
    assert.deepEqual([status, body], [200, {
      result: "success",
      msg: "",
      ignored_parameters_unsupported: ["spare"],
    }]);
    const car = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };
    const expected = { status_text: `hi ${user.id}`, ...car };
    assert.deepEqual(await statusOf(chat, user.id), expected);
    const event = { type: "user_status", user_id: user.id, ...expected };
    assert.deepEqual(await chat.events(), [{ event, audience: "everyone" }]);
  }
  const noBots = refused("This endpoint does not accept bot requests.");
  assert.deepEqual(await setOwn(chat, bot, { status_text: "x" }), noBots);
  const adminBot = await chat.add("robot", 200, 1);
  await chat.events();
  assert.deepEqual(await setOwn(chat, adminBot, { status_text: "x" }), noBots);
  assert.deepEqual((await setOwn(chat, null)).slice(0, 2), [401, "UNAUTHORIZED"]);
  assert.deepEqual(await setOwn(chat, outsider, { status_text: "elsewhere" }), DONE);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /users/me/status enforces the rules of POST /users/{user_id}/status", async () => {
  await using chat = await startChat();
  const refusals: [Record<string, unknown>, string][] = [
    [{}, "Client did not pass any new values."],
    [{ emoji_code: "1f4bb" }, "Client did not pass any new values."],
    [
      { away: true, emoji_code: "1f4bb" },
      "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    ],
    [{ emoji_name: "invalid" }, "Emoji 'invalid' does not exist"],
    [{ away: "yes" }, "away is not valid JSON"],
    [{ away: 1 }, "away is not a boolean"],
    [{ status_text: "a".repeat(61) }, "status_text is too long (limit: 60 characters)"],
  ];
  for (const [params, msg] of refusals) {
    assert.deepEqual(await setOwn(chat, chat.guest, params), refused(msg));
  }
  assert.deepEqual([await statusOf(chat, chat.guest.id), await chat.events()], [{}, []]);
});

Deno.test("away is stored, sent to old clients and returned while true", async () => {
  await using chat = await startChat();
  assert.deepEqual(await setOwn(chat, chat.member, { away: true }), DONE);
  assert.deepEqual(await statusOf(chat, chat.member.id), { away: true });
  chat.clock.time++;
  await setOwn(chat, chat.member, { status_text: "out" });
  assert.deepEqual(await statusOf(chat, chat.member.id), { status_text: "out", away: true });
  chat.clock.time++;
  await setStatus(chat, chat.admin, chat.member.id, { status_text: "" });
  assert.deepEqual(await statusOf(chat, chat.member.id), { away: true });
  chat.clock.time++;
  await setOwn(chat, chat.member, { away: false });
  assert.deepEqual(await statusOf(chat, chat.member.id), {});
  const received = (await chat.events()).map(({ event: { type: _type, user_id: _user, ...parts } }) => parts);
  assert.deepEqual(received, [{ away: true }, { status_text: "out" }, { status_text: "" }, { away: false }]);
});

Deno.test("POST /register returns the statuses of active users whom the caller can access", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  assert.deepEqual(await registered(chat, member), {});
  for (const user of [member, moderator, guest, outsider]) await setOwn(chat, user, { status_text: "hi" });
  await setOwn(chat, owner, { status_text: "hi" });
  await setOwn(chat, owner, { status_text: "" });
  await chat.call(owner, `DELETE /users/${moderator.id}`);
  const hi = { status_text: "hi" };
  for (const user of [owner, admin, member, guest, bot]) {
    assert.deepEqual(await registered(chat, user), { [member.id]: hi, [guest.id]: hi });
  }
  assert.deepEqual(await registered(chat, outsider), { [outsider.id]: hi });
  await limitGuests(chat);
  assert.deepEqual(await registered(chat, guest), { [guest.id]: hi });
  assert.deepEqual(await registered(chat, member), { [member.id]: hi, [guest.id]: hi });
  // A reactivated user has their former status.
  await chat.call(owner, `POST /users/${moderator.id}/reactivate`);
  assert.deepEqual(await statusOf(chat, moderator.id), hi);
});

Deno.test("parallel changes of different parts of a status are all applied", async () => {
  await using chat = await startChat();
  const { admin, member } = chat;
  for (const emoji_name of ["car", "tada", "eyes", "heart"]) {
    const answers = await Promise.all([
      setOwn(chat, member, { status_text: `with ${emoji_name}` }),
      setStatus(chat, admin, member.id, { emoji_name }),
      setOwn(chat, member, { away: true }),
    ]);
    assert.deepEqual(answers, [DONE, DONE, DONE]);
    const status = await statusOf(chat, member.id);
    assert.deepEqual([status.status_text, status.emoji_name, status.away], [
      `with ${emoji_name}`,
      emoji_name,
      true,
    ]);
  }
  assert.equal((await chat.events()).length, 12);
});

Deno.test("an administrator who is demoted meanwhile cannot set the status of others", async () => {
  await using chat = await startChat();
  const { owner, admin, member } = chat;
  const sets = Array.from(
    { length: 10 },
    (_, at) => setStatus(chat, admin, member.id, { status_text: `${at}` }),
  );
  const [demoted, ...answers] = await Promise.all([
    chat.call(owner, `PATCH /users/${admin.id}`, { role: 400 }),
    ...sets,
  ]);
  assert.equal(demoted?.status, 200);
  for (const answer of answers) {
    assert.ok(answer[0] === 200 || answer[2] === "Insufficient permission", JSON.stringify(answer));
  }
  const done = answers.filter(([status]) => status === 200).length;
  const events = await chat.events();
  assert.equal(events.filter(({ event }) => event.type === "user_status").length, done);
  const { kv } = chat.services.store;
  const demotion = await kv.get([...userKeys.user(chat.realm.id, admin.id)]);
  const last = await kv.get([...statusKeys.status(chat.realm.id, member.id)]);
  assert.ok((last.versionstamp ?? "") < (demotion.versionstamp ?? ""), "nothing is set after the demotion");
  assert.deepEqual(
    await setStatus(chat, admin, member.id, { status_text: "x" }),
    refused("Insufficient permission"),
  );
});
