import assert from "node:assert/strict";
import { realmParams, realmSchema, toRealm } from "@/lib/chat/organization/organizations/api.ts";
import { readRealmBySubdomain, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { updateRealm } from "@/lib/chat/organization/organizations/update_realm.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  systemGroupId,
  type SystemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { groupKeys } from "@/lib/chat/organization/user_groups/model/group.ts";
import { userKeys } from "@/lib/chat/organization/users/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  type ApiResponse,
  startChat,
  type TestChat,
  type TestParams,
  type TestUser,
} from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

const ENDPOINT = "PATCH /realm";
const NOT_ADMIN = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"];
const NOT_OWNER = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"];

async function readRealm(chat: TestChat): Promise<RealmRecord> {
  const realm = await readRealmBySubdomain(chat.services.chat, "");
  assert.ok(realm);
  return realm;
}

function toRefusal({ status, body }: ApiResponse): unknown[] {
  return [status, body.code, body.msg];
}

/** Asserts that a request fails with BAD_REQUEST and this message, changes nothing and sends no event. */
async function assertRefused(chat: TestChat, user: TestUser, sent: TestParams, msg: string): Promise<void> {
  const before = await readRealm(chat);
  assert.deepEqual(toRefusal(await chat.call(user, ENDPOINT, sent)), [400, "BAD_REQUEST", msg]);
  assert.deepEqual(await readRealm(chat), before);
  assert.deepEqual(await chat.events(), []);
}

function group(chat: TestChat, name: SystemGroupName): number {
  return systemGroupId(chat.realm, name);
}

Deno.test("PATCH /realm changes the sent values and sends the differences to all users", async () => {
  await using chat = await startChat();
  const sent = {
    name: "  Night gardeners ",
    description: "Moths\nand more",
    enable_spectator_access: true,
    message_content_edit_limit_seconds: 60,
    name_changes_disabled: true,
    email_changes_disabled: true,
    can_create_public_channel_group: { new: group(chat, "role:moderators") },
  };
  const { status, body } = await chat.call(chat.admin, ENDPOINT, sent);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  const data = {
    ...sent,
    name: "Night gardeners",
    web_public_access_enabled: true,
    can_create_public_channel_group: group(chat, "role:moderators"),
    create_public_stream_policy: 4,
  };
  assert.deepEqual(await chat.events(), [
    { event: { type: "realm", op: "update_dict", property: "default", data }, audience: "everyone" },
  ]);
  const realm = await readRealm(chat);
  assert.deepEqual([realm.name, realm.description], ["Night gardeners", "Moths\nand more"]);
  assert.deepEqual(realm.settings, {
    ...chat.realm.settings,
    enable_spectator_access: true,
    message_content_edit_limit_seconds: 60,
    name_changes_disabled: true,
    email_changes_disabled: true,
  });
  assert.deepEqual(realm.permissions, {
    can_create_public_channel_group: group(chat, "role:moderators"),
  });
});

Deno.test("PATCH /realm without changes writes nothing and sends no event", async () => {
  await using chat = await startChat();
  const same = {
    name: "Gardeners",
    description: "",
    enable_spectator_access: false,
    message_content_edit_limit_seconds: 600,
    new_stream_announcements_stream_id: -1,
    can_create_public_channel_group: { new: group(chat, "role:members") },
  };
  for (const sent of [{}, same]) {
    assert.deepEqual((await chat.call(chat.owner, ENDPOINT, sent)).body, { result: "success", msg: "" });
  }
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await readRealm(chat), chat.realm);
});

