// POST /users/{user_id}/status, GET /users/{user_id}/status
import assert from "node:assert/strict";
import { statusKeys } from "@/lib/chat/people/user_status.ts";
import {
  addEmoji,
  DONE,
  limitGuests,
  refused,
  setStatus,
  startChat,
  statusOf,
} from "@/tests/casts/user_status_cast.ts";

const CAR = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };
const NO_NEW = "Client did not pass any new values.";
const NAME_FIRST = "Client must pass emoji_name if they pass either emoji_code or reaction_type.";

Deno.test("POST /users/{user_id}/status sets a trimmed text, sends it to everyone and GET returns it (B-status-01)", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot } = chat;
  assert.deepEqual(await statusOf(chat, member.id), {});
  const params = { status_text: " at the beach ", away: true };
  const { status, body } = await chat.call(admin, `POST /users/${member.id}/status`, params);
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    ignored_parameters_unsupported: ["away"],
  }]);
  assert.deepEqual(await chat.events(), [{
    event: { type: "user_status", user_id: member.id, status_text: "at the beach" },
    audience: "everyone",
  }]);
  for (const user of [owner, admin, moderator, member, guest, bot]) {
    const given = await chat.call(user, `GET /users/${member.id}/status`);
    assert.deepEqual(given.body, { result: "success", msg: "", status: { status_text: "at the beach" } });
  }
  assert.deepEqual(await setStatus(chat, owner, guest.id, { status_text: "hi" }), DONE);
  assert.deepEqual(await statusOf(chat, guest.id), { status_text: "hi" });
});

Deno.test("only administrators, bots included, can set a status, and an unknown user is reported first (B-status-05)", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const text = { status_text: "x" };
  for (const user of [moderator, member, guest]) {
    for (const target of [user, admin]) {
      assert.deepEqual(await setStatus(chat, user, target.id, text), refused("Insufficient permission"));
      assert.deepEqual(await setStatus(chat, user, target.id), refused("Insufficient permission"));
    }
  }
  const noBots = refused("This endpoint does not accept bot requests.");
  assert.deepEqual(await setStatus(chat, bot, member.id, text), noBots);
  assert.deepEqual(await setStatus(chat, bot, 99_999_999, { status_text: "x".repeat(61) }), noBots);
  const adminBot = await chat.add("robot", 200, 1);
  assert.deepEqual(await setStatus(chat, adminBot, member.id, { status_text: "by a bot" }), DONE);
  assert.deepEqual(await statusOf(chat, member.id), { status_text: "by a bot" });
  await chat.call(owner, `DELETE /users/${moderator.id}`);
  await chat.events();
  for (const user of [owner, admin, member, guest]) {
    for (const id of [99_999_999, outsider.id, bot.id, "9".repeat(20), "9".repeat(400)]) {
      assert.deepEqual(await setStatus(chat, user, id, text), refused("No such user"));
      const { status, body } = await chat.call(user, `GET /users/${id}/status`);
      assert.deepEqual([status, body.code, body.msg], refused("No such user"));
    }
    assert.deepEqual(await setStatus(chat, user, moderator.id, text), refused("User is deactivated"));
    const { body } = await chat.call(user, `GET /users/${moderator.id}/status`);
    assert.equal(body.msg, "User is deactivated");
  }
  assert.deepEqual(await setStatus(chat, outsider, member.id, text), refused("No such user"));
  assert.equal((await chat.call(outsider, `GET /users/${member.id}/status`)).body.msg, "No such user");
  for (const call of ["GET", "POST"]) {
    assert.equal((await chat.call(null, `${call} /users/${member.id}/status`)).status, 401);
    assert.equal((await chat.call(admin, `${call} /users/x1/status`)).body.code, "NOT_FOUND");
  }
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await statusOf(chat, member.id), { status_text: "by a bot" });
});

