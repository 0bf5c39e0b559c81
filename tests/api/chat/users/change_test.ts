import assert from "node:assert/strict";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { systemGroup } from "@/tests/casts/user_groups_cast.ts";

const STRONG = "seven purple lanterns drift";
const NEW = { email: "new@example.com", password: STRONG, full_name: " New Person " };

/** Returns a user as the owner of the organization sees them. */
async function getUser(chat: TestChat, person: TestUser | number) {
  const id = typeof person === "number" ? person : person.id;
  return (await chat.call(chat.owner, `GET /users/${id}`)).body.user;
}

Deno.test("POST /users creates a member and sends an event to everyone", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.admin, "POST /users", { ...NEW, role: 100, is_admin: true });
  const id = body.user_id;
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    user_id: id,
    ignored_parameters_unsupported: ["is_admin", "role"],
  }]);
  const user = await getUser(chat, id);
  assert.deepEqual([user.role, user.full_name, user.email, user.is_active], [
    400,
    "New Person",
    "new@example.com",
    true,
  ]);
  const [sent, ...others] = await chat.events();
  const [fullMembers, members] = (["role:fullmembers", "role:members"] as const).map((name) =>
    systemGroup(chat, name)
  );
  assert.deepEqual(others.map(({ event }) => event), [
    { type: "user_group", op: "add_members", group_id: fullMembers, user_ids: [id] },
    { type: "user_group", op: "add_members", group_id: members, user_ids: [id] },
  ]);
  assert.equal(sent?.audience, "everyone");
  assert.deepEqual(sent?.event, {
    type: "realm_user",
    op: "add",
    person: { ...user, avatar_url: `http://localhost:8000/avatar/${id}?version=1`, profile_data: {} },
  });
});

Deno.test("POST /users requires an administrator, who may be a bot", async () => {
  await using chat = await startChat();
  for (const caller of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await chat.call(caller, "POST /users");
    assert.deepEqual([status, body.code, body.msg], [
      400,
      "UNAUTHORIZED_PRINCIPAL",
      "Must be an organization administrator",
    ]);
  }
  assert.equal((await chat.call(null, "POST /users", NEW)).status, 401);
  const bot = await chat.add("adminbot", 200, 1);
  assert.equal((await chat.call(bot, "POST /users", NEW)).status, 200);
});

Deno.test("POST /users refuses invalid values and stores nothing", async () => {
  await using chat = await startChat();
  const ask = async (change: Record<string, unknown>) => {
    const params = Object.fromEntries(
      Object.entries({ ...NEW, ...change }).filter(([, value]) => value !== null),
    );
    const { status, body } = await chat.call(chat.admin, "POST /users", params);
    return [status, body.msg];
  };
  for (const name of Object.keys(NEW)) {
    assert.deepEqual(await ask({ [name]: null }), [400, `Missing '${name}' argument`]);
  }
  assert.deepEqual(await ask({ email: "nothing" }), [400, "Enter a valid email address."]);
  assert.deepEqual(await ask({ email: "MEMBER@example.com" }), [
    400,
    "Email 'MEMBER@example.com' already in use",
  ]);
  assert.deepEqual(await ask({ full_name: " " }), [400, "Name must not be empty!"]);
  assert.deepEqual(await ask({ full_name: "x".repeat(101) }), [400, "Name too long!"]);
  assert.deepEqual(await ask({ full_name: "a@b" }), [400, "Invalid characters in name!"]);
  assert.deepEqual(await ask({ password: "" }), [400, "password cannot be blank"]);
  assert.deepEqual(await ask({ password: "password1" }), [400, "New password is too weak!"]);
  assert.deepEqual(await chat.events(), []);
  assert.equal((await chat.call(chat.admin, "GET /users")).body.members.length, 6);
});

