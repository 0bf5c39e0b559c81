import assert from "node:assert/strict";
import { stageInvites } from "@/lib/chat/joining/invites/create_invites.ts";
import { inviteKeys, MAX_INVITES_PER_ADDRESS } from "@/lib/chat/joining/invites/model.ts";
import { checkInvites } from "@/lib/cli/check_invites.ts";
import { readRecord } from "@/lib/store/key.ts";
import {
  assertRefused,
  createInviteLink,
  inviteAddress,
  inviteAddresses,
  listInvites,
  setPermission,
} from "@/tests/casts/invites_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

function invitees(count: number) {
  return Array.from({ length: count }, (_, at) => ({ email: `a${at}@x.example`, name: "" }));
}

function listOf(count: number): string {
  return invitees(count).map(({ email }) => email).join("\n");
}

async function checkStore(chat: TestChat): Promise<string[]> {
  const sentences: string[] = [];
  await checkInvites(chat.services.store.kv, chat.realm.id, (sentence) => sentences.push(sentence));
  return sentences;
}

Deno.test("POST /invites invites a thousand addresses in order and mails each once", async () => {
  await using chat = await startChat();
  assert.equal((await inviteAddresses(chat, chat.member, listOf(1000))).status, 200);
  const items = await listInvites(chat, chat.member);
  assert.deepEqual(items.map(({ email }) => email), invitees(1000).map(({ email }) => email));
  assert.equal(new Set(items.map(({ id }) => id)).size, 1000);
  assert.equal((await chat.events()).length, 2);
  const receivers = (await chat.mails()).map(({ to }) => to?.[0]?.address);
  assert.equal(receivers.length, 1000);
  assert.equal(new Set(receivers).size, 1000);
  assert.deepEqual(await checkStore(chat), []);
});

Deno.test("staged invitations without an offer are not listed, managed or mailed", async () => {
  await using chat = await startChat();
  const staged = await stageInvites(chat.services.chat, {
    realmId: chat.realm.id,
    invitees: invitees(700),
    expires_at: null,
  });
  assert.equal(staged?.inviteIds.length, 700);
  assert.deepEqual(await listInvites(chat, chat.owner), []);
  for (const id of staged?.inviteIds.slice(0, 2) ?? []) {
    assertRefused(await chat.call(chat.owner, `DELETE /invites/${id}`), "BAD_REQUEST", "No such invitation");
    assertRefused(
      await chat.call(chat.owner, `POST /invites/${id}/resend`),
      "BAD_REQUEST",
      "No such invitation",
    );
  }
  assert.equal(await chat.services.inviteMailer.sweep(), 0);
  assert.deepEqual(await chat.mails(), []);
  assert.deepEqual(await checkStore(chat), []);
  assert.equal((await inviteAddresses(chat, chat.member, listOf(700))).status, 200);
  assert.equal((await listInvites(chat, chat.member)).length, 700);
});

Deno.test("POST /invites invites all addresses or none when the permission is revoked concurrently", async () => {
  await using chat = await startChat();
  const [answer] = await Promise.all([
    inviteAddresses(chat, chat.member, listOf(900)),
    setPermission(chat, "can_invite_users_group", "role:administrators"),
  ]);
  const invited = (await listInvites(chat, chat.owner)).length;
  if (answer.status === 200) assert.equal(invited, 900);
  else {
    assertRefused(answer, "BAD_REQUEST", "Insufficient permission");
    assert.equal(invited, 0);
    assert.deepEqual(await chat.mails(), []);
  }
});

Deno.test("concurrent invitations of one address are all found by it", async () => {
  await using chat = await startChat();
  const people = [chat.owner, chat.admin, chat.moderator, chat.member];
  const answers = await Promise.all(
    people.map((user) => inviteAddresses(chat, user, "same@example.com, other@example.com")),
  );
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
  const key = inviteKeys.ofAddress(chat.realm.id, "SAME@example.com");
  assert.equal((await readRecord<number[]>(chat.services.store.kv, key))?.length, 4);
  assert.deepEqual(await checkStore(chat), []);
});

Deno.test("the index of an address holds only its latest invitations", async () => {
  await using chat = await startChat();
  for (let count = 0; count < MAX_INVITES_PER_ADDRESS + 3; count++) {
    await inviteAddresses(chat, chat.admin, "a@example.com");
  }
  const key = inviteKeys.ofAddress(chat.realm.id, "a@example.com");
  const ids = await readRecord<number[]>(chat.services.store.kv, key);
  assert.deepEqual(ids, Array.from({ length: MAX_INVITES_PER_ADDRESS }, (_, at) => at + 4));
  assert.deepEqual(await checkStore(chat), []);
});

Deno.test("checkInvites() reports invitations missing from the index and links without an offer", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const id = await inviteAddress(chat, chat.admin, "a@example.com");
  const link = await createInviteLink(chat, chat.admin);
  assert.deepEqual(await checkStore(chat), []);
  await kv.set(inviteKeys.ofAddress(chat.realm.id, "a@example.com"), []);
  await kv.set(inviteKeys.ofAddress(chat.realm.id, "b@example.com"), [id]);
  await kv.delete(inviteKeys.offer(chat.realm.id, 2));
  assert.deepEqual(await checkStore(chat), [
    `the reusable link ${link} has no offer.`,
    `the invitation ${id} is missing from the index of its address.`,
    `the index of an address has the invitation ${id} of another address.`,
  ]);
});