Deno.test("PATCH /realm refuses everyone but administrators and owners, whatever is sent", async () => {
  await using chat = await startChat();
  for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    assert.deepEqual(toRefusal(await chat.call(user, ENDPOINT, { name: "" })), NOT_ADMIN);
    assert.deepEqual(toRefusal(await chat.call(user, ENDPOINT)), NOT_ADMIN);
  }
  assert.equal((await chat.call(null, ENDPOINT, { name: "x" })).status, 401);
  assert.equal((await readRealm(chat)).name, "Gardeners");
  for (const [user, name] of [[chat.admin, "One"], [chat.owner, "Two"]] as const) {
    assert.equal((await chat.call(user, ENDPOINT, { name })).status, 200);
    assert.equal((await readRealm(chat)).name, name);
  }
  const bot = await chat.add("keeper", 200, 1);
  assert.equal((await chat.call(bot, ENDPOINT, { name: "Three" })).status, 200);
});

Deno.test("PATCH /realm changes only the caller's organization", async () => {
  await using chat = await startChat();
  await chat.call(chat.outsider, ENDPOINT, { name: "Changed" });
  assert.equal((await readRealm(chat)).name, "Gardeners");
  const other = await readRealmBySubdomain(chat.services.chat, "other");
  assert.equal(other?.name, "Changed");
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /realm lets only owners change who can join and who gains permissions", async () => {
  await using chat = await startChat();
  const value = { new: group(chat, "role:administrators") };
  const sent: Record<string, unknown> = {
    waiting_period_threshold: 3,
    can_create_groups: value,
    can_invite_users_group: value,
    can_manage_all_groups: value,
    create_multiuse_invite_group: { new: group(chat, "role:members") },
  };
  for (const [name, parameter] of Object.entries(sent)) {
    const answer = await chat.call(chat.admin, ENDPOINT, { description: "x", [name]: parameter });
    assert.deepEqual(toRefusal(answer), NOT_OWNER, name);
  }
  assert.deepEqual(await readRealm(chat), chat.realm);
  assert.equal((await chat.call(chat.owner, ENDPOINT, sent)).status, 200);
  const { settings, permissions } = await readRealm(chat);
  assert.equal(settings.waiting_period_threshold, 3);
  assert.deepEqual(Object.keys(permissions).sort(), Object.keys(sent).sort().slice(0, -1));
});

Deno.test("PATCH /realm refuses texts and numbers out of bounds and changes nothing", async () => {
  await using chat = await startChat();
  const cases: [TestParams, string][] = [
    [{ name: "" }, "name cannot be blank"],
    [{ name: "   " }, "name cannot be blank"],
    [{ name: "x".repeat(41) }, "name is too long (limit: 40 characters)"],
    [{ description: "x".repeat(1001) }, "description is too long (limit: 1000 characters)"],
    [{ waiting_period_threshold: -1 }, "waiting_period_threshold is too small"],
    [{ waiting_period_threshold: 36501 }, "waiting_period_threshold is too large"],
    [{ waiting_period_threshold: true }, "waiting_period_threshold is not an integer"],
    [{ enable_spectator_access: "yes" }, "enable_spectator_access is not valid JSON"],
    [{ enable_spectator_access: 1 }, "enable_spectator_access is not a boolean"],
    [{ name_changes_disabled: "" }, "name_changes_disabled is not valid JSON"],
    [{ message_content_edit_limit_seconds: 1.5 }, "message_content_edit_limit_seconds is not an integer"],
    [{ new_stream_announcements_stream_id: 1 }, "Invalid channel ID"],
    [{ new_stream_announcements_stream_id: -2 }, "Invalid channel ID"],
    [
      { new_stream_announcements_stream_id: '"1"' },
      "new_stream_announcements_stream_id is not an integer",
    ],
  ];
  for (const [sent, msg] of cases) {
    await assertRefused(chat, chat.owner, { email_changes_disabled: true, ...sent }, msg);
  }
  const longest = { name: "🌱".repeat(40), description: "🌱".repeat(1000), waiting_period_threshold: 36500 };
  assert.equal((await chat.call(chat.owner, ENDPOINT, longest)).status, 200);
});

