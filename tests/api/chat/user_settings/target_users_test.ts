import assert from "node:assert/strict";
import { groupKeys, type GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { MAX_USERS_PER_COMMIT } from "@/lib/chat/people/user_settings/update_settings.ts";
import { readUserSettings } from "@/lib/chat/people/user_settings/store.ts";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import { getUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const PATCH = "PATCH /settings";

async function schemeOf(chat: TestChat, { id, realm }: Pick<TestUser, "id" | "realm">): Promise<unknown> {
  const user = await readUser(chat.services.chat, realm.id, id);
  assert.ok(user !== null);
  return (await readUserSettings(chat.services.chat, realm.id, user))["color_scheme"];
}

function deactivate(chat: TestChat, { id }: TestUser): Promise<void> {
  return transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, id), is_active: false });
  });
}

async function addGroup(chat: TestChat, group: Partial<GroupRecord>): Promise<number> {
  return await transact(chat.services.store, async (tx) => {
    const id = await tx.nextId("group");
    tx.set(groupKeys.group(chat.realm.id, id), {
      id,
      name: `group ${id}`,
      description: "",
      creator_id: chat.owner.id,
      date_created: 0,
      deactivated: false,
      members: [],
      subgroups: [],
      permissions: {},
      ...group,
    });
    return id;
  });
}

function toParams(targets: object, rest: object = { color_scheme: 2 }) {
  return { target_users: { skip_if_already_edited: false, ...targets }, ...rest };
}

Deno.test("PATCH /settings with target_users updates the given users and notifies each (A039)", async () => {
  await using chat = await startChat();
  const { admin, member, guest, owner, moderator } = chat;
  for (const [caller, color_scheme] of [[admin, 2], [owner, 3]] as const) {
    const ids = [guest.id, member.id, guest.id];
    const { status, body } = await chat.call(caller, PATCH, toParams({ user_ids: ids }, { color_scheme }));
    assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
    for (const person of [member, guest]) assert.equal(await schemeOf(chat, person), color_scheme);
    for (const person of [admin, owner, moderator]) assert.equal(await schemeOf(chat, person), 1);
    assert.deepEqual(await chat.events(), [{
      event: { type: "user_settings", op: "update", property: "color_scheme", value: color_scheme },
      audience: [member.id, guest.id],
    }]);
  }
  await chat.call(admin, PATCH, toParams({ user_ids: [admin.id, guest.id] }, { color_scheme: 3 }));
  assert.deepEqual((await chat.events()).map(({ audience }) => audience), [[admin.id]]);
});

Deno.test("PATCH /settings with target_users requires a human administrator (A038)", async () => {
  await using chat = await startChat();
  const params = toParams({ user_ids: [chat.member.id] });
  for (const person of [chat.moderator, chat.member, chat.guest]) {
    const { status, body } = await chat.call(person, PATCH, params);
    assert.deepEqual([status, body], [400, {
      result: "error",
      msg: "Must be an organization administrator",
      code: "UNAUTHORIZED_PRINCIPAL",
    }]);
  }
  const adminBot = await chat.add("robot", 200, 1);
  assert.equal(
    (await chat.call(adminBot, PATCH, params)).body.msg,
    "This endpoint does not accept bot requests.",
  );
  assert.equal((await chat.call(null, PATCH, params)).status, 401);
  assert.equal(await schemeOf(chat, chat.member), 1);
  assert.deepEqual((await chat.events()).filter(({ event }) => event.type === "user_settings"), []);
});

