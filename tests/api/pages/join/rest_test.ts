// The steps after the commit that creates a new user's account.
import assert from "node:assert/strict";
import { completeJoin, writePendingJoin } from "@/lib/chat/joining/invites/complete_join.ts";
import { inviteKeys, type PendingJoinRecord } from "@/lib/chat/joining/invites/model.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { putChannel } from "@/lib/chat/channels/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { ROLE } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import { invite, JOIN_FORM, storedInvite } from "@/tests/casts/join_cast.ts";
import { addChannel, channelsOf, directTexts, findPerson } from "@/tests/casts/newcomer_cast.ts";

const MINUTE_MS = 60_000;

/** Leaves a new user in the state of a server that stopped after it created the account. */
async function interruptJoin(chat: TestChat, user: TestUser, left: Partial<PendingJoinRecord>) {
  const { id } = await invite(chat, { welcome_message_custom_text: "Mind the bees." });
  const offer_id = (await storedInvite(chat, id))?.offer_id ?? 0;
  const record = {
    ...{ realm_id: chat.realm.id, user_id: user.id, inviter_id: chat.admin.id, offer_id },
    ...{ group_ids: [], channel_ids: [], ...left },
  };
  return await transact(
    chat.services.store,
    (tx) => Promise.resolve(writePendingJoin(tx, chat.clock.now(), record)),
  );
}

async function createGroups(chat: TestChat, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const group = { name: `group ${at}`, description: "", members: [] };
    ids.push((await chat.call(chat.admin, "POST /user_groups/create", group)).body.group_id);
  }
  return ids;
}

