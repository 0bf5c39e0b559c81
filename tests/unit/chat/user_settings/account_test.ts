import assert from "node:assert/strict";
import { readPendingEmail, startEmailChange } from "@/lib/chat/user_settings/email_change.ts";
import { changeFullName } from "@/lib/chat/user_settings/full_name.ts";
import { getUser, putUser, readUser } from "@/lib/chat/users/store.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import { transact } from "@/lib/kv/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

async function readMember(chat: TestChat): Promise<UserRecord> {
  const user = await readUser(chat.services.chat, chat.realm.id, chat.member.id);
  assert.ok(user !== null);
  return user;
}

Deno.test("changeFullName() says whether the name is now the one that was wanted", async () => {
  await using chat = await startChat();
  const holder = { realm: chat.realm, user: await readMember(chat) };
  assert.equal(await changeFullName(chat.services.chat, holder, " Ann Bee "), true);
  assert.equal(await changeFullName(chat.services.chat, holder, "Ann Bee"), true);
  assert.equal((await chat.events()).length, 1);
  const settings = { ...chat.realm.settings, name_changes_disabled: true };
  const strict = { ...holder, realm: { ...chat.realm, settings } };
  assert.equal(await changeFullName(chat.services.chat, strict, "Ann Cee"), false);
  await assert.rejects(changeFullName(chat.services.chat, holder, "*"), { code: "BAD_REQUEST" });
  assert.equal((await readMember(chat)).full_name, "Ann Bee");
});

Deno.test("startEmailChange() says whether a mail is under way, and which address is waited for", async () => {
  await using chat = await startChat();
  const user = await readMember(chat);
  const holder = { realm: chat.realm, user, limits: null };
  assert.equal(await startEmailChange(chat.services.chat, holder, ` ${user.delivery_email}`), false);
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, user), null);
  assert.equal(await startEmailChange(chat.services.chat, holder, "new@example.com"), true);
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, user), "new@example.com");
  const later = { ...user, session_epoch: user.session_epoch + 1 };
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, later), null);
  chat.clock.time += 24 * 60 * 60 * 1000;
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, user), null);
});

Deno.test("an account that was ended meanwhile changes nothing more", async () => {
  await using chat = await startChat();
  const user = await readMember(chat);
  await transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, user.id), is_active: false });
  });
  const holder = { realm: chat.realm, user, limits: null };
  const ended = { code: "USER_DEACTIVATED" };
  await assert.rejects(changeFullName(chat.services.chat, holder, "Ann"), ended);
  await assert.rejects(startEmailChange(chat.services.chat, holder, "new@example.com"), ended);
  assert.deepEqual(await chat.mails(), []);
});
