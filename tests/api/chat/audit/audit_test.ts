import assert from "node:assert/strict";
import { AUDIT_ACTIONS, type AuditRecord } from "@/lib/chat/organization/audit/model.ts";
import { listAuditRecords, recordAudit } from "@/lib/chat/organization/audit/store.ts";
import { endUserSessions, resetUserApiKey } from "@/lib/chat/people/auth/reset_password.ts";
import { deactivateRealm } from "@/lib/chat/people/users/create_realm.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

const ALL = { cursor: null, limit: 100 };

async function changes(chat: TestChat, query: object = {}): Promise<readonly AuditRecord[]> {
  const { changes } = await listAuditRecords(chat.services.chat, chat.realm, { ...ALL, ...query });
  return changes.map(({ id: _, ...record }) => record);
}

/** Returns the actions of the records after the first `count`, oldest first. */
async function actionsSince(chat: TestChat, count: number): Promise<string[]> {
  const records = (await changes(chat)).toReversed().slice(count);
  return records.map(({ action }) => action);
}

async function act(chat: TestChat, user: TestUser, endpoint: string, params: TestParams = {}) {
  // Changes at the same time have no defined order.
  chat.clock.time++;
  const { status, body } = await chat.call(user, endpoint, params);
  assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
  return body;
}

Deno.test("changes of accounts are audited with the acting user, the target and the differences", async () => {
  await using chat = await startChat();
  const { id } = chat.member;
  await act(chat, chat.admin, `PATCH /users/${id}`, {
    role: 300,
    full_name: "Renamed",
    new_email: "n@example.com",
  });
  await act(chat, chat.admin, `PATCH /users/${id}`, { role: 300 });
  const [email, renamed, role] = await changes(chat, { kind: "user" });
  const target = { kind: "user", id, name: "Renamed" };
  const common = { time: chat.clock.time - 1, acting_user_id: chat.admin.id, target };
  assert.deepEqual(role, {
    ...common,
    action: "user_role_changed",
    details: { role: ["400", "300"] },
  });
  assert.deepEqual(renamed, {
    ...common,
    action: "user_renamed",
    details: { full_name: ["Member", "Renamed"] },
    is_revertible: true,
  });
  // Addresses are personal data and are not recorded.
  assert.deepEqual(email, { ...common, action: "user_email_changed", details: {} });
  assert.equal((await changes(chat, { kind: "user" })).length, 3);
});

Deno.test("creations, deactivations and reactivations are audited, a user's bots together with the user", async () => {
  await using chat = await startChat();
  const before = (await changes(chat)).length;
  const account = { email: "new@example.com", full_name: "New", password: "violet kettle seldom 42" };
  await act(chat, chat.admin, "POST /users", account);
  const bot = await act(chat, chat.member, "POST /bots", { full_name: "Helper", short_name: "helper" });
  await act(chat, chat.member, `PATCH /bots/${bot.user_id}`, { full_name: "Better" });
  await act(chat, chat.member, `POST /bots/${bot.user_id}/api_key/regenerate`);
  await act(chat, chat.admin, `DELETE /users/${chat.member.id}`);
  await act(chat, chat.admin, `POST /users/${chat.member.id}/reactivate`);
  await act(chat, chat.admin, `POST /users/${chat.member.id}/reactivate`);
  await act(chat, chat.admin, `POST /users/${bot.user_id}/reactivate`);
  await act(chat, chat.admin, `DELETE /bots/${bot.user_id}`);
  assert.deepEqual(await actionsSince(chat, before), [
    "user_created",
    "bot_created",
    "bot_changed",
    "bot_key_reset",
    "user_deactivated",
    "user_reactivated",
    "bot_reactivated",
    "bot_deactivated",
  ]);
  const deactivation = (await changes(chat)).find(({ action }) => action === "user_deactivated");
  assert.deepEqual(deactivation?.details, { bots: "2" });
  assert.doesNotMatch(JSON.stringify(await changes(chat)), new RegExp(`${bot.api_key}|violet|new@example`));
});

