import assert from "node:assert/strict";
import { draftKeys } from "@/lib/chat/messages/drafts.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";

const NOTE = { type: "", to: [], topic: "", content: "note", timestamp: 50 };
const OFF = "User has disabled synchronizing drafts.";

async function draftsOf(chat: TestChat, user: TestUser) {
  return (await chat.call(user, "GET /drafts")).body;
}

async function keep(chat: TestChat, user: TestUser, ...drafts: unknown[]): Promise<number[]> {
  const { status, body } = await chat.call(user, "POST /drafts", { drafts });
  assert.equal(status, 200, JSON.stringify(body));
  return body.ids;
}

async function countStored(chat: TestChat, user: TestUser): Promise<number> {
  const prefix = [...draftKeys.drafts(chat.realm.id, user.id)];
  return (await Array.fromAsync(chat.services.store.kv.list({ prefix }))).length;
}

Deno.test("POST /drafts stores drafts with an event each, and GET /drafts returns them by last edit", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await chat.events();
  const roses = { type: "stream", to: [channel], topic: "roses", content: "red?", timestamp: 90 };
  const toAdmin = { type: "private", to: [chat.admin.id], topic: "", content: "psst", timestamp: 70 };
  const { body } = await chat.call(chat.member, "POST /drafts", { drafts: [roses, toAdmin], spare: 1 });
  const [first, second] = body.ids;
  assert.deepEqual(body, {
    result: "success",
    msg: "",
    ids: [first, second],
    ignored_parameters_unsupported: ["spare"],
  });
  assert.deepEqual(
    (await chat.events()).map(({ event, audience }) => [event, audience]),
    [{ id: first, ...roses }, { id: second, ...toAdmin }].map((draft) => [
      { type: "drafts", op: "add", drafts: [draft] },
      [chat.member.id],
    ]),
  );
  assert.deepEqual(await draftsOf(chat, chat.member), {
    result: "success",
    msg: "",
    count: 2,
    drafts: [{ id: second, ...toAdmin }, { id: first, ...roses }],
  });
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.guest, chat.bot, chat.outsider]) {
    assert.equal((await draftsOf(chat, user)).count, 0);
  }
  const { timestamp: _timestamp, ...undated } = NOTE;
  await keep(chat, chat.bot, undated);
  assert.equal((await draftsOf(chat, chat.bot)).drafts[0].timestamp, Math.floor(chat.clock.time / 1000));
});

Deno.test("PATCH /drafts/{draft_id} edits a draft, and DELETE /drafts/{draft_id} deletes it", async () => {
  await using chat = await startChat();
  const [id] = await keep(chat, chat.guest, NOTE);
  await chat.events();
  const after = { ...NOTE, content: "other", timestamp: 60 };
  assert.equal((await chat.call(chat.guest, `PATCH /drafts/${id}`, { draft: after })).status, 200);
  assert.deepEqual(await chat.events(), [{
    event: { type: "drafts", op: "update", draft: { id, ...after } },
    audience: [chat.guest.id],
  }]);
  assert.deepEqual((await draftsOf(chat, chat.guest)).drafts, [{ id, ...after }]);
  for (const user of [chat.owner, chat.outsider, chat.bot]) {
    for (const call of [`PATCH /drafts/${id}`, `DELETE /drafts/${id}`]) {
      const { status, body } = await chat.call(user, call, { draft: NOTE });
      assert.deepEqual([status, body.code, body.msg], [404, "BAD_REQUEST", "Draft does not exist"]);
    }
  }
  assert.equal((await chat.call(chat.guest, `DELETE /drafts/${id}`)).status, 200);
  assert.deepEqual(await chat.events(), [{
    event: { type: "drafts", op: "remove", draft_id: id },
    audience: [chat.guest.id],
  }]);
  assert.equal((await draftsOf(chat, chat.guest)).count, 0);
  assert.equal((await chat.call(chat.guest, `DELETE /drafts/${id}`)).body.msg, "Draft does not exist");
  assert.equal(await countStored(chat, chat.guest), 0);
});

Deno.test("POST /drafts refuses all drafts for an invalid one", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  const toChannel = { ...NOTE, type: "stream", to: [channel], topic: "t" };
  await chat.events();
  const refusals: [unknown, string][] = [
    [
      { ...NOTE, type: "letter" },
      `Invalid drafts[1]["type"]: Value error, Not in the list of possible values`,
    ],
    [{ ...NOTE, to: ["a"] }, `drafts[1]["to"][0] is not an integer`],
    [{ ...NOTE, content: "" }, `drafts[1]["content"] cannot be blank`],
    [{ ...NOTE, content: " \n" }, "Message must not be empty"],
    [{ ...NOTE, content: "x".repeat(10_001) }, `drafts[1]["content"] is too long (limit: 10000 characters)`],
    [{ ...NOTE, timestamp: -1 }, "Timestamp must not be negative."],
    [{ ...NOTE, timestamp: "1" }, `drafts[1]["timestamp"] is not an integer`],
    [{ type: "" }, `drafts[1]["to"] field is missing: Field required`],
    ["x", "drafts[1] is not a dict"],
    [{ ...toChannel, to: [] }, "Must specify exactly 1 channel ID for channel messages"],
    [{ ...toChannel, to: [channel, secret] }, "Must specify exactly 1 channel ID for channel messages"],
    [{ ...toChannel, to: [secret] }, "Invalid channel ID"],
    [{ ...toChannel, topic: "x".repeat(61) }, "topic is too long (limit: 60 characters)"],
    [{ ...NOTE, type: "private", to: [chat.outsider.id] }, `Invalid user ID ${chat.outsider.id}`],
  ];
  for (const [draft, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, "POST /drafts", { drafts: [NOTE, draft] });
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  assert.equal((await chat.call(chat.member, "POST /drafts")).body.msg, "Missing 'drafts' argument");
  const many = Array.from({ length: 20 }, () => ({ ...NOTE, content: "x".repeat(10_000) }));
  const large = await chat.call(chat.member, "POST /drafts", { drafts: many });
  assert.equal(large.body.msg, "The drafts are too long for one request.");
  const missing = await chat.call(chat.member, "PATCH /drafts/1");
  assert.equal(missing.body.msg, "Missing 'draft' argument");
  assert.equal((await draftsOf(chat, chat.member)).count, 0);
  assert.deepEqual(await chat.events(), []);
  for (const call of ["GET /drafts", "POST /drafts", "PATCH /drafts/1", "DELETE /drafts/1"]) {
    assert.equal((await chat.call(null, call)).status, 401);
  }
});

