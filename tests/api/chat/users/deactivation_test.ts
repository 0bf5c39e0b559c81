import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { dueQueue } from "@/lib/chat/organization/collection.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const ALL = {
  delete_profile: true,
  delete_public_channel_messages: true,
  delete_private_channel_messages: true,
  delete_direct_messages: true,
};

/** Sends a message of the user and of their bot to a public channel, to a private one and to the owner. */
async function sendEverywhere(chat: TestChat, user: TestUser) {
  const { owner, bot } = chat;
  const subscribers = [owner.id, user.id, bot.id];
  for (const [name, invite_only] of [["garden", false], ["shed", true]] as const) {
    await succeed(chat, owner, "POST /channels/create", { name, invite_only, subscribers });
  }
  for (const sender of [user, bot]) {
    for (const to of ["garden", "shed"]) {
      await succeed(chat, sender, "POST /messages", { type: "channel", to, topic: "plans", content: to });
    }
    await succeed(chat, sender, "POST /messages", { type: "direct", to: [owner.id], content: "direct" });
  }
  await succeed(chat, owner, "POST /messages", { type: "direct", to: [user.id], content: "answer" });
}

/** Returns the contents of the messages of the cast that the owner can read. */
async function contents(chat: TestChat): Promise<string[]> {
  const window = { anchor: "newest", num_before: 1000, num_after: 0, apply_markdown: false };
  const { messages } = await succeed(chat, chat.owner, "GET /messages", window);
  return messages.map(({ content }: { content: string }) => content)
    .filter((content: string) => ["garden", "shed", "direct", "answer"].includes(content));
}

async function countErasures({ services }: TestChat): Promise<number> {
  return (await Array.fromAsync(services.store.kv.list({ prefix: [...dueQueue("erasure")] }))).length;
}

Deno.test("a comment on a deactivation is mailed to the user, and an empty one sends a plain mail", async () => {
  await using chat = await startChat();
  const deactivate = (user: TestUser, params = {}) =>
    succeed(chat, chat.admin, `DELETE /users/${user.id}`, params);
  await deactivate(chat.guest);
  assert.deepEqual(await chat.mails(), []);
  await deactivate(chat.member, { deactivation_notification_comment: " Farewell!\n<b>Thanks</b> " });
  await deactivate(chat.moderator, { deactivation_notification_comment: "" });
  const mails = await chat.mails();
  assert.equal(mails.length, 2);
  const mailTo = ({ email }: TestUser) => mails.find(({ to }) => to?.[0]?.address === email);
  const [commented, plain] = [mailTo(chat.member), mailTo(chat.moderator)];
  assert.equal(commented?.subject, "Your account at Gardeners was deactivated");
  assert.match(commented?.text ?? "", /following comment:\s+Farewell!\n<b>Thanks<\/b>/);
  assert.match(commented?.html ?? "", /&lt;b>Thanks|&lt;b&gt;Thanks/);
  assert.equal(plain?.subject, commented?.subject);
  assert.doesNotMatch(plain?.text ?? "", /comment/);
});

Deno.test("a refused deactivation and one with a long comment send no mail", async () => {
  await using chat = await startChat();
  const comment = { deactivation_notification_comment: "Farewell!" };
  const refusals: [TestUser, TestUser, object, string][] = [
    [chat.member, chat.guest, comment, "Insufficient permission"],
    [chat.admin, chat.owner, comment, "Must be an organization owner"],
    [chat.admin, chat.bot, comment, "No such user"],
    [chat.owner, chat.owner, comment, "Cannot deactivate the only organization owner"],
    [
      chat.admin,
      chat.member,
      { deactivation_notification_comment: "x".repeat(2001) },
      "deactivation_notification_comment is too long (limit: 2000 characters)",
    ],
    [
      chat.admin,
      chat.member,
      { actions: { delete_profile: 1 } },
      'actions["delete_profile"] is not a boolean',
    ],
    [chat.admin, chat.member, { actions: [] }, "actions is not a dict"],
  ];
  for (const [caller, target, params, msg] of refusals) {
    const { status, body } = await chat.call(caller, `DELETE /users/${target.id}`, { ...params });
    assert.deepEqual([status, body["msg"]], [400, msg]);
  }
  assert.deepEqual(await chat.mails(), []);
  assert.equal(await countErasures(chat), 0);
});

Deno.test("actions delete the profiles and the messages of a user and of their bots", async () => {
  await using chat = await startChat();
  const { member, bot, services } = chat;
  await sendEverywhere(chat, member);
  for (const user of [member, bot]) await postFiles(chat, user, "/users/me/avatar", [file(PNG)]);
  await succeed(chat, chat.admin, `DELETE /users/${member.id}`, { actions: ALL });
  await chat.events();
  chat.clock.time += 1000;
  const { changes } = await listAuditRecords(services.chat, chat.realm, { cursor: null, limit: 1 });
  assert.deepEqual(changes[0]?.details, {
    bots: "1",
    ...Object.fromEntries(Object.keys(ALL).map((name) => [name, "true"])),
  });
  assert.equal(await services.erasures.sweep(), 2);
  assert.deepEqual(await contents(chat), ["answer"]);
  for (const { id } of [member, bot]) {
    const { user } = await succeed(chat, chat.owner, `GET /users/${id}`, { client_gravatar: false });
    assert.equal(user.full_name, "Deleted user");
    assert.doesNotMatch(user.avatar_url, /[0-9a-f-]{36}/);
  }
  const sent = (await chat.events()).map(({ event }) => event);
  assert.equal(sent.filter(({ type }) => type === "delete_message").length, 6);
  const renamed = (id: number) =>
    sent.filter(({ person }) => isDeepStrictEqual(person, { user_id: id, full_name: "Deleted user" }));
  assert.deepEqual([renamed(member.id).length, renamed(bot.id).length], [1, 1]);
  assert.equal(await countErasures(chat), 0);
});

Deno.test("each action deletes messages of its kind, up to the deactivation, in several batches", async () => {
  await using chat = await startChat();
  const { member, owner, services } = chat;
  await sendEverywhere(chat, member);
  for (let at = 0; at < 201; at++) {
    await succeed(chat, member, "POST /messages", { type: "direct", to: [owner.id], content: `${at}` });
  }
  const actions = { delete_private_channel_messages: true };
  await succeed(chat, chat.admin, `DELETE /users/${member.id}`, { actions });
  chat.clock.time += 1000;
  await succeed(chat, chat.admin, `POST /users/${member.id}/reactivate`);
  const later = { type: "channel", to: "shed", topic: "plans", content: "shed" };
  await succeed(chat, member, "POST /messages", later);
  await services.erasures.sweep();
  assert.equal(await countErasures(chat), 1);
  await services.erasures.sweep();
  assert.equal(await countErasures(chat), 0);
  assert.deepEqual(await contents(chat), ["garden", "direct", "garden", "direct", "answer", "shed"]);
  const { user } = await succeed(chat, owner, `GET /users/${member.id}`);
  assert.notEqual(user.full_name, "Deleted user");
});
