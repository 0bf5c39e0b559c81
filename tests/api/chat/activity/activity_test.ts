// Who counts as active, and when the activity is stored
import assert from "node:assert/strict";
import {
  activityKeys,
  type ActivityRecord,
  listActiveCounts,
  listLastActivity,
  readActiveCounts,
  readLastActivity,
} from "@/lib/chat/people/activity/store.ts";
import { drainChat } from "@/lib/chat/register/create_app.ts";
import { presenceKeys, type PresenceRecord } from "@/lib/chat/people/presence/model.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { readEntry } from "@/lib/store/key.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { PASSWORD, startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const MINUTE_MS = 60 * 1000;

function stored({ services, realm }: TestChat, { id }: TestUser) {
  return readEntry<ActivityRecord>(services.store.kv, activityKeys.activity(realm.id, id));
}

async function lastOf({ services, realm }: TestChat, { id }: TestUser): Promise<number | null> {
  const [last = null] = await readLastActivity(services.chat, realm.id, [id]);
  const listed = await listLastActivity(services.chat, realm.id);
  assert.equal(listed.get(id) ?? null, last);
  return last;
}

/** Returns whether a call made a user active. */
async function isActiveBy(chat: TestChat, user: TestUser, act: () => Promise<unknown>): Promise<boolean> {
  // Listings are reused for a minute.
  chat.clock.time += DAY_MS;
  await act();
  const last = await lastOf(chat, user);
  const { today } = await readActiveCounts(chat.services.chat, chat.realm.id);
  assert.equal(today, last === chat.clock.time ? 1 : 0);
  return today === 1;
}

Deno.test("people are active by sending, reading, reacting, changing, reporting activity, signing in and using pages", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "garden", { subscribers: [chat.member.id, chat.guest.id] });
  const id = await send(chat, chat.member, { to, content: "a leaf" });
  const calls: readonly [endpoint: string, params?: TestParams][] = [
    ["POST /messages", { type: "channel", to, topic: "plans", content: "a seed" }],
    ["GET /messages", { anchor: "newest", num_before: 1, num_after: 0 }],
    [`GET /messages/${id}`],
    ["POST /messages/flags", { messages: [id], op: "add", flag: "read" }],
    [`POST /messages/${id}/reactions`, { emoji_name: "octopus" }],
    ["POST /users/me/status", { status_text: "in the garden" }],
    ["POST /users/me/presence", { status: "active" }],
  ];
  for (const user of [chat.member, chat.guest]) {
    for (const [endpoint, params] of calls) {
      assert.ok(await isActiveBy(chat, user, () => succeed(chat, user, endpoint, params)), endpoint);
    }
    const credentials = { username: user.email, password: PASSWORD };
    assert.ok(await isActiveBy(chat, user, () => chat.call(null, "POST /fetch_api_key", credentials)));
    const visitor = visitPages(chat);
    assert.ok(await isActiveBy(chat, user, () => visitor.post("/login", credentials)));
    assert.ok(await isActiveBy(chat, user, () => visitor.get("/account")));
  }
});

Deno.test("bots are not active, nor are people by what their clients do alone or by what is refused", async () => {
  await using chat = await startChat();
  const calls: readonly [user: TestUser, endpoint: string, params?: TestParams][] = [
    [chat.bot, "POST /messages", { type: "direct", to: [chat.bot.id], content: "a seed" }],
    [chat.member, "GET /users"],
    [chat.member, "POST /users/me/presence", { status: "idle" }],
    [chat.member, "POST /register_client_device"],
  ];
  for (const [user, endpoint, params] of calls) {
    assert.ok(!await isActiveBy(chat, user, () => succeed(chat, user, endpoint, params)), endpoint);
  }
  const follow = async () => {
    const client = await registerClient(chat, chat.member);
    await client.receive();
    await succeed(chat, chat.member, "DELETE /events", { queue_id: client.queueId });
  };
  assert.ok(!await isActiveBy(chat, chat.member, follow));
  const refused = { type: "direct", to: [0], content: "a seed" };
  assert.ok(!await isActiveBy(chat, chat.member, () => chat.call(chat.member, "POST /messages", refused)));
});

