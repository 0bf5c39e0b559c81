import assert from "node:assert/strict";
import { requestEmailChange } from "@/lib/chat/people/user_settings/change_account.ts";
import { readPendingEmail } from "@/lib/chat/people/user_settings/store.ts";
import { getUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

async function readMember(chat: TestChat): Promise<UserRecord> {
  const user = await readUser(chat.services.chat, chat.realm.id, chat.member.id);
  assert.ok(user !== null);
  return user;
}

Deno.test("requestEmailChange() returns whether a mail was sent, and stores the pending address", async () => {
  await using chat = await startChat();
  const user = await readMember(chat);
  const caller = { realm: chat.realm, actingUser: user, isSession: false, limits: null };
  assert.equal(await requestEmailChange(chat.services.chat, caller, ` ${user.delivery_email}`), false);
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, user), null);
  assert.equal(await requestEmailChange(chat.services.chat, caller, "new@example.com"), true);
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, user), "new@example.com");
  const later = { ...user, session_epoch: user.session_epoch + 1 };
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, later), null);
  chat.clock.time += 24 * 60 * 60 * 1000;
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, user), null);
});

Deno.test("requestEmailChange() refuses an account that was deactivated meanwhile", async () => {
  await using chat = await startChat();
  const user = await readMember(chat);
  await transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, user.id), is_active: false });
  });
  const caller = { realm: chat.realm, actingUser: user, isSession: false, limits: null };
  const change = requestEmailChange(chat.services.chat, caller, "new@example.com");
  await assert.rejects(change, { code: "USER_DEACTIVATED" });
  assert.deepEqual(await chat.mails(), []);
});
