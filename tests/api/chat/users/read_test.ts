import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { realmKeys } from "@/lib/chat/organization/organizations/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

/** Changes a user's record directly. */
async function changeRecord(chat: TestChat, person: TestUser, change: Partial<UserRecord>): Promise<void> {
  const { store } = chat.services;
  await transact(store, async (tx) => {
    const user = await getUser(tx, chat.realm.id, person.id);
    await putUser(tx, chat.realm.id, { ...user, ...change });
  });
}

/** Lets guests access bots and themselves only. */
async function limitGuests(chat: TestChat): Promise<void> {
  const { id } = chat.realm;
  const permissions = { can_access_all_users_group: systemGroupId(chat.realm, "role:members") };
  await writeRows(chat.services.store, [[realmKeys.realm(id), { ...chat.realm, permissions }]]);
}

Deno.test("GET /users returns all users, including bots and deactivated ones, to every role", async () => {
  await using chat = await startChat();
  await changeRecord(chat, chat.moderator, { is_active: false });
  for (const caller of [chat.owner, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await chat.call(caller, "GET /users");
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["result", "msg", "members"]);
    assert.deepEqual(
      body.members.map(({ full_name, role, is_active }: Record<string, unknown>) => [
        full_name,
        role,
        is_active,
      ]),
      [
        ["Owner", 100, true],
        ["Member", 400, true],
        ["Admin", 200, true],
        ["Moderator", 300, false],
        ["Guest", 600, true],
        ["Bot", 400, true],
      ],
    );
  }
});

Deno.test("GET /users returns a user with exactly the specified fields", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, "GET /users", { user_ids: [chat.bot.id] });
  assert.deepEqual(body.members, [{
    user_id: chat.bot.id,
    delivery_email: "bot@example.com",
    email: "bot@example.com",
    full_name: "Bot",
    date_joined: "2026-11-21T11:00:00+00:00",
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: true,
    bot_type: 1,
    bot_owner_id: chat.member.id,
    role: 400,
    timezone: "",
    avatar_url: null,
    avatar_version: 1,
    is_imported_stub: false,
  }]);
});

Deno.test("GET /users returns avatar URLs and profile data on request", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, "GET /users", {
    client_gravatar: false,
    include_custom_profile_fields: true,
    user_ids: [chat.bot.id, chat.admin.id, chat.admin.id, 99999999],
  });
  const [admin, bot] = body.members;
  assert.equal(body.members.length, 2);
  assert.equal(admin.avatar_url, `http://localhost:8000/avatar/${chat.admin.id}?version=1`);
  assert.deepEqual(admin.profile_data, {});
  assert.equal("profile_data" in bot, false);
});

Deno.test("GET /users refuses missing credentials and invalid parameters and lists unknown ones", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(null, "GET /users")).status, 401);
  const request = async (params: Record<string, unknown>) =>
    (await chat.call(chat.member, "GET /users", params)).body;
  assert.equal((await request({ client_gravatar: "yes" })).msg, "client_gravatar is not valid JSON");
  assert.equal(
    (await request({ include_custom_profile_fields: 1 })).msg,
    "include_custom_profile_fields is not a boolean",
  );
  assert.equal((await request({ user_ids: 7 })).msg, "user_ids is not a list");
  assert.equal((await request({ user_ids: ["7"] })).msg, "user_ids[0] is not an integer");
  assert.deepEqual((await request({ zebra: 1, role: 100 })).ignored_parameters_unsupported, [
    "role",
    "zebra",
  ]);
});

Deno.test("GET /users never returns users of another organization", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.outsider, "GET /users", {});
  assert.deepEqual(body.members.map(({ full_name }: { full_name: string }) => full_name), ["Outsider"]);
  const named = await chat.call(chat.outsider, "GET /users", {
    user_ids: [chat.member.id, chat.outsider.id],
  });
  assert.deepEqual(named.body.members.map(({ user_id }: { user_id: number }) => user_id), [chat.outsider.id]);
  for (const name of [chat.member.id, chat.member.email]) {
    const { status, body } = await chat.call(chat.outsider, `GET /users/${name}`);
    assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "No such user"]);
  }
});