Deno.test("PATCH /settings refuses invalid target_users and changes nothing (A041, A048)", async () => {
  await using chat = await startChat();
  const { admin, member, bot, outsider } = chat;
  const deactivated = await addGroup(chat, { deactivated: true });
  const skip_if_already_edited = false;
  const nobody = "Either user_ids or group_ids must be provided.";
  const refusals: [target_users: unknown, msg: string][] = [
    ["not json", "target_users is not valid JSON"],
    [[1], "target_users is not a dict"],
    [{ user_ids: [member.id] }, 'target_users["skip_if_already_edited"] field is missing: Field required'],
    [{ user_ids: ["x"], skip_if_already_edited }, 'target_users["user_ids"][0] is not an integer'],
    [{ group_ids: 5, skip_if_already_edited }, 'target_users["group_ids"] is not a list'],
    [
      { user_ids: [member.id], skip_if_already_edited: 1 },
      'target_users["skip_if_already_edited"] is not a boolean',
    ],
    [{ skip_if_already_edited }, nobody],
    [{ user_ids: [], group_ids: [], skip_if_already_edited }, nobody],
    [{ user_ids: [member.id, 999_999], skip_if_already_edited }, "Invalid user ID: 999999"],
    [{ user_ids: [-1], skip_if_already_edited }, "Invalid user ID: -1"],
    [{ user_ids: [member.id, bot.id], skip_if_already_edited }, `Invalid user ID: ${bot.id}`],
    [{ user_ids: [outsider.id, member.id], skip_if_already_edited }, `Invalid user ID: ${outsider.id}`],
    [
      { user_ids: [999_999], group_ids: [999_998], skip_if_already_edited },
      "Invalid user group ID: 999998",
    ],
    [
      { group_ids: [systemGroupId(outsider.realm, "role:everyone")], skip_if_already_edited },
      `Invalid user group ID: ${systemGroupId(outsider.realm, "role:everyone")}`,
    ],
    [{ group_ids: [deactivated], skip_if_already_edited }, "User group is deactivated."],
  ];
  for (const [target_users, msg] of refusals) {
    const { status, body } = await chat.call(admin, PATCH, { target_users, color_scheme: 2 });
    assert.deepEqual([status, body], [400, { result: "error", msg, code: "BAD_REQUEST" }]);
  }
  // Missing targets are reported before the caller's role is checked.
  const { body } = await chat.call(member, PATCH, toParams({}));
  assert.equal(body.msg, nobody);
  assert.equal(await schemeOf(chat, member), 1);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /settings with target_users refuses personal settings", async () => {
  await using chat = await startChat();
  const user_ids = [chat.member.id];
  const personal = {
    email: "new@example.com",
    new_password: "Qr7!kkzz19x",
    timezone: "",
    allow_private_data_export: false,
    email_address_visibility: 1,
    enable_digest_emails: true,
    enable_login_emails: true,
    enable_marketing_emails: true,
    presence_enabled: true,
    send_private_typing_notifications: true,
    send_read_receipts: true,
    send_stream_typing_notifications: true,
  };
  for (const [name, value] of Object.entries(personal)) {
    const params = toParams({ user_ids }, { color_scheme: 2, [name]: value });
    const { status, body } = await chat.call(chat.admin, PATCH, params);
    const msg = "Cannot change this setting for other users.";
    assert.deepEqual([status, body], [400, { result: "error", msg, code: "BAD_REQUEST" }], name);
    assert.equal((await chat.call(chat.member, PATCH, params)).body.code, "UNAUTHORIZED_PRINCIPAL");
  }
  const unknown = toParams({ user_ids: [999_999] }, { default_language: "xx" });
  assert.equal((await chat.call(chat.admin, PATCH, unknown)).body.msg, "Invalid default_language");
  const ignored = { color_scheme: 2, full_name: "Ann*", old_password: "bad" };
  assert.deepEqual((await chat.call(chat.admin, PATCH, toParams({ user_ids }, ignored))).body, {
    result: "success",
    msg: "",
  });
  const after = await readUser(chat.services.chat, chat.realm.id, chat.member.id);
  assert.deepEqual([after?.full_name, await schemeOf(chat, chat.member)], ["Member", 2]);
  assert.deepEqual(await chat.mails(), []);
});