Deno.test("an empty or too long status and an invalid emoji are refused in the order of the rules (B-status-06, B-status-08, B-status-09, B-status-11, B-status-12, B-status-13)", async () => {
  await using chat = await startChat();
  const { admin, member } = chat;
  const own = await addEmoji(chat, member, "tulip_field");
  const foreign = await addEmoji(chat, chat.outsider, "foreign_field");
  const deactivated = await addEmoji(chat, member, "gone_field");
  assert.equal((await chat.call(admin, "DELETE /realm/emoji/gone_field")).status, 200);
  await setStatus(chat, admin, member.id, { status_text: "kept", emoji_name: "car" });
  await chat.events();
  const custom = { reaction_type: "realm_emoji" };
  const unicode = { reaction_type: "unicode_emoji" };
  const extra = { reaction_type: "service_extra_emoji" };
  const refusals: [Record<string, string>, string][] = [
    [{}, NO_NEW],
    [{ spare: "x" }, NO_NEW],
    [{ emoji_code: "1f4bb" }, NO_NEW],
    [{ ...unicode }, NO_NEW],
    [{ status_text: "In a meeting", emoji_code: "1f4bb" }, NAME_FIRST],
    [{ status_text: "In a meeting", ...unicode }, NAME_FIRST],
    [{ status_text: "t", emoji_name: "invalid" }, "Emoji 'invalid' does not exist"],
    [{ emoji_name: "toString" }, "Emoji 'toString' does not exist"],
    [{ emoji_name: "invalid", emoji_code: "1f697" }, "Emoji 'invalid' does not exist"],
    [{ emoji_name: "foreign_field" }, "Emoji 'foreign_field' does not exist"],
    [{ emoji_name: "gone_field" }, "Emoji 'gone_field' does not exist"],
    [{ emoji_name: "car", emoji_code: "1f4bb", ...custom }, "Invalid custom emoji."],
    [{ emoji_name: "car", emoji_code: foreign, ...custom }, "Invalid custom emoji."],
    [{ emoji_name: "car", emoji_code: "", ...custom }, "Invalid custom emoji."],
    [{ emoji_name: "car", emoji_code: own, ...custom }, "Invalid custom emoji name."],
    [
      { emoji_name: "gone_field", emoji_code: deactivated, ...custom },
      "This custom emoji has been deactivated.",
    ],
    [{ emoji_name: "car", emoji_code: "zzzz" }, "Invalid emoji code."],
    [{ emoji_name: "car", emoji_code: "1f4bb" }, "Invalid emoji name."],
    [{ emoji_name: "nothing", emoji_code: "1f4bb", ...unicode }, "Invalid emoji name."],
    [{ emoji_name: "car", emoji_code: "car", ...extra }, "Invalid emoji code."],
    [{ emoji_name: "car", emoji_code: "1f697", reaction_type: "foo" }, "Invalid emoji type."],
    [{ emoji_name: "car", reaction_type: "" }, "Invalid emoji type."],
    [{ status_text: "a".repeat(61) }, "status_text is too long (limit: 60 characters)"],
    [
      { status_text: "🌷".repeat(61), emoji_name: "invalid" },
      "status_text is too long (limit: 60 characters)",
    ],
  ];
  for (const [params, msg] of refusals) {
    assert.deepEqual(await setStatus(chat, admin, member.id, params), refused(msg), JSON.stringify(params));
  }
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await statusOf(chat, member.id), { status_text: "kept", ...CAR });
  const early = await setStatus(chat, member, 99_999_999, { status_text: "a".repeat(61) });
  assert.deepEqual(early, refused("status_text is too long (limit: 60 characters)"));
});

