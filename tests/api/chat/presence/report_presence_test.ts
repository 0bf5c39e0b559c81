import assert from "node:assert/strict";
import { presenceKeys, type PresenceRecord } from "@/lib/chat/people/presence/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const REPORT = "POST /users/me/presence";
const ping = (chat: TestChat, user: TestUser, status = "active") =>
  chat.call(user, REPORT, { status, ping_only: true });

async function records(chat: TestChat): Promise<Deno.KvEntry<PresenceRecord>[]> {
  const { kv } = chat.services.store;
  const found = [];
  for await (const entry of kv.list<PresenceRecord>({ prefix: [...presenceKeys.presences(chat.realm.id)] })) {
    found.push(entry);
  }
  return found;
}

async function updates(chat: TestChat): Promise<[number, number][]> {
  const found: [number, number][] = [];
  const listing = chat.services.store.kv.list({ prefix: [...presenceKeys.updates(chat.realm.id)] });
  for await (const entry of listing) {
    const { key, value } = toEntry<number>(entry);
    found.push([Number(key.at(-1)), value]);
  }
  return found;
}

Deno.test("POST /users/me/presence returns presence by email address", async () => {
  await using chat = await startChat();
  const now = chat.clock.time / 1000;
  await ping(chat, chat.guest, "idle");
  const { status, body } = await chat.call(chat.member, REPORT, {
    status: "active",
    new_user_input: true,
    spare: 1,
  });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    result: "success",
    msg: "",
    presences: {
      [chat.member.email]: {
        aggregated: { client: "website", status: "active", timestamp: now },
        website: { client: "website", status: "active", timestamp: now, pushable: false },
      },
      // The user joined less than 70 seconds ago, which counts as activity.
      [chat.guest.email]: {
        aggregated: { client: "website", status: "active", timestamp: now },
        website: { client: "website", status: "active", timestamp: now, pushable: false },
      },
    },
    server_timestamp: now,
    presence_last_update_id: 2,
    ignored_parameters_unsupported: ["spare"],
  });
});

Deno.test("POST /users/me/presence with ping_only returns no presence", async () => {
  await using chat = await startChat();
  assert.deepEqual((await ping(chat, chat.member)).body, { result: "success", msg: "" });
  assert.equal((await records(chat)).length, 1);
});

Deno.test("POST /users/me/presence refuses invalid parameters and callers, and stores nothing", async () => {
  await using chat = await startChat();
  const refusals: [Record<string, unknown>, string][] = [
    [{}, "Missing 'status' argument"],
    [{ status: "foo" }, "Invalid status: foo"],
    [{ status: "" }, "Invalid status: "],
    [{ status: "Active" }, "Invalid status: Active"],
    [{ status: "active", ping_only: "x" }, "ping_only is not valid JSON"],
    [{ status: "active", ping_only: 1 }, "ping_only is not a boolean"],
    [{ status: "active", new_user_input: 1 }, "new_user_input is not a boolean"],
    [{ status: "active", slim_presence: [] }, "slim_presence is not a boolean"],
    [{ status: "active", last_update_id: true }, "last_update_id is not an integer"],
    [{ status: "active", last_update_id: -2 }, "last_update_id is too small"],
    [{ status: "active", history_limit_days: 1.5 }, "history_limit_days is not an integer"],
    [{ status: "active", history_limit_days: -1 }, "history_limit_days is too small"],
  ];
  for (const [params, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, REPORT, params);
    assert.deepEqual([status, body["msg"]], [400, msg]);
  }
  assert.equal((await ping(chat, chat.bot)).body["msg"], "This endpoint does not accept bot requests.");
  assert.equal((await chat.call(null, REPORT, { status: "active" })).status, 401);
  assert.deepEqual([await records(chat), await chat.events()], [[], []]);
});

Deno.test("reports within 55 seconds of a stored one are not stored, unless an idle user becomes active", async () => {
  await using chat = await startChat();
  const stamp = async () => (await records(chat))[0]?.versionstamp;
  await ping(chat, chat.member);
  const first = await stamp();
  chat.clock.time += 55_000;
  await ping(chat, chat.member);
  await ping(chat, chat.member, "idle");
  assert.equal(await stamp(), first);
  chat.clock.time += 1;
  await ping(chat, chat.member, "idle");
  const second = await stamp();
  assert.notEqual(second, first);
  chat.clock.time += 1000;
  await ping(chat, chat.member);
  const [record] = await records(chat);
  assert.deepEqual(record?.value, {
    user_id: chat.member.id,
    last_active: chat.clock.time,
    last_connected: chat.clock.time,
    update_id: 3,
  });
  assert.deepEqual(await updates(chat), [[3, chat.member.id]]);
});

Deno.test("no report is stored when the user or the organization has turned presence off", async () => {
  await using chat = await startChat();
  await chat.call(chat.member, "PATCH /settings", { presence_enabled: false });
  await chat.events();
  const hidden = await chat.call(chat.member, REPORT, { status: "active" });
  assert.deepEqual([hidden.body["presences"], hidden.body["presence_last_update_id"]], [{}, -1]);
  assert.equal((await chat.call(chat.owner, "PATCH /realm", { presence_disabled: true })).status, 200);
  assert.deepEqual((await chat.events()).map(({ event }) => event["data"]), [{ presence_disabled: true }]);
  await ping(chat, chat.admin);
  assert.deepEqual([await records(chat), await chat.events()], [[], []]);
  await chat.call(chat.owner, "PATCH /realm", { presence_disabled: false });
  await ping(chat, chat.admin);
  assert.equal((await records(chat)).length, 1);
});

Deno.test("parallel reports are stored once per user with ascending update ids", async () => {
  await using chat = await startChat();
  const people = [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest];
  const all = people.flatMap((user) => [ping(chat, user), ping(chat, user, "idle"), ping(chat, user)]);
  for (const { status } of await Promise.all(all)) assert.equal(status, 200);
  const stored = (await records(chat)).map(({ value }) => value);
  assert.deepEqual(stored.map(({ user_id }) => user_id), people.map(({ id }) => id).sort((a, b) => a - b));
  assert.ok(stored.every(({ last_active }) => last_active === chat.clock.time));
  const expected = stored.map(({ update_id, user_id }) => [update_id, user_id]).sort(([a = 0], [b = 0]) =>
    a - b
  );
  assert.deepEqual(await updates(chat), expected);
  const notifiedIds = (await chat.events()).map(({ event }) => event["user_id"]);
  assert.deepEqual(new Set(notifiedIds), new Set(people.map(({ id }) => id)));
});
