import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { sendHiddenEmailEvent, sendUserEvent } from "@/lib/chat/organization/users/events.ts";
import {
  EMAIL_VISIBILITY,
  type EmailVisibility,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const EVENT = { type: "realm_user", op: "update", person: {} };

async function readUser(chat: TestChat, { id }: TestUser): Promise<UserRecord> {
  const user = await readRecord<UserRecord>(chat.services.store.kv, userKeys.user(chat.realm.id, id));
  assert.ok(user !== null);
  return user;
}

Deno.test("sendUserEvent() sends events about humans to guests only when guests can access all users", async () => {
  await using chat = await startChat();
  const people = await Promise.all(
    [chat.member, chat.guest, chat.bot].map((person) => readUser(chat, person)),
  );
  const listAudiences = async (group: number | undefined) => {
    const permissions = group === undefined ? {} : { can_access_all_users_group: group };
    const realm = { ...chat.realm, permissions };
    await transact(chat.services.store, (tx) => {
      for (const user of people) sendUserEvent({ app: chat.services.chat, tx, realm }, user, EVENT);
      return Promise.resolve();
    });
    return (await chat.events()).map(({ audience }) => audience);
  };
  const open = ["everyone", "everyone", "everyone"];
  assert.deepEqual(await listAudiences(undefined), open);
  assert.deepEqual(await listAudiences(systemGroupId(chat.realm, "role:everyone")), open);
  const closed = ["members", "members", [chat.guest.id], "everyone"];
  assert.deepEqual(await listAudiences(systemGroupId(chat.realm, "role:members")), closed);
});

Deno.test("sendHiddenEmailEvent() sends a real address only to users who can see it", async () => {
  await using chat = await startChat();
  const { realm, member, admin, guest } = chat;
  const listAudiences = async (person: TestUser, email_visibility: EmailVisibility) => {
    const user = { ...await readUser(chat, person), email_visibility };
    await transact(chat.services.store, (tx) => {
      sendHiddenEmailEvent({ app: chat.services.chat, tx, realm }, user);
      return Promise.resolve();
    });
    return (await chat.events()).map(({ audience }) => audience);
  };
  assert.deepEqual(await listAudiences(member, EMAIL_VISIBILITY.everyone), []);
  assert.deepEqual(await listAudiences(member, EMAIL_VISIBILITY.members), ["members"]);
  assert.deepEqual(await listAudiences(guest, EMAIL_VISIBILITY.members), ["members", [guest.id]]);
  assert.deepEqual(await listAudiences(member, EMAIL_VISIBILITY.moderators), ["moderators", [member.id]]);
  assert.deepEqual(await listAudiences(admin, EMAIL_VISIBILITY.moderators), ["moderators"]);
  assert.deepEqual(await listAudiences(member, EMAIL_VISIBILITY.admins), ["admins", [member.id]]);
  assert.deepEqual(await listAudiences(admin, EMAIL_VISIBILITY.admins), ["admins"]);
  assert.deepEqual(await listAudiences(member, EMAIL_VISIBILITY.nobody), [[member.id]]);
  assert.deepEqual(await listAudiences(chat.bot, EMAIL_VISIBILITY.nobody), []);
});