Deno.test("drafts of maximum length are stored, at most five hundred per account", async () => {
  await using chat = await startChat();
  const longest = { ...NOTE, content: "🌹".repeat(10_000) };
  await keep(chat, chat.member, ...Array.from({ length: 7 }, () => longest));
  for (let at = 0; at < 4; at++) await keep(chat, chat.member, ...Array.from({ length: 100 }, () => NOTE));
  await keep(chat, chat.member, ...Array.from({ length: 93 }, () => NOTE));
  const { status, body } = await chat.call(chat.member, "POST /drafts", { drafts: [NOTE] });
  assert.deepEqual([status, body.msg], [400, "You can keep 500 drafts at most."]);
  assert.equal((await draftsOf(chat, chat.member)).count, 500);
});

Deno.test("turning synchronization off deletes all drafts and refuses new ones until it is turned on", async () => {
  await using chat = await startChat();
  const set = (user: TestUser, params: Record<string, unknown>) => chat.call(user, "PATCH /settings", params);
  const [id] = await keep(chat, chat.member, NOTE, NOTE);
  const ofModerator = await keep(chat, chat.moderator, NOTE);
  assert.equal((await set(chat.member, { enable_drafts_synchronization: true })).status, 200);
  assert.equal((await draftsOf(chat, chat.member)).count, 2);
  assert.equal((await set(chat.member, { enable_drafts_synchronization: false })).status, 200);
  assert.equal(await countStored(chat, chat.member), 0);
  for (const call of ["GET /drafts", "POST /drafts", `PATCH /drafts/${id}`, `DELETE /drafts/${id}`]) {
    const { status, body } = await chat.call(chat.member, call, { drafts: [NOTE], draft: NOTE });
    assert.deepEqual([status, body.msg], [400, OFF]);
  }
  assert.deepEqual(
    (await draftsOf(chat, chat.moderator)).drafts.map((draft: { id: number }) => draft.id),
    ofModerator,
  );
  assert.equal((await set(chat.member, { enable_drafts_synchronization: true })).status, 200);
  assert.equal((await draftsOf(chat, chat.member)).count, 0);
  await keep(chat, chat.member, NOTE);
  const both = { user_ids: [chat.member.id, chat.moderator.id], skip_if_already_edited: true };
  const byAdmin = { target_users: both, enable_drafts_synchronization: false };
  assert.equal((await set(chat.admin, byAdmin)).status, 200);
  // The member has edited the setting, so it is skipped.
  assert.equal((await draftsOf(chat, chat.member)).count, 1);
  assert.equal((await draftsOf(chat, chat.moderator)).msg, OFF);
  assert.equal(await countStored(chat, chat.moderator), 0);
});

Deno.test("the timestamp of a draft may have a fraction, and ids may not", async () => {
  await using chat = await startChat();
  const create = (draft: string) => chat.call(chat.member, "POST /drafts", { drafts: `[${draft}]` });
  const draft = (timestamp: string, to = "[]") =>
    `{"type":"","to":${to},"topic":"","content":"note","timestamp":${timestamp}}`;
  for (const timestamp of ["1795799481.5", "1795799481.0", "1.7957994815e9", "1795799481"]) {
    const { status, body } = await create(draft(timestamp));
    assert.equal(status, 200, JSON.stringify(body));
    const { drafts } = (await chat.call(chat.member, "GET /drafts")).body;
    assert.equal(drafts[0].timestamp, 1795799481, timestamp);
    const edited = await chat.call(chat.member, `PATCH /drafts/${body.ids[0]}`, { draft: draft(timestamp) });
    assert.equal(edited.status, 200);
  }
  const refusals = [
    [draft("-0.5"), "Timestamp must not be negative."],
    [draft("1e300"), 'drafts[0]["timestamp"] is too large'],
    [draft("1e999"), 'drafts[0]["timestamp"] is not an integer'],
    [draft("5.5", "[1.0]"), 'drafts[0]["to"][0] is not an integer'],
  ];
  for (const [sent = "", message] of refusals) assert.equal((await create(sent)).body.msg, message, sent);
});