Deno.test("POST /users creates one user when concurrent requests use the same address", async () => {
  await using chat = await startChat();
  const answers = await Promise.all([1, 2, 3].map(() => chat.call(chat.admin, "POST /users", NEW)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
});

Deno.test("PATCH /users/{user} updates name, role and address and sends events", async () => {
  await using chat = await startChat();
  const changes = { full_name: " Renamed ", role: 300, new_email: "other@example.com" };
  const { status, body } = await chat.call(chat.admin, `PATCH /users/${chat.member.id}`, changes);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  const user = await getUser(chat, chat.member);
  assert.deepEqual([user.full_name, user.role, user.email], ["Renamed", 300, "other@example.com"]);
  const user_id = chat.member.id;
  const events = await chat.events();
  const [userEvents = [], groupEvents = []] = ["realm_user", "user_group"].map((type) =>
    events.filter(({ event }) => event.type === type)
  );
  assert.equal(events.length, userEvents.length + groupEvents.length);
  assert.deepEqual(groupEvents.map(({ event }) => [event.op, event["group_id"]]), [
    ["add_members", systemGroup(chat, "role:moderators")],
    ["remove_members", systemGroup(chat, "role:fullmembers")],
    ["remove_members", systemGroup(chat, "role:members")],
  ]);
  assert.deepEqual(
    userEvents.map(({ event, audience }) => [event.type, event.op, event.person, audience]),
    [
      { user_id, role: 300 },
      { user_id, full_name: "Renamed" },
      { user_id, delivery_email: "other@example.com" },
      { user_id, new_email: "other@example.com" },
    ].map((person) => ["realm_user", "update", person, "everyone"]),
  );
  const authorization = basic("other@example.com", chat.member.apiKey);
  const own = await chat.request("/api/v1/users/me", { headers: { authorization } });
  assert.equal(own.status, 200);
  await own.body?.cancel();
  assert.equal((await chat.call(chat.member, "GET /users/me")).status, 401);
});

Deno.test("PATCH /users/{user} accepts an address instead of the id and sends no event when nothing changes", async () => {
  await using chat = await startChat();
  const same = { full_name: "Member", role: 400, new_email: chat.member.email, zebra: 1 };
  const { body } = await chat.call(chat.admin, `PATCH /users/${chat.member.email}`, same);
  assert.deepEqual(body.ignored_parameters_unsupported, ["zebra"]);
  assert.deepEqual(await chat.events(), []);
  assert.equal((await chat.call(chat.admin, `PATCH /users/${chat.member.email}`, { role: 600 })).status, 200);
  assert.equal((await getUser(chat, chat.member)).is_guest, true);
});

Deno.test("PATCH /users/{user} refuses callers without permission with the error of each rule", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const ask = async (caller: TestUser | null, target: TestUser, params: Record<string, unknown>) => {
    const { status, body } = await chat.call(caller, `PATCH /users/${target.id}`, params);
    return [status, body.code, body.msg];
  };
  const insufficient = [400, "BAD_REQUEST", "Insufficient permission"];
  const ownerRequired = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"];
  assert.equal((await ask(null, member, { full_name: "X" }))[0], 401);
  for (const caller of [moderator, member, guest, bot]) {
    assert.deepEqual(await ask(caller, admin, { full_name: "X" }), insufficient);
    assert.deepEqual(await ask(caller, caller, { role: 100 }), insufficient);
  }
  assert.deepEqual(await ask(admin, owner, { full_name: "X" }), ownerRequired);
  assert.deepEqual(await ask(admin, owner, { role: 400 }), ownerRequired);
  assert.deepEqual(await ask(admin, member, { role: 100 }), ownerRequired);
  assert.deepEqual(await ask(admin, admin, { role: 100 }), ownerRequired);
  assert.deepEqual(await ask(owner, outsider, { role: 400 }), [400, "BAD_REQUEST", "No such user"]);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /users/{user} refuses invalid values and then applies none of the changes", async () => {
  await using chat = await startChat();
  const ask = async (params: Record<string, unknown>, target = chat.member) =>
    (await chat.call(chat.admin, `PATCH /users/${target.id}`, { full_name: "Kept Out", ...params })).body.msg;
  assert.equal(await ask({ role: "admin" }), "role is not valid JSON");
  assert.equal(await ask({ role: 250 }), "Invalid role: Value error, Not in the list of possible values");
  assert.equal(await ask({ role: 300, full_name: "" }), "Name must not be empty!");
  assert.equal(await ask({ role: 300, new_email: "nothing" }), "Enter a valid email address.");
  assert.equal(await ask({ role: 300, new_email: "Admin@example.com" }), "Email is already in use.");
  assert.equal(
    await ask({ new_email: "x@example.com" }, chat.bot),
    "The address of a bot cannot be changed.",
  );
  assert.deepEqual(await chat.events(), []);
  const { full_name, role } = await getUser(chat, chat.member);
  assert.deepEqual([full_name, role], ["Member", 400]);
});

Deno.test("PATCH /users/{user} never demotes the last owner, also when two demote each other concurrently", async () => {
  await using chat = await startChat();
  const only = await chat.call(chat.owner, `PATCH /users/${chat.owner.id}`, { role: 200 });
  assert.deepEqual([only.status, only.body.msg], [
    400,
    "The owner permission cannot be removed from the only organization owner.",
  ]);
  for (let round = 0; round < 5; round++) {
    await using two = await startChat();
    const other = await two.add("second", 100);
    const answers = await Promise.all([
      two.call(two.owner, `PATCH /users/${other.id}`, { role: 400 }),
      two.call(other, `PATCH /users/${two.owner.id}`, { role: 400 }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  }
});

Deno.test("PATCH /users/{user} does not count a bot as an owner", async () => {
  await using chat = await startChat();
  await chat.add("ownerbot", 100, 1);
  const { body } = await chat.call(chat.owner, `PATCH /users/${chat.owner.id}`, { role: 400 });
  assert.match(body.msg, /only organization owner/);
});

Deno.test("PATCH /users/{user} lowers the role of the bots of a demoted user", async () => {
  await using chat = await startChat();
  const created = await chat.call(chat.admin, "POST /bots", { full_name: "Helper", short_name: "helper" });
  const bot = created.body.user_id;
  assert.equal((await chat.call(chat.admin, `PATCH /bots/${bot}`, { role: 200 })).status, 200);
  assert.equal((await getUser(chat, bot)).role, 200);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 400 });
  assert.equal((await getUser(chat, bot)).role, 400);
});