Deno.test("omitted parts keep their value, and an empty status is deleted (B-status-14, B-status-15, B-status-16, B-status-17)", async () => {
  await using chat = await startChat();
  const { admin, member } = chat;
  const set = async (params: Record<string, string>) => {
    assert.deepEqual(await setStatus(chat, admin, member.id, params), DONE);
    const [received, ...others] = (await chat.events()).map(({ event }) => event);
    assert.equal(others.length, 0);
    const { type: _type, user_id: _user, ...parts } = received ?? { type: "" };
    return parts;
  };
  const longest = "a".repeat(60);
  assert.deepEqual(await set({ status_text: `     ${longest}     ` }), { status_text: longest });
  assert.deepEqual(await set({ emoji_name: "car" }), CAR);
  assert.deepEqual(await statusOf(chat, member.id), { status_text: longest, ...CAR });
  assert.deepEqual(await set({ status_text: "" }), { status_text: "" });
  assert.deepEqual(await statusOf(chat, member.id), CAR);
  await set({ status_text: "🌷".repeat(60), ...CAR });
  const none = { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };
  // Other emoji parameters are ignored with an empty name.
  assert.deepEqual(await set({ emoji_name: "", emoji_code: "zzzz", reaction_type: "foo" }), none);
  assert.deepEqual(await statusOf(chat, member.id), { status_text: "🌷".repeat(60) });
  assert.deepEqual(await set({ status_text: " \0 " }), { status_text: "" });
  assert.deepEqual(await statusOf(chat, member.id), {});
  const { kv } = chat.services.store;
  assert.equal((await kv.get([...statusKeys.status(chat.realm.id, member.id)])).value, null);
  for (const hostile of ["<img src=x onerror=alert(1)>", "__proto__", '{"a":1}', "null"]) {
    assert.deepEqual(await set({ status_text: hostile }), { status_text: hostile });
    assert.deepEqual(await statusOf(chat, member.id), { status_text: hostile });
  }
});

Deno.test("custom emoji take precedence by name, and stay in a status after their deactivation", async () => {
  await using chat = await startChat();
  const { admin, member } = chat;
  const field = await addEmoji(chat, member, "tulip_field");
  const car = await addEmoji(chat, admin, "car");
  const ofField = { emoji_name: "tulip_field", emoji_code: field, reaction_type: "realm_emoji" };
  await setStatus(chat, admin, member.id, { emoji_name: "tulip_field" });
  assert.deepEqual(await statusOf(chat, member.id), ofField);
  await setStatus(chat, admin, chat.guest.id, { emoji_name: "car" });
  assert.deepEqual(await statusOf(chat, chat.guest.id), {
    ...CAR,
    emoji_code: car,
    reaction_type: "realm_emoji",
  });
  assert.deepEqual(await setStatus(chat, admin, chat.guest.id, CAR), DONE);
  assert.deepEqual(await statusOf(chat, chat.guest.id), CAR);
  await chat.call(admin, "DELETE /realm/emoji/tulip_field");
  await setStatus(chat, admin, member.id, { status_text: "still there" });
  assert.deepEqual(await statusOf(chat, member.id), { status_text: "still there", ...ofField });
});

Deno.test("guests without access to all users receive no status of others", async () => {
  await using chat = await startChat();
  const { admin, member, guest } = chat;
  await limitGuests(chat);
  await setStatus(chat, admin, member.id, { status_text: "secret" });
  chat.clock.time++;
  await setStatus(chat, admin, guest.id, { status_text: "own" });
  assert.deepEqual((await chat.events()).map(({ event, audience }) => [event["user_id"], audience]), [
    [member.id, "members"],
    [guest.id, "members"],
    [guest.id, [guest.id]],
  ]);
  const { status, body } = await chat.call(guest, `GET /users/${member.id}/status`);
  assert.deepEqual([status, body.code, body.msg], refused("No such user"));
  assert.deepEqual(await statusOf(chat, guest.id, guest), { status_text: "own" });
  const other = await chat.add("visitor", 600);
  await chat.call(admin, `DELETE /users/${other.id}`);
  const ofHidden = await chat.call(guest, `GET /users/${other.id}/status`);
  assert.equal(ofHidden.body.msg, "No such user");
});