Deno.test("a person's activity is stored once in five minutes, on each day, and when the server stops", async () => {
  await using chat = await startChat();
  const { services: { chat: app }, clock } = chat;
  const use = () => succeed(chat, chat.member, "POST /users/me/status", { status_text: "here" });
  clock.time = Date.UTC(2026, 10, 22, 23, 57);
  await use();
  assert.equal((await stored(chat, chat.member)).value, null);
  await drainChat(app);
  const first = await stored(chat, chat.member);
  assert.equal(first.value?.at, clock.time);
  clock.time += MINUTE_MS;
  await use();
  assert.equal(await app.activity.sweep(), 0);
  assert.equal((await stored(chat, chat.member)).versionstamp, first.versionstamp);
  // Both sides of midnight, in one sweep.
  await Promise.all([use(), succeed(chat, chat.guest, "POST /users/me/status", { status_text: "here" })]);
  clock.time += 2 * MINUTE_MS;
  await Promise.all([use(), succeed(chat, chat.guest, "POST /users/me/status", { status_text: "here" })]);
  assert.equal(await app.activity.sweep(), 3);
  assert.equal((await stored(chat, chat.member)).value?.at, clock.time);
  const days = await listActiveCounts(app, chat.realm.id, {
    unit: "day",
    start: clock.time - DAY_MS,
    end: clock.time + 1,
  });
  assert.deepEqual(days.map(({ count }) => count), [2, 2]);
  clock.time += 5 * MINUTE_MS;
  await use();
  assert.equal(await app.activity.sweep(), 1);
});

Deno.test("someone who turned presence off counts, but nobody learns when they were active", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.member, "PATCH /settings", { presence_enabled: false });
  chat.clock.time += DAY_MS;
  await succeed(chat, chat.member, "POST /users/me/presence", { status: "active" });
  assert.equal((await readActiveCounts(chat.services.chat, chat.realm.id)).today, 1);
  assert.equal(await lastOf(chat, chat.member), null);
  chat.clock.time += DAY_MS;
  await succeed(chat, chat.member, "PATCH /settings", { presence_enabled: true });
  assert.equal(await lastOf(chat, chat.member), chat.clock.time);
  const { time } = chat.clock;
  await succeed(chat, chat.owner, "PATCH /realm", { presence_disabled: true });
  chat.clock.time += DAY_MS;
  await succeed(chat, chat.member, "POST /users/me/status", { status_text: "here" });
  assert.equal(await lastOf(chat, chat.member), time);
});

Deno.test("people whom an earlier version counted by their presence are not counted again", async () => {
  await using chat = await startChat();
  const { services: { chat: app, store: { kv } }, clock, realm } = chat;
  const last_active = clock.time - MINUTE_MS;
  const presence: PresenceRecord = {
    user_id: chat.member.id,
    last_active,
    last_connected: last_active,
    update_id: 1,
  };
  await kv.set(presenceKeys.presence(realm.id, chat.member.id), presence);
  for (const user of [chat.member, chat.guest]) {
    await succeed(chat, user, "POST /users/me/status", { status_text: "here" });
  }
  assert.deepEqual(await readActiveCounts(app, realm.id), { today: 1, week: 1 });
});

Deno.test("someone who just signed in has recent activity", async () => {
  await using chat = await startChat();
  const { html } = await (await signIn(chat, chat.owner)).get("/admin/users");
  assert.equal(html.match(/No recent activity/g)?.length, 4);
  assert.match(html, />now</);
});

Deno.test("activity that cannot be stored waits for the next sweep", async () => {
  await using chat = await startChat();
  const { services: { chat: app, store: { kv } }, realm } = chat;
  await succeed(chat, chat.member, "POST /users/me/status", { status_text: "here" });
  const { atomic } = kv;
  kv.atomic = () => {
    throw new Error("The store is read-only.");
  };
  assert.equal(await app.activity.sweep(), 0);
  assert.match(await chat.log(), /activity not stored/);
  kv.atomic = atomic;
  assert.deepEqual(await readActiveCounts(app, realm.id), { today: 1, week: 1 });
});