Deno.test("PATCH /settings updates the active members of a group and its subgroups, without bots (A047)", async () => {
  await using chat = await startChat();
  const [below, direct, deactivated] = [
    await chat.add("below"),
    await chat.add("direct"),
    await chat.add("gone"),
  ];
  await deactivate(chat, deactivated);
  const inner = await addGroup(chat, { members: [below.id, chat.bot.id] });
  const outer = await addGroup(chat, { members: [direct.id, deactivated.id], subgroups: [inner] });
  const { status } = await chat.call(chat.admin, PATCH, toParams({ group_ids: [outer] }));
  assert.equal(status, 200);
  for (const person of [below, direct]) assert.equal(await schemeOf(chat, person), 2);
  for (const person of [deactivated, chat.bot, chat.member]) assert.equal(await schemeOf(chat, person), 1);
});

Deno.test("PATCH /settings accepts system groups, and deactivated users given by id", async () => {
  await using chat = await startChat();
  const deactivated = await chat.add("gone");
  await deactivate(chat, deactivated);
  const group_ids = [systemGroupId(chat.realm, "role:moderators"), systemGroupId(chat.realm, "role:nobody")];
  assert.equal(
    (await chat.call(chat.admin, PATCH, toParams({ group_ids, user_ids: [deactivated.id] }))).status,
    200,
  );
  for (const person of [chat.owner, chat.admin, chat.moderator, deactivated]) {
    assert.equal(await schemeOf(chat, person), 2);
  }
  for (const person of [chat.member, chat.guest]) assert.equal(await schemeOf(chat, person), 1);
});

Deno.test("PATCH /settings can skip each setting that a user has edited", async () => {
  await using chat = await startChat();
  const { admin, member, guest } = chat;
  await chat.call(member, PATCH, { color_scheme: 3 });
  await chat.call(member, PATCH, { color_scheme: 1 });
  await chat.call(guest, PATCH, { color_scheme: 1 });
  await chat.call(admin, PATCH, toParams({ user_ids: [guest.id] }, { color_scheme: 3 }));
  await chat.events();
  const targets = { user_ids: [member.id, guest.id], skip_if_already_edited: true };
  const { body } = await chat.call(admin, PATCH, toParams(targets, { color_scheme: 2, enter_sends: true }));
  assert.equal(body.result, "success");
  assert.deepEqual([await schemeOf(chat, member), await schemeOf(chat, guest)], [1, 2]);
  const received = (await chat.events()).map(({ event, audience }) => [event["property"], audience]);
  assert.deepEqual(received, [["color_scheme", [guest.id]], ["enter_sends", [member.id, guest.id]]]);
  await chat.call(admin, PATCH, toParams({ ...targets, skip_if_already_edited: false }));
  assert.equal(await schemeOf(chat, member), 2);
});

Deno.test("PATCH /settings updates more users than fit into one commit, and refuses all for one invalid id", async () => {
  await using chat = await startChat();
  const { realm } = chat;
  const people: { id: number; realm: typeof realm }[] = [];
  for (let count = 0; count < MAX_USERS_PER_COMMIT + 30; count++) {
    const user = {
      deliveryEmail: `p${count}@example.com`,
      fullName: `P ${count}`,
      role: 400,
      passwordHash: null,
    } as const;
    const { id } = await transact(
      chat.services.store,
      (tx) => addUser({ app: chat.services.chat, tx, realm }, user),
    );
    people.push({ id, realm });
  }
  await chat.events();
  const group_ids = [systemGroupId(realm, "role:everyone")];
  const refused = await chat.call(chat.admin, PATCH, toParams({ group_ids, user_ids: [999_999] }));
  assert.deepEqual([refused.status, await chat.events()], [400, []]);
  const { status } = await chat.call(chat.admin, PATCH, toParams({ group_ids }));
  assert.equal(status, 200);
  for (const person of [...people, chat.guest, chat.owner]) assert.equal(await schemeOf(chat, person), 2);
  assert.equal(
    (await chat.events()).flatMap(({ audience }) => Array.isArray(audience) ? audience : [audience]).length,
    people.length + 5,
  );
  await chat.call(chat.admin, PATCH, toParams({ group_ids }));
  assert.deepEqual(await chat.events(), []);
});
