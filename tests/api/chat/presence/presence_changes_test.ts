import assert from "node:assert/strict";
import { MAX_ACCOUNTS_NOTIFIED } from "@/lib/chat/people/presence/report_presence.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const REPORT = "POST /users/me/presence";
const DAY = 24 * 60 * 60 * 1000;
const report = (chat: TestChat, user: TestUser, params: Record<string, unknown> = {}) =>
  chat.call(user, REPORT, { status: "active", ...params });

Deno.test("POST /users/me/presence returns changes since an update id by user id", async () => {
  await using chat = await startChat();
  const at = chat.clock.time / 1000;
  const times = { active_timestamp: at, idle_timestamp: at };
  const first = await report(chat, chat.member, { last_update_id: -1 });
  assert.deepEqual(first.body["presences"], { [chat.member.id]: times });
  assert.equal(first.body["presence_last_update_id"], 1);
  const slim = await report(chat, chat.guest, { slim_presence: true });
  assert.deepEqual(slim.body["presences"], { [chat.member.id]: times, [chat.guest.id]: times });
  const next = await report(chat, chat.member, { last_update_id: 1 });
  assert.deepEqual(next.body["presences"], { [chat.guest.id]: times });
  assert.equal(next.body["presence_last_update_id"], 2);
  const none = await report(chat, chat.member, { last_update_id: 2 });
  assert.deepEqual([none.body["presences"], none.body["presence_last_update_id"]], [{}, 2]);
  const ahead = await report(chat, chat.member, { last_update_id: 2 ** 50 });
  assert.deepEqual([ahead.body["presences"], ahead.body["presence_last_update_id"]], [{}, 2]);
});

Deno.test("changes omit deactivated users and include a user with two reports once", async () => {
  await using chat = await startChat();
  for (const user of [chat.member, chat.guest, chat.admin]) await report(chat, user);
  chat.clock.time += 60_000;
  await report(chat, chat.guest);
  await chat.call(chat.owner, `DELETE /users/${chat.admin.id}`);
  const { body } = await report(chat, chat.owner, { last_update_id: 1 });
  assert.deepEqual(
    Object.keys(body["presences"]),
    [chat.guest.id, chat.owner.id].map(String).sort((a, b) => Number(a) - Number(b)),
  );
});

Deno.test("history_limit_days limits the age of presence; 0 returns none", async () => {
  await using chat = await startChat();
  await report(chat, chat.guest);
  chat.clock.time += 20 * DAY;
  const count = async (params: Record<string, unknown>) =>
    Object.keys((await report(chat, chat.member, params)).body["presences"]).length;
  assert.deepEqual(
    [await count({}), await count({ history_limit_days: 19 }), await count({ history_limit_days: 20 })],
    [1, 1, 2],
  );
  assert.deepEqual([await count({ history_limit_days: 0 }), await count({ history_limit_days: 1e6 })], [
    0,
    2,
  ]);
});

Deno.test("a client that continues from the last update id misses no parallel report", async () => {
  await using chat = await startChat();
  const people = [chat.owner, chat.admin, chat.moderator, chat.guest];
  const known = new Map<string, number>();
  let last = -1;
  const look = async () => {
    const { body } = await report(chat, chat.member, { last_update_id: last });
    last = body["presence_last_update_id"];
    for (
      const [id, { active_timestamp }] of Object.entries<{ active_timestamp: number }>(body["presences"])
    ) {
      known.set(id, active_timestamp);
    }
  };
  for (let round = 0; round < 10; round++) {
    chat.clock.time += 56_000;
    await Promise.all(people.flatMap((user) => [report(chat, user, { ping_only: true }), look()]));
  }
  await look();
  for (const { id } of people) assert.equal(known.get(String(id)), chat.clock.time / 1000);
});

