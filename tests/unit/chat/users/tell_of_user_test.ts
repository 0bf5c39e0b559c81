import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/permissions/system_groups.ts";
import { EVERYONE_OFFSET, sendHiddenEmailEvent, sendUserEvent } from "@/lib/chat/users/tell_of_user.ts";
import { EMAIL_VISIBILITY, type EmailVisibility, userKeys, type UserRecord } from "@/lib/chat/users/user.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";

const EVENT = { type: "realm_user", op: "update", person: {} };

async function userOf(chat: TestChat, { id }: Person): Promise<UserRecord> {
  const user = await readRecord<UserRecord>(chat.services.store.kv, userKeys.user(chat.realm.id, id));
  assert.ok(user !== null);
  return user;
}

Deno.test("EVERYONE_OFFSET leads to the group of everyone", async () => {
  await using chat = await startChat();
  const { realm } = chat;
  assert.equal(realm.first_system_group_id + EVERYONE_OFFSET, systemGroupId(realm, "role:everyone"));
});

Deno.test("sendUserEvent() tells guests of people only where they may know everybody", async () => {
  await using chat = await startChat();
  const people = await Promise.all([chat.member, chat.guest, chat.bot].map((person) => userOf(chat, person)));
  const told = async (group: number | undefined) => {
    const permissions = group === undefined ? {} : { can_access_all_users_group: group };
    const realm = { ...chat.realm, permissions };
    await transact(chat.services.store, (tx) => {
      for (const user of people) sendUserEvent(tx, { realm, user, now: 1 }, EVENT);
      return Promise.resolve();
    });
    return (await chat.events()).map(({ audience }) => audience);
  };
  const open = ["everyone", "everyone", "everyone"];
  assert.deepEqual(await told(undefined), open);
  assert.deepEqual(await told(systemGroupId(chat.realm, "role:everyone")), open);
  const closed = ["members", "members", [chat.guest.id], "everyone"];
  assert.deepEqual(await told(systemGroupId(chat.realm, "role:members")), closed);
});

Deno.test("sendHiddenEmailEvent() tells a real address to nobody who may not see it", async () => {
  await using chat = await startChat();
  const { realm, member, admin, guest } = chat;
  const told = async (person: Person, email_visibility: EmailVisibility) => {
    const user = { ...await userOf(chat, person), email_visibility };
    await transact(chat.services.store, (tx) => {
      sendHiddenEmailEvent(tx, { realm, user, now: 1 });
      return Promise.resolve();
    });
    return (await chat.events()).map(({ audience }) => audience);
  };
  assert.deepEqual(await told(member, EMAIL_VISIBILITY.everyone), []);
  assert.deepEqual(await told(member, EMAIL_VISIBILITY.members), ["members"]);
  assert.deepEqual(await told(guest, EMAIL_VISIBILITY.members), ["members", [guest.id]]);
  assert.deepEqual(await told(member, EMAIL_VISIBILITY.moderators), ["moderators", [member.id]]);
  assert.deepEqual(await told(admin, EMAIL_VISIBILITY.moderators), ["moderators"]);
  assert.deepEqual(await told(member, EMAIL_VISIBILITY.admins), ["admins", [member.id]]);
  assert.deepEqual(await told(admin, EMAIL_VISIBILITY.admins), ["admins"]);
  assert.deepEqual(await told(member, EMAIL_VISIBILITY.nobody), [[member.id]]);
  assert.deepEqual(await told(chat.bot, EMAIL_VISIBILITY.nobody), []);
});
