// PATCH /settings with presence_enabled
import assert from "node:assert/strict";
import { reportPresence } from "@/lib/chat/people/presence/report_presence.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const REPORT = "POST /users/me/presence";

function turn(chat: TestChat, user: TestUser, presence_enabled: boolean) {
  return succeed(chat, user, "PATCH /settings", { presence_enabled });
}

/** Returns a user's status as others see it, by every way to learn it. */
async function statusesOf(chat: TestChat, { id, email }: TestUser): Promise<readonly string[]> {
  const { presence } = await succeed(chat, chat.owner, `GET /users/${id}/presence`);
  const { presences } = await succeed(chat, chat.owner, "GET /realm/presence");
  const asked = { fetch_event_types: ["presence"] };
  const legacy = await succeed(chat, chat.owner, "POST /register", asked);
  const slim = await succeed(chat, chat.owner, "POST /register", { ...asked, slim_presence: true });
  const now = chat.clock.time / 1000;
  const toLegacy = ({ status, timestamp }: { status: string; timestamp: number }) =>
    now - timestamp > 200 ? "offline" : status;
  const toSlim = ({ active_timestamp, idle_timestamp }: Record<string, number>) =>
    [active_timestamp, idle_timestamp].every((time) => now - (time ?? 0) > 200) ? "offline" : "shown";
  return [
    presence.aggregated.status,
    toLegacy(presences[email].aggregated),
    toLegacy(presences[email].website),
    toLegacy(legacy.presences[email].aggregated),
    toSlim(slim.presences[id]),
  ];
}

const OFFLINE = ["offline", "offline", "offline", "offline", "offline"];
const ACTIVE = ["active", "active", "active", "active", "shown"];

for (const status of ["active", "idle"]) {
  Deno.test(`a user who is ${status} and turns presence off is offline at once and stays so`, async () => {
    await using chat = await startChat();
    const user = await chat.add("newcomer");
    await succeed(chat, user, REPORT, { status });
    await turn(chat, user, false);
    assert.deepEqual(await statusesOf(chat, user), OFFLINE);
    for (const _ of [1, 2]) {
      await succeed(chat, user, REPORT, { status: "active" });
      chat.clock.time += 60_000;
    }
    assert.deepEqual(await statusesOf(chat, user), OFFLINE);
    await turn(chat, user, true);
    assert.deepEqual(await statusesOf(chat, user), ACTIVE);
    chat.clock.time += 60_000;
    await succeed(chat, user, REPORT, { status: "active" });
    assert.deepEqual(await statusesOf(chat, user), ACTIVE);
  });
}

Deno.test("turning presence off and on sends events in both formats, also when nothing else was ever reported", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.member, REPORT, { status: "active" });
  const types = { event_types: ["presence"] };
  const legacy = await registerClient(chat, chat.owner, types);
  const slim = await registerClient(chat, chat.owner, { ...types, slim_presence: true });
  const modern = await registerClient(chat, chat.owner, {
    ...types,
    client_capabilities: { simplified_presence_events: true },
  });
  await turn(chat, chat.member, false);
  const now = chat.clock.time / 1000;
  const offline = { active_timestamp: now - 391, idle_timestamp: now - 320 };
  const website = { client: "website", status: "idle", timestamp: now - 320, pushable: false };
  const about = { type: "presence", user_id: chat.member.id, server_timestamp: now };
  const withoutIds = async (client: typeof legacy) =>
    (await client.receive()).map(({ id: _, ...rest }) => rest);
  assert.deepEqual(await withoutIds(legacy), [{ ...about, email: chat.member.email, presence: { website } }]);
  assert.deepEqual(await withoutIds(slim), [{ ...about, presence: { website } }]);
  assert.deepEqual(await withoutIds(modern), [{
    type: "presence",
    presences: { [chat.member.id]: offline },
  }]);
  await turn(chat, chat.member, false);
  assert.deepEqual(await withoutIds(modern), [], "the same value changes nothing");
  await turn(chat, chat.member, true);
  const active = { active_timestamp: now, idle_timestamp: now };
  assert.deepEqual(await withoutIds(modern), [{ type: "presence", presences: { [chat.member.id]: active } }]);
  await turn(chat, chat.admin, false);
  await turn(chat, chat.admin, true);
  assert.deepEqual(await withoutIds(modern), [{ type: "presence", presences: { [chat.admin.id]: active } }]);
});

Deno.test("clients that ask for changes since an update id learn that a user turned presence off", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.member, REPORT, { status: "active" });
  const asked = { status: "active", last_update_id: -1 };
  const { presence_last_update_id: last } = await succeed(chat, chat.owner, REPORT, asked);
  await turn(chat, chat.member, false);
  const { presences } = await succeed(chat, chat.owner, REPORT, { ...asked, last_update_id: last });
  assert.deepEqual(Object.keys(presences), [String(chat.member.id)]);
  assert.ok(presences[chat.member.id].idle_timestamp < chat.clock.time / 1000 - 200);
});

Deno.test("reports that are in progress while presence is turned off leave the user offline", async () => {
  await using chat = await startChat();
  for (const user of [chat.member, chat.guest]) {
    const record = await readUser(chat.services.chat, chat.realm.id, user.id);
    assert.ok(record !== null);
    if (user === chat.member) await succeed(chat, user, REPORT, { status: "idle" });
    for (const isOn of [true, false]) {
      chat.clock.time += 60_000;
      const report = () =>
        reportPresence(chat.services.chat, { realm: chat.realm, actingUser: record }, "active");
      await Promise.all([
        ...Array.from({ length: 5 }, report),
        turn(chat, user, isOn),
        ...Array.from({ length: 5 }, report),
      ]);
    }
    const { presences } = await succeed(chat, chat.owner, "GET /realm/presence");
    const shown = presences[user.email]?.aggregated.timestamp ?? 0;
    assert.ok(chat.clock.time / 1000 - shown > 200, `${shown}`);
  }
});

Deno.test("presence that was turned off stays hidden while the organization turns it off and on, and after deactivation", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.member, REPORT, { status: "active" });
  await turn(chat, chat.member, false);
  await succeed(chat, chat.owner, "PATCH /realm", { presence_disabled: true });
  await succeed(chat, chat.owner, "PATCH /realm", { presence_disabled: false });
  assert.deepEqual(await statusesOf(chat, chat.member), OFFLINE);
  await succeed(chat, chat.owner, `DELETE /users/${chat.member.id}`);
  await succeed(chat, chat.owner, `POST /users/${chat.member.id}/reactivate`);
  assert.deepEqual(await statusesOf(chat, chat.member), OFFLINE);
  await succeed(chat, chat.owner, "PATCH /realm", { presence_disabled: true });
  await turn(chat, chat.member, true);
  await succeed(chat, chat.owner, "PATCH /realm", { presence_disabled: false });
  assert.deepEqual(await statusesOf(chat, chat.member), OFFLINE);
  await succeed(chat, chat.member, REPORT, { status: "active" });
  assert.deepEqual(await statusesOf(chat, chat.member), ACTIVE);
});

Deno.test("new accounts of an organization where presence is off by default are not shown", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.owner, "PATCH /realm/user_settings_defaults", { presence_enabled: false });
  const newcomer = await chat.add("newcomer");
  await succeed(chat, newcomer, REPORT, { status: "active" });
  const { presences } = await succeed(chat, chat.owner, "GET /realm/presence");
  assert.equal(presences[newcomer.email], undefined);
});