Deno.test("resetUserApiKey() and endUserSessions() work for administrators only", async () => {
  await using chat = await startChat();
  const app = chat.services.chat;
  const callerOf = async ({ id }: TestUser) => {
    const actingUser = await readUser(app, chat.realm.id, id);
    assert.ok(actingUser);
    return { realm: chat.realm, actingUser };
  };
  const admin = await callerOf(chat.admin);
  const { id } = chat.member;
  await resetUserApiKey(app, admin, id);
  assert.equal((await chat.call(chat.member, "GET /users/me")).body.code, "INVALID_API_KEY");
  const before = await readUser(app, chat.realm.id, id);
  chat.clock.time++;
  await endUserSessions(app, admin, id);
  assert.equal((await readUser(app, chat.realm.id, id))?.session_epoch, (before?.session_epoch ?? 0) + 1);
  for (const change of [resetUserApiKey, endUserSessions]) {
    await assert.rejects(change(app, admin, chat.owner.id), { code: "UNAUTHORIZED_PRINCIPAL" });
    await assert.rejects(change(app, admin, chat.bot.id), { message: "No such user" });
    await assert.rejects(change(app, admin, chat.outsider.id), { message: "No such user" });
    await assert.rejects(change(app, admin, Number.NaN), { message: "No such user" });
    const moderator = await callerOf(chat.moderator);
    await assert.rejects(change(app, moderator, chat.guest.id), { code: "UNAUTHORIZED_PRINCIPAL" });
  }
  const actions = (await changes(chat)).slice(0, 2).map(({ action }) => action);
  assert.deepEqual(actions, ["user_sessions_ended", "user_key_reset"]);
});

Deno.test("changes of channels, groups and folders are audited, joining and leaving by oneself is not", async () => {
  await using chat = await startChat();
  const before = (await changes(chat)).length;
  const { admin } = chat;
  const { id: channel } = await act(chat, admin, "POST /channels/create", {
    name: "general",
    subscribers: [admin.id, chat.member.id],
  });
  await act(chat, admin, `PATCH /streams/${channel}`, { new_name: "all", is_default_stream: true });
  await act(chat, admin, `DELETE /default_streams`, { stream_id: channel });
  await act(chat, admin, `DELETE /default_streams`, { stream_id: channel });
  await act(chat, admin, `POST /default_streams`, { stream_id: channel });
  await act(chat, chat.member, "DELETE /users/me/subscriptions", { subscriptions: ["all"] });
  await act(chat, admin, `DELETE /streams/${channel}`);
  await act(chat, admin, `PATCH /streams/${channel}`, { is_archived: false });
  const group = await act(chat, admin, "POST /user_groups/create", {
    name: "crew",
    description: "",
    members: [],
    can_join_group: chat.realm.first_system_group_id + 5,
  });
  const path = `/user_groups/${group.group_id}`;
  await act(chat, chat.member, `POST ${path}/members`, { add: [chat.member.id] });
  await act(chat, admin, `POST ${path}/members`, { add: [chat.guest.id], delete: [chat.member.id] });
  await act(chat, admin, `PATCH ${path}`, { description: "all hands" });
  await act(chat, admin, `POST ${path}/deactivate`);
  await act(chat, admin, `PATCH ${path}`, { deactivated: false });
  const folder = await act(chat, admin, "POST /channel_folders/create", { name: "One", description: "" });
  const { channel_folder_id: second } = await act(chat, admin, "POST /channel_folders/create", {
    name: "Two",
    description: "",
  });
  const first = folder.channel_folder_id;
  await act(chat, admin, "PATCH /channel_folders", { order: [second, first] });
  await act(chat, admin, `PATCH /channel_folders/${first}`, { name: "Uno", is_archived: true });
  await act(chat, admin, `PATCH /channel_folders/${first}`, { is_archived: false });
  assert.deepEqual(await actionsSince(chat, before), [
    "channel_created",
    ...["channel_changed", "default_channel_added", "default_channel_removed", "default_channel_added"],
    ...["channel_archived", "channel_unarchived"],
    ...["group_created", "group_members_changed", "group_changed", "group_deactivated", "group_reactivated"],
    ...["folder_created", "folder_created", "folder_reordered", "folder_archived", "folder_changed"],
    "folder_restored",
  ]);
  const details = (action: string) =>
    changes(chat).then((all) => all.find((one) => one.action === action)?.details);
  assert.deepEqual(await details("channel_changed"), { name: ["general", "all"] });
  assert.deepEqual(await details("group_members_changed"), { add: "1", delete: "1" });
});