Deno.test("PATCH /realm takes a positive number of seconds or unlimited as the edit limit", async () => {
  await using chat = await startChat();
  const name = "message_content_edit_limit_seconds";
  for (const value of ["unlimited", '"unlimited"']) {
    await chat.call(chat.admin, ENDPOINT, { [name]: 30 });
    await chat.events();
    assert.equal((await chat.call(chat.admin, ENDPOINT, { [name]: value })).status, 200);
    assert.equal((await readRealm(chat)).settings.message_content_edit_limit_seconds, null);
    const [update] = await chat.events();
    assert.deepEqual(update?.event["data"], { [name]: null });
  }
  for (const value of [0, -1, "forever", true]) {
    const { status, body } = await chat.call(chat.admin, ENDPOINT, { [name]: value });
    const expected = { result: "error", msg: `Bad value for '${name}': ${value}`, var_name: name };
    const { bad_value, ...others } = body;
    assert.deepEqual([status, others], [400, { ...expected, code: "REQUEST_VARIABLE_INVALID" }]);
    assert.equal(String(bad_value), String(value));
  }
});

Deno.test("PATCH /realm changes every permission of the organization, and POST /register returns it", async () => {
  await using chat = await startChat();
  const settings = permissionRules("realm").map(({ setting }) => setting).sort();
  assert.deepEqual(settings.filter((name) => !Object.hasOwn(realmParams, name)), []);
  const acceptsNobody = (name: string) =>
    name !== "can_manage_all_groups" && name !== "can_access_all_users_group";
  for (const { setting, allowedGroups } of permissionRules("realm")) {
    const role = allowedGroups?.[1] ?? (acceptsNobody(setting) ? "role:nobody" : "role:administrators");
    const { status, body } = await chat.call(chat.owner, ENDPOINT, { [setting]: { new: group(chat, role) } });
    assert.equal(status, 200, JSON.stringify(body));
    const { chat: app } = chat.services;
    const view: Record<string, unknown> = toRealm(
      app,
      permissionsOf(await app.readOrganization(chat.realm.id), app.clock),
    );
    assert.equal(view[`realm_${setting}`], group(chat, role));
    assert.ok(realmSchema.safeParse(view).success);
  }
});

Deno.test("PATCH /realm takes a permission with users and groups and sends its normalized value", async () => {
  await using chat = await startChat();
  const { member, guest, admin } = chat;
  const moderators = group(chat, "role:moderators");
  const value = { direct_members: [guest.id, member.id, guest.id], direct_subgroups: [moderators] };
  const stored = {
    direct_members: [member.id, guest.id].sort((one, other) => one - other),
    direct_subgroups: [moderators],
  };
  const sent = { can_add_subscribers_group: { new: value, old: group(chat, "role:members") } };
  assert.equal((await chat.call(admin, ENDPOINT, sent)).status, 200);
  const [update] = await chat.events();
  assert.deepEqual(update?.event["data"], { can_add_subscribers_group: stored });
  assert.deepEqual((await readRealm(chat)).permissions["can_add_subscribers_group"], stored);
  const permissions = permissionsOf(
    await chat.services.chat.readOrganization(chat.realm.id),
    chat.services.chat.clock,
  );
  const view: Record<string, unknown> = toRealm(chat.services.chat, permissions, (id) => id !== guest.id);
  assert.deepEqual(view["realm_can_add_subscribers_group"], { ...stored, direct_members: [member.id] });
});

