import assert from "node:assert/strict";
import { changeFullName } from "@/lib/chat/people/user_settings/change_account.ts";
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

Deno.test("changeFullName() returns whether the account has the new name", async () => {
  await using chat = await startChat();
  const caller = { realm: chat.realm, actingUser: await readMember(chat) };
  assert.equal(await changeFullName(chat.services.chat, caller, " Ann Bee "), true);
  assert.equal(await changeFullName(chat.services.chat, caller, "Ann Bee"), true);
  assert.equal((await chat.events()).length, 1);
  assert.equal((await chat.call(chat.owner, "PATCH /realm", { name_changes_disabled: true })).status, 200);
  assert.equal(await changeFullName(chat.services.chat, caller, "Ann Cee"), false);
  assert.equal((await chat.call(chat.owner, "PATCH /realm", { name_changes_disabled: false })).status, 200);
  await assert.rejects(changeFullName(chat.services.chat, caller, "*"), { code: "BAD_REQUEST" });
  assert.equal((await readMember(chat)).full_name, "Ann Bee");
});

Deno.test("changeFullName() refuses an account that was deactivated meanwhile", async () => {
  await using chat = await startChat();
  const user = await readMember(chat);
  await transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, user.id), is_active: false });
  });
  const change = changeFullName(chat.services.chat, { realm: chat.realm, actingUser: user }, "Ann");
  await assert.rejects(change, { code: "USER_DEACTIVATED" });
  assert.deepEqual(await chat.mails(), []);
});