Deno.test("changes of the organization are audited without the welcome message", async () => {
  await using chat = await startChat();
  const before = (await changes(chat)).length;
  const { owner } = chat;
  await act(chat, owner, "PATCH /realm", { name: "Growers", welcome_message_custom_text: "the gate code" });
  await act(chat, owner, "PATCH /realm", { name: "Growers" });
  await act(chat, owner, "POST /realm/domains", { domain: "example.com", allow_subdomains: false });
  await act(chat, owner, "PATCH /realm/domains/example.com", { allow_subdomains: true });
  await act(chat, owner, "DELETE /realm/domains/example.com");
  await act(chat, chat.admin, "PATCH /settings", {
    color_scheme: 2,
    target_users: { user_ids: [chat.guest.id], group_ids: [], skip_if_already_edited: false },
  });
  chat.clock.time++;
  await deactivateRealm(chat.services.chat, "");
  assert.deepEqual(await actionsSince(chat, before), [
    "realm_changed",
    ...["domain_added", "domain_changed", "domain_removed"],
    "user_settings_changed",
    "realm_deactivated",
  ]);
  const all = await changes(chat);
  const changed = all.find(({ action }) => action === "realm_changed");
  assert.deepEqual(changed?.details, { name: ["Gardeners", "Growers"], welcome_message_custom_text: "" });
  assert.equal(all[0]?.acting_user_id, null);
  assert.doesNotMatch(JSON.stringify(all), /gate code/);
});

Deno.test("refused requests and everyday actions are not audited", async () => {
  await using chat = await startChat();
  const before = (await changes(chat)).length;
  await chat.call(chat.admin, `PATCH /users/${chat.member.id}`, { full_name: "Good", role: 100 });
  await chat.call(chat.member, `DELETE /users/${chat.guest.id}`);
  await chat.call(chat.admin, "PATCH /realm", { name: "" });
  await act(chat, chat.member, "PATCH /settings", { color_scheme: 2, full_name: "Mine" });
  await act(chat, chat.member, "POST /users/me/api_key/regenerate");
  assert.deepEqual(await actionsSince(chat, before), []);
});

Deno.test("listAuditRecords() pages newest first, filtered by user, by kind, or both", async () => {
  await using chat = await startChat();
  const { store, chat: app } = chat.services;
  const [adminId, operatorId] = [chat.admin.id, null];
  for (let at = 0; at < 25; at++) {
    await transact(store, (tx) => {
      const target = { kind: at % 2 === 0 ? "channel" as const : "group" as const, id: at, name: `n${at}` };
      const action = at % 2 === 0 ? "channel_changed" as const : "group_changed" as const;
      const acting_user_id = at % 3 === 0 ? adminId : operatorId;
      recordAudit(tx, { realmId: chat.realm.id, now: 1000 + at }, { acting_user_id, action, target });
      return Promise.resolve();
    });
  }
  const idsOf = async (query: object) => {
    const ids: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = await listAuditRecords(app, chat.realm, { cursor, limit: 4, ...query });
      ids.push(
        ...page.changes.filter(({ action }) => action !== "realm_created").map(({ target }) => target.id),
      );
      cursor = page.next;
    } while (cursor !== null);
    return ids;
  };
  const newestFirst = Array.from({ length: 25 }, (_, at) => 24 - at);
  assert.deepEqual(await idsOf({}), newestFirst);
  assert.deepEqual(await idsOf({ actingUserId: adminId }), newestFirst.filter((at) => at % 3 === 0));
  assert.deepEqual(await idsOf({ actingUserId: null }), newestFirst.filter((at) => at % 3 !== 0));
  assert.deepEqual(await idsOf({ kind: "group" }), newestFirst.filter((at) => at % 2 === 1));
  assert.deepEqual(
    await idsOf({ actingUserId: adminId, kind: "channel" }),
    newestFirst.filter((at) => at % 6 === 0),
  );
  const others = (await listAuditRecords(app, chat.outsider.realm, ALL)).changes;
  assert.deepEqual(others.map(({ action }) => action), ["realm_created"]);
  await assert.rejects(listAuditRecords(app, chat.realm, { cursor: "!", limit: 5 }), {
    code: "BAD_REQUEST",
  });
});

Deno.test("recordAudit() truncates long texts and stores no secrets", async () => {
  await using chat = await startChat();
  await transact(chat.services.store, (tx) => {
    recordAudit(tx, { realmId: chat.realm.id, now: 1e15 }, {
      acting_user_id: 1,
      action: "emoji_added",
      target: { kind: "emoji", id: 1, name: "😀".repeat(5000) },
      details: { text: ["x".repeat(201), "y".repeat(200)], api_key: "k", password_hash: ["a", "b"] },
    });
    return Promise.resolve();
  });
  const [record] = await changes(chat);
  assert.equal([...record?.target.name ?? ""].length, 200);
  assert.deepEqual(record?.details, {
    text: [`${"x".repeat(199)}…`, "y".repeat(200)],
    api_key: "",
    password_hash: "",
  });
});

Deno.test("every audited action contains the kind of its target", () => {
  for (const [kind, actions] of Object.entries(AUDIT_ACTIONS)) {
    for (const action of Object.keys(actions)) {
      assert.ok(action.includes(kind), `${action} is not about ${kind}`);
    }
  }
});