Deno.test("GET /users/{user} finds a user by id and by address, ignoring case", async () => {
  await using chat = await startChat();
  const request = async (name: string | number, params = {}) =>
    (await chat.call(chat.guest, `GET /users/${name}`, params)).body;
  const byId = await request(chat.admin.id);
  assert.deepEqual(Object.keys(byId), ["result", "msg", "user"]);
  assert.equal(byId.user.full_name, "Admin");
  assert.equal(byId.user.avatar_url, null);
  assert.deepEqual((await request("admin@example.com")).user, byId.user);
  assert.deepEqual((await request("ADMIN%40Example.com")).user, byId.user);
  const detailed = await request(chat.admin.id, {
    client_gravatar: false,
    include_custom_profile_fields: true,
    x: 1,
  });
  assert.match(detailed.user.avatar_url, /\/avatar\/\d+\?version=1$/);
  assert.deepEqual(detailed.user.profile_data, {});
  assert.deepEqual(detailed.ignored_parameters_unsupported, ["x"]);
  for (const missing of [99999999, "9".repeat(40), "nobody@example.com", "nobody"]) {
    assert.equal((await request(missing)).msg, "No such user", String(missing));
  }
  assert.equal((await chat.call(null, `GET /users/${chat.admin.id}`)).status, 401);
});

Deno.test("GET /users and GET /users/{user} return a real address only to users who can see it", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest } = chat;
  const callers = { owner, admin, moderator, member, guest };
  const visibleTo = {
    1: "owner admin moderator member guest",
    2: "owner admin moderator member",
    3: "owner admin",
  };
  const placeholder = `user${member.id}@localhost`;
  for (const [visibility, names] of Object.entries({ ...visibleTo, 4: "", 5: "owner admin moderator" })) {
    const choice = ([1, 2, 3, 4, 5] as const).find((known) => String(known) === visibility) ?? 1;
    await changeRecord(chat, member, { email_visibility: choice });
    for (const [name, caller] of Object.entries(callers)) {
      const canSee = names.split(" ").includes(name) || caller === member;
      const { body } = await chat.call(caller, `GET /users/${member.id}`);
      const listed = (await chat.call(caller, "GET /users", { user_ids: [member.id] })).body.members[0];
      assert.deepEqual(listed, body.user);
      assert.equal(body.user.delivery_email, canSee ? member.email : null, `${visibility} ${name}`);
      assert.equal(body.user.email, visibility === "1" ? member.email : placeholder);
      const found = await chat.call(caller, `GET /users/${member.email}`);
      assert.equal(found.body.msg, canSee ? "" : "No such user", `${visibility} ${name}`);
    }
  }
  assert.equal((await chat.call(guest, `GET /users/${placeholder}`)).body.user.user_id, member.id);
});

Deno.test("GET /users returns only bots and the caller to a guest with limited access", async () => {
  await using chat = await startChat();
  await limitGuests(chat);
  const listed = await chat.call(chat.guest, "GET /users");
  assert.deepEqual(listed.body.members.map(({ full_name }: { full_name: string }) => full_name), [
    "Guest",
    "Bot",
  ]);
  const request = async (name: string | number) =>
    (await chat.call(chat.guest, `GET /users/${name}`)).body.msg;
  assert.equal(await request(chat.member.id), "No such user");
  assert.equal(await request(chat.member.email), "No such user");
  assert.equal(await request(chat.guest.id), "");
  assert.equal(await request(chat.bot.id), "");
  assert.equal((await chat.call(chat.member, "GET /users")).body.members.length, 6);
});

Deno.test("GET /users/{user} sees a change of the address at once", async () => {
  await using chat = await startChat();
  await chat.call(chat.member, `GET /users/${chat.admin.email}`);
  await changeRecord(chat, chat.admin, { delivery_email: "new@example.com" });
  assert.equal((await chat.call(chat.member, `GET /users/${chat.admin.email}`)).body.msg, "No such user");
  assert.equal((await chat.call(chat.member, "GET /users/new@example.com")).body.user.user_id, chat.admin.id);
});

Deno.test("GET /avatar/{id} returns an avatar determined by the id, cacheable for a year", async () => {
  await using chat = await startChat();
  const request = (path: string) => chat.request(path);
  const known = await request(`/avatar/${chat.member.id}?version=1`);
  assert.equal(known.status, 200);
  assert.equal(known.headers.get("content-type"), "image/png");
  assert.match(known.headers.get("cache-control") ?? "", /max-age=31536000/);
  const png = await known.bytes();
  await writeRows(chat.services.store, [[userKeys.user(chat.realm.id, chat.member.id), undefined]]);
  assert.deepEqual(await (await request(`/avatar/${chat.member.id}`)).bytes(), png);
  const medium = await request(`/avatar/${chat.member.id}/medium?version=1`);
  assert.deepEqual([medium.status, medium.headers.get("content-type")], [200, "image/png"]);
  assert.ok((await medium.bytes()).length > png.length);
  for (
    const path of ["/avatar/x", "/avatar/x/medium", "/avatar/-1", "/avatar/1.5", `/avatar/${"9".repeat(16)}`]
  ) {
    const missing = await request(path);
    assert.equal(missing.status, 404, path);
    await missing.body?.cancel();
  }
});