Deno.test("PATCH /realm validates a permission's form, its old value, and the users and groups it names", async () => {
  await using chat = await startChat();
  const { admin, owner, outsider } = chat;
  const name = "can_create_public_channel_group";
  const everyone = group(chat, "role:everyone");
  const of = (...direct_members: number[]) => ({ new: { direct_members, direct_subgroups: [] } });
  const cases: [TestParams, string][] = [
    [{ [name]: 5 }, `${name} is not a dict`],
    [{ [name]: "nobody" }, `${name} is not valid JSON`],
    [{ [name]: {} }, `${name}["new"] field is missing: Field required`],
    [{ [name]: { new: "x" } }, `${name}["new"] is not an integer`],
    [
      { [name]: { new: { direct_members: [] } } },
      `${name}["new"]["direct_subgroups"] field is missing: Field required`,
    ],
    [{ [name]: { new: 99999 } }, "Invalid user group"],
    [{ [name]: { new: everyone } }, `'${name}' setting cannot be set to 'role:everyone' group.`],
    [{ [name]: of(outsider.id, owner.id) }, `Invalid user ID: ${outsider.id}`],
    [{ [name]: of(-1) }, "Invalid user ID: -1"],
    [
      { can_manage_all_groups: { new: group(chat, "role:nobody") } },
      "'can_manage_all_groups' setting " +
      "cannot be set to 'role:nobody' group.",
    ],
  ];
  for (const [sent, msg] of cases) await assertRefused(chat, owner, { description: "x", ...sent }, msg);
  const old = { [name]: { new: group(chat, "role:owners"), old: group(chat, "role:owners") } };
  const mismatch = await chat.call(admin, ENDPOINT, { description: "x", ...old });
  assert.deepEqual(toRefusal(mismatch), [
    400,
    "EXPECTATION_MISMATCH",
    "'old' value does not match the expected value.",
  ]);
  const system = { can_create_web_public_channel_group: of(owner.id) };
  assert.equal((await chat.call(admin, ENDPOINT, system)).body.code, "SYSTEM_GROUP_REQUIRED");
  assert.deepEqual(await readRealm(chat), chat.realm);
});

Deno.test("PATCH /realm indexes a group that a permission names until the value changes", async () => {
  await using chat = await startChat();
  const name = "can_create_private_channel_group";
  const { body } = await chat.call(chat.admin, "POST /user_groups/create", {
    name: "diggers",
    description: "",
    members: [chat.member.id],
  });
  const use = groupKeys.use(chat.realm.id, {
    group: body.group_id,
    kind: "realm",
    owner: chat.realm.id,
    setting: name,
  });
  const isUsed = async () => (await chat.services.store.kv.get([...use])).value !== null;
  await chat.call(chat.admin, ENDPOINT, { [name]: { new: body.group_id } });
  assert.equal(await isUsed(), true);
  await chat.call(chat.admin, ENDPOINT, { [name]: { new: group(chat, "role:members") } });
  assert.equal(await isUsed(), false);
});

Deno.test("updateRealm() refuses a caller who lost the administrator role meanwhile", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const key = [...userKeys.user(chat.realm.id, chat.admin.id)];
  const { value } = await kv.get<object>(key);
  const actingUser = await transact(chat.services.store, (tx) => getUser(tx, chat.realm.id, chat.admin.id));
  await writeRows(chat.services.store, [[key, { ...value, role: 400 }]]);
  const { values } = readParams(realmParams, new Map([["name", "Taken over"]]));
  const changing = updateRealm(chat.services.chat, { realm: chat.realm, actingUser }, values);
  await assert.rejects(changing, { code: "UNAUTHORIZED_PRINCIPAL" });
  assert.equal((await readRealm(chat)).name, "Gardeners");
});

Deno.test("PATCH /realm keeps all concurrent changes", async () => {
  await using chat = await startChat();
  const answers = await Promise.all([
    chat.call(chat.admin, ENDPOINT, { name: "Together" }),
    chat.call(chat.owner, ENDPOINT, { description: "at once" }),
    chat.call(chat.admin, ENDPOINT, { name_changes_disabled: true }),
    chat.call(chat.owner, ENDPOINT, { waiting_period_threshold: 7 }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
  const { name, description, settings } = await readRealm(chat);
  assert.deepEqual([name, description, settings.name_changes_disabled, settings.waiting_period_threshold], [
    "Together",
    "at once",
    true,
    7,
  ]);
  const types = (await chat.events()).map(({ event }) => event.type);
  assert.deepEqual(types.sort(), ["realm", "realm", "realm", "realm", "user_group"]);
});
