import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const LIST = "GET /realm/presence";
const DAY = 24 * 60 * 60 * 1000;
const LIMITED = { env: { CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: "true" } };
const report = (chat: TestChat, user: TestUser, status = "active") =>
  chat.call(user, "POST /users/me/presence", { status, ping_only: true });

async function listEmails(chat: TestChat, user: TestUser): Promise<string[]> {
  const { status, body } = await chat.call(user, LIST);
  assert.equal(status, 200);
  return Object.keys(body["presences"]).sort();
}

Deno.test("GET /realm/presence is empty before the first report (B-pres-05)", async () => {
  await using chat = await startChat();
  chat.clock.time += 250;
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await chat.call(user, LIST);
    const server_timestamp = chat.clock.time / 1000;
    assert.deepEqual([status, body], [200, { result: "success", msg: "", presences: {}, server_timestamp }]);
  }
  assert.equal((await chat.call(null, LIST)).status, 401);
  const spare = await chat.call(chat.member, LIST, { slim_presence: true });
  assert.deepEqual(spare.body["ignored_parameters_unsupported"], ["slim_presence"]);
});

Deno.test("GET /realm/presence returns active users by API email, and idle ones after 70 seconds", async () => {
  await using chat = await startChat();
  await chat.call(chat.member, "PATCH /settings", { email_address_visibility: 4 });
  const joined = chat.clock.time / 1000;
  await report(chat, chat.member);
  const address = `user${chat.member.id}@localhost`;
  const readPresence = async () => (await chat.call(chat.bot, LIST)).body["presences"][address];
  const presence = (status: string, timestamp: number) => ({
    aggregated: { client: "website", status, timestamp },
    website: { client: "website", status, timestamp, pushable: false },
  });
  assert.deepEqual(await readPresence(), presence("active", joined));
  chat.clock.time += 70_000;
  await report(chat, chat.member, "idle");
  assert.deepEqual(await readPresence(), presence("active", joined));
  chat.clock.time += 56_000;
  await report(chat, chat.member, "idle");
  assert.deepEqual(await readPresence(), presence("idle", joined + 126));
  // The list never contains the status offline.
  chat.clock.time += DAY;
  assert.deepEqual(await readPresence(), presence("idle", joined + 126));
});

Deno.test("GET /realm/presence includes users for 14 days", async () => {
  await using chat = await startChat();
  await report(chat, chat.member);
  chat.clock.time += 14 * DAY;
  assert.deepEqual(await listEmails(chat, chat.admin), [chat.member.email]);
  chat.clock.time += 1;
  assert.deepEqual(await listEmails(chat, chat.admin), []);
  await report(chat, chat.member);
  assert.deepEqual(await listEmails(chat, chat.admin), [chat.member.email]);
});

Deno.test("GET /realm/presence omits deactivated users until they are reactivated", async () => {
  await using chat = await startChat();
  await report(chat, chat.member);
  await report(chat, chat.guest);
  assert.equal((await chat.call(chat.owner, `DELETE /users/${chat.member.id}`)).status, 200);
  assert.deepEqual(await listEmails(chat, chat.admin), [chat.guest.email]);
  assert.equal((await chat.call(chat.owner, `POST /users/${chat.member.id}/reactivate`)).status, 200);
  assert.deepEqual(await listEmails(chat, chat.admin), [chat.guest.email, chat.member.email]);
});

Deno.test("GET /realm/presence returns no other organization, and nothing while presence is disabled", async () => {
  await using chat = await startChat();
  await report(chat, chat.member);
  assert.deepEqual(await listEmails(chat, chat.outsider), []);
  await report(chat, chat.outsider);
  assert.deepEqual(await listEmails(chat, chat.outsider), [chat.outsider.email]);
  assert.deepEqual(await listEmails(chat, chat.admin), [chat.member.email]);
  await chat.call(chat.owner, "PATCH /realm", { presence_disabled: true });
  assert.deepEqual(await listEmails(chat, chat.admin), []);
  assert.deepEqual(await listEmails(chat, chat.outsider), [chat.outsider.email]);
});

Deno.test("users without access to all users see all presence without addresses unless the server limits it", async () => {
  for (const [options, isLimited] of [[{}, false], [LIMITED, true]] as const) {
    await using chat = await startChat(options);
    const group = await chat.call(chat.owner, "GET /user_groups");
    const members = group.body["user_groups"].find(({ name }: { name: string }) => name === "role:members");
    const update = { can_access_all_users_group: { new: members.id } };
    assert.equal((await chat.call(chat.owner, "PATCH /realm", update)).status, 200);
    for (const user of [chat.member, chat.guest]) await report(chat, user);
    const both = [chat.guest.email, chat.member.email];
    assert.deepEqual(await listEmails(chat, chat.member), both);
    const shown = [chat.guest.email, `user${chat.member.id}@localhost`];
    assert.deepEqual(await listEmails(chat, chat.guest), isLimited ? [chat.guest.email] : shown);
    const changes = { status: "active", last_update_id: 1 };
    const after = await chat.call(chat.member, "POST /users/me/presence", changes);
    assert.deepEqual(Object.keys(after.body["presences"]), [String(chat.guest.id)]);
    const limited = await chat.call(chat.guest, "POST /users/me/presence", { ...changes, last_update_id: 2 });
    assert.deepEqual(limited.body["presences"], {});
    chat.clock.time += 14 * DAY + 1;
    assert.deepEqual(await listEmails(chat, chat.guest), []);
  }
});

/** Returns the kinds of records that a chat's store lists during some work. */
async function recordListings({ services }: TestChat, work: () => Promise<unknown>): Promise<string[]> {
  const { kv } = services.store;
  const list = kv.list.bind(kv);
  const kinds: string[] = [];
  kv.list = (selector, options) => {
    kinds.push(String(("prefix" in selector ? selector.prefix : selector.start)[1]));
    return list(selector, options);
  };
  await work();
  kv.list = list;
  return kinds;
}

Deno.test("GET /realm/presence reads only reports that were stored since the last call", async () => {
  await using chat = await startChat();
  await report(chat, chat.member);
  await listEmails(chat, chat.admin);
  assert.deepEqual(await recordListings(chat, () => listEmails(chat, chat.guest)), []);
  await report(chat, chat.owner);
  const both = [chat.member.email, chat.owner.email].sort();
  const kinds = await recordListings(chat, async () => {
    assert.deepEqual(await listEmails(chat, chat.guest), both);
  });
  assert.deepEqual(kinds, ["presence_update"]);
});
