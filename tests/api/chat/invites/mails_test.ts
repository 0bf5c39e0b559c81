import assert from "node:assert/strict";
import { sendMailing } from "@/lib/chat/joining/invites/invite_mails.ts";
import { writeMailings } from "@/lib/chat/joining/invites/store.ts";
import { inviteKeys, type InviteOffer, type MailingRecord } from "@/lib/chat/joining/invites/model.ts";
import { createDueWorkers } from "@/lib/services/chat_workers.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { inviteAddress, inviteAddresses, setPermission } from "@/tests/casts/invites_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function addresses(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}@x.example`).join("\n");
}

/** Restores the mailing of an offer, as a server leaves it that stops before it enqueues any mail. */
async function restoreMailing(chat: TestChat, offerId: number, inviteIds: readonly number[]) {
  const { store } = chat.services;
  const offer = await readRecord<InviteOffer>(store.kv, inviteKeys.offer(chat.realm.id, offerId));
  assert.ok(offer);
  return await transact(
    store,
    (tx) => Promise.resolve(writeMailings(tx, chat.realm.id, { offer, inviteIds })),
  );
}

async function countMailings(chat: TestChat): Promise<number> {
  const prefix = [...inviteKeys.mailings];
  return (await Array.fromAsync(chat.services.store.kv.list({ prefix }))).length;
}

Deno.test("an invitation mail escapes names and contains the inviter's address only if it is visible", async () => {
  await using chat = await startChat();
  const full_name = "<b Eve & Co <script";
  const profile = await chat.call(chat.member, "PATCH /settings", { full_name, email_address_visibility: 4 });
  const realmName = 'G"</title><img src=x onerror=alert(1)>';
  const renamed = await chat.call(chat.owner, "PATCH /realm", { name: realmName });
  assert.deepEqual([profile.status, renamed.status], [200, 200]);
  await inviteAddresses(chat, chat.member, '"Ann <i>" <ann@example.com>');
  const [mail] = await chat.mails();
  assert.equal(mail?.subject, `Invitation to join ${realmName}`);
  assert.ok(mail?.text?.includes(`${full_name} invites you to join ${realmName}.`));
  assert.doesNotMatch(mail?.text ?? "", /member@example\.com/);
  assert.doesNotMatch(mail?.html ?? "", /<script|<img|<b /);
  assert.deepEqual(mail?.to, [{ name: "", address: "ann@example.com" }]);
});

Deno.test("an invitation mail without expiry names no date", async () => {
  await using chat = await startChat();
  await inviteAddress(chat, chat.member, "a@example.com", { invite_expires_in_minutes: null });
  const [mail] = await chat.mails();
  assert.match(mail?.text ?? "", /You can use the link once\. If you do not know/);
  assert.equal(await countMailings(chat), 0);
});

Deno.test("one reminder is sent two days before the expiry if the invitation is valid for four days or more", async () => {
  await using chat = await startChat();
  const { inviteMailer } = chat.services;
  const minutes = { "four@example.com": 5760, "less@example.com": 5759, "three@example.com": 4320 };
  for (const [email, invite_expires_in_minutes] of Object.entries(minutes)) {
    await inviteAddress(chat, chat.member, email, { invite_expires_in_minutes });
  }
  await inviteAddress(chat, chat.member, "ever@example.com", { invite_expires_in_minutes: null });
  assert.equal((await chat.mails()).length, 4);
  chat.clock.time += 2 * DAY_MS - 1;
  assert.equal(await inviteMailer.sweep(), 0);
  chat.clock.time += 1;
  assert.equal(await inviteMailer.sweep(), 1);
  assert.equal(await inviteMailer.sweep(), 0);
  chat.clock.time += 30 * DAY_MS;
  assert.equal(await inviteMailer.sweep(), 0);
  const mails = await chat.mails();
  assert.equal(mails.length, 5);
  const reminders = mails.filter(({ subject }) => subject === "Reminder: your invitation to join Gardeners");
  assert.deepEqual(reminders.map(({ to }) => to?.[0]?.address), ["four@example.com"]);
  assert.match(reminders[0]?.text ?? "", /Member \(member@example\.com\) invited you to join Gardeners\./);
});

Deno.test("no reminder is sent for revoked invitations or ones whose inviter lost the permission", async () => {
  await using chat = await startChat();
  const revoked = await inviteAddress(chat, chat.moderator, "a@example.com");
  await inviteAddress(chat, chat.moderator, "b@example.com");
  await inviteAddress(chat, chat.member, "c@example.com");
  await inviteAddress(chat, chat.admin, "d@example.com", { invite_as: 200 });
  await inviteAddress(chat, chat.owner, "e@example.com");
  await chat.call(chat.moderator, `DELETE /invites/${revoked}`);
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 300 });
  await setPermission(chat, "can_invite_users_group", "role:moderators");
  chat.clock.time += 8 * DAY_MS;
  assert.equal(await chat.services.inviteMailer.sweep(), 5);
  const reminded = (await chat.mails()).slice(5).map(({ to }) => to?.[0]?.address);
  assert.deepEqual(reminded.sort(), ["b@example.com", "e@example.com"]);
  assert.equal(await countMailings(chat), 0);
});

Deno.test("mails left behind by a stopped server are enqueued once by concurrent workers", async () => {
  await using chat = await startChat();
  const { chat: app, inviteMailer } = chat.services;
  await inviteAddresses(chat, chat.member, addresses(120), { invite_expires_in_minutes: 60 });
  assert.equal((await chat.mails()).length, 120);
  const key = await restoreMailing(chat, 1, Array.from({ length: 120 }, (_, at) => at + 1));
  assert.ok(key);
  const other = createDueWorkers(app, () => (error) => assert.fail(String(error))).inviteMailer;
  await Promise.all([inviteMailer.sweep(), other.sweep(), sendMailing(app, key), sendMailing(app, key)]);
  const mails = await chat.mails();
  assert.equal(mails.length, 240);
  const counts = Map.groupBy(mails, ({ to }) => to?.[0]?.address);
  assert.deepEqual(new Set([...counts.values()].map(({ length }) => length)), new Set([2]));
  assert.equal(await countMailings(chat), 0);
});

Deno.test("an interrupted mailing continues with the remaining invitations", async () => {
  await using chat = await startChat();
  await inviteAddresses(chat, chat.member, addresses(60), { invite_expires_in_minutes: 60 });
  await chat.mails();
  const key = await restoreMailing(chat, 1, [59, 60, 999]);
  assert.ok(key);
  assert.deepEqual((await readRecord<MailingRecord>(chat.services.store.kv, key))?.invite_ids, [59, 60, 999]);
  assert.equal(await chat.services.inviteMailer.sweep(), 1);
  const more = (await chat.mails()).slice(60).map(({ to }) => to?.[0]?.address);
  assert.deepEqual(more.sort(), ["a58@x.example", "a59@x.example"]);
});
