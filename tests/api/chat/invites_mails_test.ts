import assert from "node:assert/strict";
import { inviteKeys, type InviteOffer } from "@/lib/chat/invites/invite.ts";
import { createInviteMailer } from "@/lib/chat/invites/invite_mailer.ts";
import { type MailingRecord, writeMailings } from "@/lib/chat/invites/mailing.ts";
import { sendMailing } from "@/lib/chat/invites/send_mailing.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { invite, inviteOne, permit } from "./invites_cast.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function addresses(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}@x.example`).join("\n");
}

/** Puts the mails of an offer back as a server leaves them that ends before it queued any. */
async function leaveMails(chat: TestChat, offerId: number, inviteIds: readonly number[]) {
  const { store } = chat.services;
  const offer = await readRecord<InviteOffer>(store.kv, inviteKeys.offer(chat.realm.id, offerId));
  assert.ok(offer);
  return await transact(
    store,
    (tx) => Promise.resolve(writeMailings(tx, chat.realm.id, { offer, inviteIds })),
  );
}

async function mailings(chat: TestChat): Promise<number> {
  const prefix = [...inviteKeys.mailings];
  return (await Array.fromAsync(chat.services.store.kv.list({ prefix }))).length;
}

Deno.test("a mail to somebody who is invited escapes names, and shows an address to whom it may be shown", async () => {
  await using chat = await startChat();
  const full_name = "<b Eve & Co <script";
  const own = await chat.call(chat.member, "PATCH /settings", { full_name, email_address_visibility: 4 });
  const realmName = 'G"</title><img src=x onerror=alert(1)>';
  const named = await chat.call(chat.owner, "PATCH /realm", { name: realmName });
  assert.deepEqual([own.status, named.status], [200, 200]);
  await invite(chat, chat.member, '"Ann <i>" <ann@example.com>');
  const [mail] = await chat.mails();
  assert.equal(mail?.subject, `Invitation to join ${realmName}`);
  assert.ok(mail?.text?.includes(`${full_name} invites you to join ${realmName}.`));
  assert.doesNotMatch(mail?.text ?? "", /member@example\.com/);
  assert.doesNotMatch(mail?.html ?? "", /<script|<img|<b /);
  assert.deepEqual(mail?.to, [{ name: "", address: "ann@example.com" }]);
});

Deno.test("a mail to somebody who is invited for ever names no end", async () => {
  await using chat = await startChat();
  await inviteOne(chat, chat.member, "a@example.com", { invite_expires_in_minutes: null });
  const [mail] = await chat.mails();
  assert.match(mail?.text ?? "", /The link works once\. If you do not know/);
  assert.equal(await mailings(chat), 0);
});

Deno.test("one reminder comes two days before the end, where it is four days off or more", async () => {
  await using chat = await startChat();
  const { inviteMailer } = chat.services;
  const minutes = { "four@example.com": 5760, "less@example.com": 5759, "three@example.com": 4320 };
  for (const [email, invite_expires_in_minutes] of Object.entries(minutes)) {
    await inviteOne(chat, chat.member, email, { invite_expires_in_minutes });
  }
  await inviteOne(chat, chat.member, "ever@example.com", { invite_expires_in_minutes: null });
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

Deno.test("nobody is reminded of what was revoked, or of what the inviter may not offer any more", async () => {
  await using chat = await startChat();
  const revoked = await inviteOne(chat, chat.moderator, "a@example.com");
  await inviteOne(chat, chat.moderator, "b@example.com");
  await inviteOne(chat, chat.member, "c@example.com");
  await inviteOne(chat, chat.admin, "d@example.com", { invite_as: 200 });
  await inviteOne(chat, chat.owner, "e@example.com");
  await chat.call(chat.moderator, `DELETE /invites/${revoked}`);
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 300 });
  await permit(chat, "can_invite_users_group", "role:moderators");
  chat.clock.time += 8 * DAY_MS;
  assert.equal(await chat.services.inviteMailer.sweep(), 5);
  const reminded = (await chat.mails()).slice(5).map(({ to }) => to?.[0]?.address);
  assert.deepEqual(reminded.sort(), ["b@example.com", "e@example.com"]);
  assert.equal(await mailings(chat), 0);
});

Deno.test("mails that a server left when it ended are queued once, whoever looks for them", async () => {
  await using chat = await startChat();
  const { chat: app, inviteMailer } = chat.services;
  await invite(chat, chat.member, addresses(120), { invite_expires_in_minutes: 60 });
  assert.equal((await chat.mails()).length, 120);
  const key = await leaveMails(chat, 1, Array.from({ length: 120 }, (_, at) => at + 1));
  assert.ok(key);
  const other = createInviteMailer(app, (error) => assert.fail(String(error)));
  await Promise.all([inviteMailer.sweep(), other.sweep(), sendMailing(app, key), sendMailing(app, key)]);
  const mails = await chat.mails();
  assert.equal(mails.length, 240);
  const counts = Map.groupBy(mails, ({ to }) => to?.[0]?.address);
  assert.deepEqual(new Set([...counts.values()].map(({ length }) => length)), new Set([2]));
  assert.equal(await mailings(chat), 0);
});

Deno.test("a mailing that was cut off goes on where it ended", async () => {
  await using chat = await startChat();
  await invite(chat, chat.member, addresses(60), { invite_expires_in_minutes: 60 });
  await chat.mails();
  const key = await leaveMails(chat, 1, [59, 60, 999]);
  assert.ok(key);
  assert.deepEqual((await readRecord<MailingRecord>(chat.services.store.kv, key))?.invite_ids, [59, 60, 999]);
  assert.equal(await chat.services.inviteMailer.sweep(), 1);
  const more = (await chat.mails()).slice(60).map(({ to }) => to?.[0]?.address);
  assert.deepEqual(more.sort(), ["a58@x.example", "a59@x.example"]);
});