Deno.test("a first report and activity after more than 140 seconds send an event to everyone", async () => {
  await using chat = await startChat();
  const at = chat.clock.time / 1000;
  await report(chat, chat.member);
  assert.deepEqual(await chat.events(), [{
    event: {
      type: "presence",
      email: chat.member.email,
      user_id: chat.member.id,
      server_timestamp: at,
      presence: { website: { client: "website", status: "active", timestamp: at, pushable: false } },
      presences: { [chat.member.id]: { active_timestamp: at, idle_timestamp: at } },
    },
    audience: "everyone",
  }]);
  chat.clock.time += 140_000;
  await report(chat, chat.member);
  assert.deepEqual(await chat.events(), []);
  chat.clock.time += 140_001;
  await report(chat, chat.member, { status: "idle" });
  assert.deepEqual(await chat.events(), []);
  await report(chat, chat.member);
  assert.deepEqual((await chat.events()).map(({ event }) => event["server_timestamp"]), [
    chat.clock.time / 1000,
  ]);
});

Deno.test("only users with access receive events when the server limits presence", async () => {
  await using chat = await startChat({ env: { CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: "true" } });
  const { body } = await chat.call(chat.owner, "GET /user_groups");
  const members = body["user_groups"].find(({ name }: { name: string }) => name === "role:members");
  await chat.call(chat.owner, "PATCH /realm", { can_access_all_users_group: { new: members.id } });
  await chat.events();
  await report(chat, chat.member);
  const { owner, admin, moderator, member, bot } = chat;
  const ids = [owner, admin, moderator, member, bot].map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual((await chat.events()).map(({ audience }) => audience), [ids]);
});

Deno.test("organizations with more than 100 active accounts send no presence events", async () => {
  await using chat = await startChat();
  // The cast has six accounts.
  for (let number = 6; number < MAX_ACCOUNTS_NOTIFIED; number++) await chat.add(`person${number}`);
  await chat.events();
  await report(chat, chat.member);
  assert.equal((await chat.events()).length, 1);
  await chat.add("another");
  await chat.events();
  await report(chat, chat.guest);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("more than a hundred changes are returned like a few", async () => {
  await using chat = await startChat();
  const people = await Promise.all(Array.from({ length: 120 }, (_, number) => chat.add(`person${number}`)));
  await report(chat, chat.member);
  await Promise.all(people.map((user) => report(chat, user, { ping_only: true })));
  const { body } = await report(chat, chat.member, { last_update_id: 1 });
  assert.deepEqual(
    Object.keys(body["presences"]).map(Number),
    people.map(({ id }) => id).sort((one, other) => one - other),
  );
  // Reports that share a commit in vain take further ids.
  const last_update_id = body["presence_last_update_id"];
  assert.ok(last_update_id >= 121, `${last_update_id}`);
  const { body: next } = await report(chat, chat.member, { last_update_id });
  assert.deepEqual([next["presences"], next["presence_last_update_id"]], [{}, last_update_id]);
});

Deno.test("POST /register returns presence in the format that the client requests", async () => {
  await using chat = await startChat();
  const at = chat.clock.time / 1000;
  const register = async (params: Record<string, unknown> = {}) =>
    (await chat.call(chat.guest, "POST /register", { fetch_event_types: ["presence", "realm"], ...params }))
      .body;
  assert.deepEqual([(await register())["presences"], (await register())["presence_last_update_id"]], [
    {},
    -1,
  ]);
  await report(chat, chat.member);
  const legacy = await register();
  assert.deepEqual(Object.keys(legacy["presences"]), [chat.member.email]);
  assert.deepEqual([legacy["presence_last_update_id"], legacy["server_timestamp"]], [1, at]);
  assert.equal(legacy["realm_presence_disabled"], false);
  const slim = await register({ slim_presence: true });
  assert.deepEqual(slim["presences"], { [chat.member.id]: { active_timestamp: at, idle_timestamp: at } });
  assert.deepEqual((await register({ presence_history_limit_days: 0 }))["presences"], {});
  await chat.call(chat.owner, "PATCH /realm", { presence_disabled: true });
  const disabled = await register();
  assert.deepEqual([disabled["presences"], disabled["realm_presence_disabled"]], [{}, true]);
});
