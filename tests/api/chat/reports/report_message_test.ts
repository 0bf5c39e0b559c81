// POST /messages/{message_id}/report
import assert from "node:assert/strict";
import { MAX_REPORTS_PER_DAY } from "@/lib/chat/messages/reports.ts";
import { fetchContents, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const SPAM = { report_type: "spam" };
const NOT_CONFIGURED = [
  400,
  "BAD_REQUEST",
  "Moderation request channel must be specified to enable message reporting.",
];

async function report(chat: TestChat, user: TestUser | null, id: number, params: TestParams = SPAM) {
  const { status, body } = await chat.call(user, `POST /messages/${id}/report`, params);
  return [status, body.code, body.msg];
}

/** Creates the private channel of the moderators and chooses it for reports. */
async function openReports(chat: TestChat): Promise<number> {
  const id = await makeChannel(chat, "Moderation", {
    invite_only: true,
    subscribers: [chat.owner.id, chat.moderator.id],
  });
  await succeed(chat, chat.owner, "PATCH /realm", { moderation_request_channel_id: id });
  return id;
}

Deno.test("a report reaches the moderators' channel with the message, the reporter and the reason", async () => {
  await using chat = await startChat();
  const { owner, member, guest } = chat;
  await openReports(chat);
  const garden = await makeChannel(chat, "Garden");
  const id = await send(chat, owner, { to: garden, topic: "weeds", content: "Buy ```now``` @**Member**" });
  assert.deepEqual(await report(chat, member, id, { ...SPAM, description: " Again " }), [200, undefined, ""]);
  const direct = await sendDirect(chat, owner, [guest], "hello");
  assert.deepEqual(
    (await report(chat, guest, direct, { report_type: "other", description: "rude" }))[0],
    200,
  );
  const reports = (await fetchContents(chat, chat.moderator, ["channel", "Moderation"])).slice(-2);
  assert.deepEqual(reports, [
    [
      `@_**Member|${member.id}** reported message ${id} by @_**Owner|${owner.id}** in #**Garden>weeds**.`,
      "",
      "* Reason: **Spam**",
      "* Explanation:",
      "``` quote\nAgain\n```",
      "",
      "```` quote\nBuy ```now``` @**Member**\n````",
    ].join("\n"),
    [
      `@_**Guest|${guest.id}** reported message ${direct} by @_**Owner|${owner.id}** in a direct message.`,
      "",
      "* Reason: **Other reason**",
      "* Explanation:",
      "``` quote\nrude\n```",
      "",
      "``` quote\nhello\n```",
    ].join("\n"),
  ]);
  const { body } = await chat.call(chat.moderator, "GET /messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: [["channel", "Moderation"]],
  });
  const [last] = body.messages;
  assert.deepEqual([last.subject, last.sender_full_name], [
    "Owner's moderation requests",
    "Notification Bot",
  ]);
});

Deno.test("reports need a message that the reporter can see, a reason and a private channel", async () => {
  await using chat = await startChat();
  const { owner, admin, member, guest } = chat;
  const garden = await makeChannel(chat, "Garden");
  const id = await send(chat, owner, { to: garden, content: "hello" });
  assert.deepEqual(await report(chat, member, id), NOT_CONFIGURED);
  const choose = async (user: TestUser, moderation_request_channel_id: number) => {
    const { status, body } = await chat.call(user, "PATCH /realm", { moderation_request_channel_id });
    return [status, body.msg];
  };
  assert.deepEqual(await choose(admin, garden), [400, "Moderation request channel must be private."]);
  assert.deepEqual(await choose(admin, 999_999), [400, "Invalid channel ID"]);
  const reports = await openReports(chat);
  const { realm_moderation_request_channel_id, server_report_message_types } = await succeed(
    chat,
    member,
    "POST /register",
    { fetch_event_types: ["realm"] },
  );
  assert.equal(realm_moderation_request_channel_id, reports);
  assert.deepEqual(server_report_message_types[0], { key: "spam", name: "Spam" });
  const invalid = [400, "BAD_REQUEST", "Invalid message(s)"];
  for (const unknown of [id, 999_999]) assert.deepEqual(await report(chat, guest, unknown), invalid);
  assert.equal((await report(chat, member, id, {}))[2], "Missing 'report_type' argument");
  const noReason = "Invalid report_type: Value error, Not in the list of possible values";
  assert.equal((await report(chat, member, id, { report_type: "x" }))[2], noReason);
  const noText = "An explanation is required for this reason.";
  assert.equal((await report(chat, member, id, { report_type: "other", description: "  " }))[2], noText);
  const long = "description is too long (limit: 1000 characters)";
  assert.equal((await report(chat, member, id, { ...SPAM, description: "x".repeat(1001) }))[2], long);
  assert.equal((await report(chat, null, id))[0], 401);
  // A channel that became public or was archived no longer receives reports.
  await succeed(chat, owner, `PATCH /streams/${reports}`, { is_private: false });
  assert.deepEqual(await report(chat, member, id), NOT_CONFIGURED);
  assert.deepEqual(await choose(admin, -1), [200, ""]);
  assert.deepEqual(await report(chat, member, id), NOT_CONFIGURED);
});

Deno.test("the longest messages can be reported, and an account reports a limited number a day", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: "on" } });
  await openReports(chat);
  const garden = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.owner, { to: garden, content: "`".repeat(500) + "x".repeat(9500) });
  const full = { ...SPAM, description: "`".repeat(1000) };
  for (let count = 0; count < MAX_REPORTS_PER_DAY; count++) {
    assert.equal((await report(chat, chat.member, id, full))[0], 200);
  }
  assert.deepEqual((await report(chat, chat.member, id)).slice(0, 2), [429, "RATE_LIMIT_HIT"]);
  assert.equal((await report(chat, chat.moderator, id))[0], 200);
  chat.clock.time += 24 * 60 * 60 * 1000;
  assert.equal((await report(chat, chat.member, id))[0], 200);
});