Deno.test("the next server completes an interrupted join, once", async () => {
  await using chat = await startChat();
  const names = Array.from({ length: 12 }, (_, at) => `channel ${String(at).padStart(2, "0")}`);
  const channel_ids: number[] = [];
  for (const name of names) channel_ids.push(await addChannel(chat, name));
  const group_ids = await createGroups(chat, 7);
  const noor = await chat.add("noor");
  const key = await interruptJoin(chat, noor, { channel_ids, group_ids });
  const { joinFinisher } = chat.services;
  assert.equal(await joinFinisher.sweep(), 0, "whoever made the account has some time");
  assert.deepEqual(await channelsOf(chat, noor), []);
  chat.clock.time += MINUTE_MS;
  assert.equal(await joinFinisher.sweep(), 1);
  assert.deepEqual(await channelsOf(chat, noor), names);
  for (const id of group_ids) {
    const { body } = await chat.call(noor, `GET /user_groups/${id}/members/${noor.id}`);
    assert.equal(body.is_user_group_member, true);
  }
  assert.deepEqual(await directTexts(chat, noor), ["Mind the bees."]);
  assert.equal(await joinFinisher.sweep(), 0);
  await completeJoin(chat.services.chat, key);
  assert.deepEqual(await directTexts(chat, noor), ["Mind the bees."]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("a user whom an administrator creates joins the default channels and is welcomed", async () => {
  await using chat = await startChat();
  const names = Array.from({ length: 7 }, (_, at) => `channel ${at}`);
  for (const name of names) await addChannel(chat, name, { is_default_stream: true });
  await addChannel(chat, "other");
  await chat.call(chat.owner, "PATCH /realm", { welcome_message_custom_text: "Mind the bees." });
  const form = { email: "noor@example.com", password: "seven purple lanterns drift", full_name: "Noor" };
  assert.equal((await chat.call(chat.admin, "POST /users", form)).status, 200);
  const noor = await findPerson(chat);
  assert.deepEqual(await channelsOf(chat, noor), names);
  assert.deepEqual(await directTexts(chat, noor), ["Mind the bees."]);
  chat.clock.time += MINUTE_MS;
  assert.equal(await chat.services.joinFinisher.sweep(), 0);
});

/** Creates public default channels, whose permissions name as many users as one record holds. */
async function addLargeChannels(chat: TestChat, names: readonly string[]): Promise<void> {
  const direct_members = Array.from({ length: 1000 }, (_, at) => 1000 + at);
  for (const name of names) {
    const id = await addChannel(chat, name, { is_default_stream: true });
    await transact(chat.services.store, async (tx) => {
      const channel = await tx.get<ChannelRecord>(channelKeys.channel(chat.realm.id, id));
      assert.ok(channel !== null);
      const settings = permissionRules("channel").map(({ setting }) => setting);
      const named = settings.map((setting) => [setting, { direct_members, direct_subgroups: [] }]);
      const permissions = { ...channel.permissions, ...Object.fromEntries(named) };
      const organization = permissionsOf(await tx.organization(chat.realm.id), chat.clock);
      putChannel(tx, organization, { ...channel, permissions });
    });
  }
}

Deno.test("a new user joins channels whose events exceed one commit, created or invited", async () => {
  await using chat = await startChat();
  const names = Array.from({ length: 7 }, (_, at) => `channel ${at}`);
  await addLargeChannels(chat, names);
  const form = { email: "noor@example.com", password: "seven purple lanterns drift", full_name: "Noor" };
  assert.equal((await chat.call(chat.admin, "POST /users", form)).status, 200);
  assert.deepEqual(await channelsOf(chat, await findPerson(chat)), names);

  const offer = { include_realm_default_subscriptions: true };
  const { path } = await invite(chat, offer, { email: "ada@example.com" });
  assert.equal((await visitPages(chat).post(path, JOIN_FORM)).status, 303);
  assert.deepEqual(await channelsOf(chat, await findPerson(chat, "ada@example.com")), names);
});

Deno.test("a channel that cannot be joined is skipped and logged, and the join ends", async () => {
  await using chat = await startChat();
  const id = await addChannel(chat, "open");
  const noor = await chat.add("noor");
  const key = await interruptJoin(chat, noor, { channel_ids: [id], inviter_id: 999_999 });
  await completeJoin(chat.services.chat, key);
  assert.deepEqual(await channelsOf(chat, noor), []);
  assert.equal(await readRecord(chat.services.store.kv, key), null);
  assert.match(await chat.log(), new RegExp(`new member not added to a channel or group.* ${noor.id}: `));
});

Deno.test("a created user who became a guest meanwhile joins no default channels", async () => {
  await using chat = await startChat();
  const channel_ids = [await addChannel(chat, "news", { is_default_stream: true })];
  const noor = await chat.add("noor");
  const key = await interruptJoin(chat, noor, { channel_ids, offer_id: null });
  await chat.call(chat.owner, `PATCH /users/${noor.id}`, { role: ROLE.guest });
  await completeJoin(chat.services.chat, key);
  assert.deepEqual(await channelsOf(chat, noor), []);
});

Deno.test("a deleted channel or group does not stop the rest of a join", async () => {
  await using chat = await startChat();
  const gone = await addChannel(chat, "gone");
  const closed = await addChannel(chat, "closed", { invite_only: true, subscribers: [chat.owner.id] });
  const open = await addChannel(chat, "open");
  const [ended = 0, held = 0] = await createGroups(chat, 2);
  const noor = await chat.add("noor");
  await interruptJoin(chat, noor, { channel_ids: [gone, closed, 999, open], group_ids: [ended, 999, held] });
  await chat.call(chat.owner, `DELETE /streams/${gone}`);
  await chat.call(chat.owner, `POST /user_groups/${ended}/deactivate`);
  chat.clock.time += MINUTE_MS;
  assert.equal(await chat.services.joinFinisher.sweep(), 1);
  assert.ok((await channelsOf(chat, noor)).includes("open"));
  const { body } = await chat.call(noor, `GET /user_groups/${held}/members/${noor.id}`);
  assert.equal(body.is_user_group_member, true);
});

Deno.test("a user deactivated meanwhile is not processed, and the record is removed", async () => {
  await using chat = await startChat();
  const id = await addChannel(chat, "open");
  const noor = await chat.add("noor");
  const key = await interruptJoin(chat, noor, { channel_ids: [id] });
  await chat.call(chat.owner, `DELETE /users/${noor.id}`);
  chat.clock.time += MINUTE_MS;
  assert.equal(await chat.services.joinFinisher.sweep(), 1);
  assert.equal(await readRecord(chat.services.store.kv, key), null);
  const { body } = await chat.call(chat.owner, `GET /streams/${id}/members`);
  assert.ok(!body.subscribers.includes(noor.id));
});

Deno.test("processes that complete a join at the same time send each notice once", async () => {
  await using chat = await startChat();
  const ada = await chat.add("ada");
  const channel_ids = [await addChannel(chat, "open")];
  const key = await interruptJoin(chat, ada, { channel_ids });
  const { chat: app } = chat.services;
  await Promise.all([completeJoin(app, key), completeJoin(app, key), completeJoin(app, key)]);
  assert.deepEqual(await channelsOf(chat, ada), ["open"]);
  assert.deepEqual(await directTexts(chat, ada), ["Mind the bees."]);
  assert.equal((await directTexts(chat, chat.admin)).length, 1);
  assert.equal(await readRecord(app.store.kv, key), null);
});

Deno.test("joining leaves no record of pending work", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  assert.equal((await visitPages(chat).post(path, JOIN_FORM)).status, 303);
  await findPerson(chat);
  const rows = chat.services.store.kv.list({ prefix: [...inviteKeys.joinings] });
  assert.deepEqual(await Array.fromAsync(rows), []);
});
