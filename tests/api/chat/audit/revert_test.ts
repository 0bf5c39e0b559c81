import assert from "node:assert/strict";
import {
  type AuditAction,
  auditKeys,
  type AuditRecord,
  type AuditValues,
  isRevertible,
} from "@/lib/chat/organization/audit/model.ts";
import { readReversal, revertChange } from "@/lib/chat/register/audit/revert_change.ts";
import { type AuditLogEntry, listAuditRecords, recordAudit } from "@/lib/chat/organization/audit/store.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { listPage, listValues } from "@/lib/store/reads.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

const YES = { replacesLater: false };

async function act(chat: TestChat, endpoint: string, params: TestParams = {}, by: TestUser = chat.owner) {
  // Changes at the same time have no defined order.
  chat.clock.time++;
  const { status, body } = await chat.call(by, endpoint, params);
  assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
  return body;
}

async function latest(chat: TestChat, action?: AuditAction): Promise<AuditLogEntry> {
  const { changes } = await listAuditRecords(chat.services.chat, chat.realm, { cursor: null, limit: 100 });
  return changes.find((entry) => action === undefined || entry.action === action) ?? assert.fail(action);
}

async function callerOf(chat: TestChat, { id }: TestUser) {
  return {
    realm: chat.realm,
    actingUser: await readUser(chat.services.chat, chat.realm.id, id) ?? assert.fail(),
  };
}

async function preview(chat: TestChat, id: string) {
  return await readReversal(chat.services.chat, await callerOf(chat, chat.owner), id) ?? assert.fail("none");
}

/** Reverts an entry as the page does, and returns the entry of the reversal. */
async function revert(
  chat: TestChat,
  id: string,
  { replacesLater, by = chat.owner }: { replacesLater: boolean; by?: TestUser } = YES,
): Promise<AuditLogEntry> {
  const { revision } = await preview(chat, id);
  chat.clock.time++;
  await revertChange(chat.services.chat, await callerOf(chat, by), { id, revision, replacesLater });
  return await latest(chat);
}

/** Makes a change, reverts it, and reverts the reversal. */
async function assertRevertible(
  chat: TestChat,
  action: AuditAction,
  { change, state }: { change: () => Promise<unknown>; state: () => Promise<unknown> },
): Promise<void> {
  const before = await state();
  await change();
  const after = await state();
  assert.notDeepEqual(after, before, action);
  const entry = await latest(chat);
  assert.equal(entry.action, action);
  const reversal = await revert(chat, entry.id);
  assert.equal(reversal.reverts, entry.id, action);
  assert.deepEqual(await state(), before, action);
  await revert(chat, reversal.id);
  assert.deepEqual(await state(), after, action);
  await assert.rejects(revert(chat, entry.id), { message: "This change was already reverted." });
}

Deno.test("changes of names, settings and permissions are reverted, and so are their reversals", async () => {
  await using chat = await startChat();
  const { owner, member, bot } = chat;
  const nameOf = async (id: number) => (await act(chat, `GET /users/${id}`)).user.full_name;
  await assertRevertible(chat, "user_renamed", {
    state: () => nameOf(member.id),
    change: () => act(chat, `PATCH /users/${member.id}`, { full_name: "Mona" }),
  });
  await assertRevertible(chat, "bot_changed", {
    state: () => nameOf(bot.id),
    change: () => act(chat, `PATCH /bots/${bot.id}`, { full_name: "Gauge" }),
  });
  const { id } = await act(chat, "POST /channels/create", { name: "general", subscribers: [owner.id] });
  await assertRevertible(chat, "channel_changed", {
    state: async () => {
      const { date_created: _, ...stored } = (await act(chat, `GET /streams/${id}`)).stream;
      return stored;
    },
    change: () =>
      act(chat, `PATCH /streams/${id}`, {
        new_name: "all",
        description: "For all",
        can_send_message_group: { new: { direct_members: [member.id], direct_subgroups: [] } },
      }),
  });
  const group = { name: "crew", description: "", members: [member.id] };
  const { group_id } = await act(chat, "POST /user_groups/create", group);
  const { group_id: inner } = await act(chat, "POST /user_groups/create", { ...group, name: "inner" });
  await assertRevertible(chat, "group_changed", {
    state: async () => {
      const { user_groups } = await act(chat, "GET /user_groups");
      return user_groups.find((one: { id: number }) => one.id === group_id);
    },
    change: () =>
      act(chat, `PATCH /user_groups/${group_id}`, { name: "team", can_mention_group: { new: inner } }),
  });
  await assertRevertible(chat, "realm_changed", {
    state: async () => {
      const all = await act(chat, "POST /register", { fetch_event_types: ["realm"] });
      return [
        all.realm_name,
        all.realm_message_content_edit_limit_seconds,
        all.realm_can_create_groups,
        all.realm_disallow_disposable_email_addresses,
      ];
    },
    change: () =>
      act(chat, "PATCH /realm", {
        name: "Growers",
        message_content_edit_limit_seconds: "unlimited",
        disallow_disposable_email_addresses: false,
        can_create_groups: { new: { direct_members: [chat.guest.id], direct_subgroups: [] } },
      }),
  });
});

Deno.test("other changes are not reverted from the audit log", async () => {
  await using chat = await startChat();
  const { owner, member, guest } = chat;
  const { id } = await act(chat, "POST /channels/create", { name: "general", subscribers: [owner.id] });
  const group = { name: "crew", description: "", members: [member.id] };
  const { group_id } = await act(chat, "POST /user_groups/create", group);
  const { channel_folder_id } = await act(chat, "POST /channel_folders/create", {
    name: "One",
    description: "",
  });
  const changes: readonly [AuditAction, string, TestParams?][] = [
    ["user_role_changed", `PATCH /users/${member.id}`, { role: 300 }],
    ["user_deactivated", `DELETE /users/${guest.id}`],
    ["group_members_changed", `POST /user_groups/${group_id}/members`, { delete: [member.id] }],
    ["channel_changed", `PATCH /streams/${id}`, { new_name: "all", is_private: true }],
    ["channel_archived", `DELETE /streams/${id}`],
    ["folder_changed", `PATCH /channel_folders/${channel_folder_id}`, { name: "Two" }],
  ];
  const caller = await callerOf(chat, owner);
  for (const [action, endpoint, params] of changes) {
    await act(chat, endpoint, params);
    const entry = await latest(chat);
    assert.equal(entry.action, action);
    assert.equal(isRevertible(entry), false, action);
    assert.equal(await readReversal(chat.services.chat, caller, entry.id), null, action);
  }
});

Deno.test("an entry is stored once, and entries that are stored in full in an index are listed", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const realmId = chat.realm.id;
  await act(chat, `PATCH /users/${chat.member.id}`, { full_name: "Mona" });
  const record = (await listValues<AuditRecord>(kv, auditKeys.all(realmId))).at(-1);
  assert.equal(record?.action, "user_renamed");
  const index = auditKeys.by(realmId, chat.owner.id);
  assert.deepEqual(await listValues(kv, index), [true]);
  const { entries: [entry] } = await listPage(kv, index, { cursor: null, limit: 1 });
  await kv.set(entry?.key ?? assert.fail("no entry"), { ...record, action: "user_role_changed" });
  const query = { cursor: null, limit: 10, actingUserId: chat.owner.id };
  const { changes } = await listAuditRecords(chat.services.chat, chat.realm, query);
  assert.deepEqual(changes.map(({ action }) => action), ["user_role_changed"]);
});

Deno.test("a reversal that replaces later values needs a confirmation of its own", async () => {
  await using chat = await startChat();
  const path = `/users/${chat.member.id}`;
  await act(chat, `PATCH ${path}`, { full_name: "One" });
  const { id } = await latest(chat);
  await act(chat, `PATCH ${path}`, { full_name: "Two" });
  const { fields, revision } = await preview(chat, id);
  assert.deepEqual(fields, [{
    ...{ name: "full_name", earlier: "Member", current: "Two", changed: "One" },
    isChangedSince: true,
  }]);
  await assert.rejects(revert(chat, id), { code: "EXPECTATION_MISMATCH" });
  await act(chat, `PATCH ${path}`, { full_name: "Three" });
  const stale = { id, revision, replacesLater: true };
  const app = chat.services.chat;
  await assert.rejects(revertChange(app, await callerOf(chat, chat.owner), stale), {
    code: "EXPECTATION_MISMATCH",
  });
  await revert(chat, id, { replacesLater: true });
  assert.equal((await act(chat, `GET ${path}`)).user.full_name, "Member");
  await act(chat, `PATCH ${path}`, { full_name: "One" });
  const again = await latest(chat);
  await act(chat, `PATCH ${path}`, { full_name: "Member" });
  await assert.rejects(revert(chat, again.id), { message: "There is nothing to revert." });
});

Deno.test("reverting needs the permissions of the change, and only entries with their values are reverted", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator } = chat;
  await act(chat, "PATCH /realm", {
    waiting_period_threshold: 5,
    welcome_message_custom_text: "the gate code",
  });
  const settings = await latest(chat);
  const { id } = settings;
  await assert.rejects(revert(chat, id, { ...YES, by: admin }), { code: "UNAUTHORIZED_PRINCIPAL" });
  await assert.rejects(revert(chat, id, { ...YES, by: moderator }), { code: "UNAUTHORIZED_PRINCIPAL" });
  assert.equal((await preview(chat, id)).reverted, null);
  // Secrets are not stored, so they stay.
  await revert(chat, id);
  assert.equal((await preview(chat, id)).reverted?.acting_user_id, owner.id);
  const { kv } = chat.services.store;
  const values = await listValues<AuditValues>(kv, [chat.realm.id, "audit_values"]);
  assert.doesNotMatch(JSON.stringify(values), /gate code/);
  await act(chat, "PATCH /realm", { welcome_message_custom_text: "another" });
  const app = chat.services.chat;
  const caller = await callerOf(chat, owner);
  for (const id of [(await latest(chat)).id, "1-000000-00000000-0000-0000-0000-000000000000", "x", ""]) {
    assert.equal(await readReversal(app, caller, id), null);
    await assert.rejects(revertChange(app, caller, { id, revision: "", ...YES }), { code: "NOT_FOUND" });
  }
  const foreign = { ...caller, realm: chat.outsider.realm };
  assert.equal(await readReversal(app, foreign, settings.id), null);
});

Deno.test("values that do not fit into one record make a change irreversible", async () => {
  await using chat = await startChat();
  const at = { realmId: chat.realm.id, now: chat.clock.now() + 1 };
  await transact(chat.services.store, (tx) => {
    recordAudit(tx, at, {
      acting_user_id: chat.owner.id,
      action: "channel_changed",
      target: { kind: "channel", id: 1, name: "x" },
      values: { before: { description: "x".repeat(70_000) }, after: { description: "" } },
    });
    return Promise.resolve();
  });
  const { id, is_revertible } = await latest(chat);
  assert.equal(is_revertible, undefined);
  assert.equal(await chat.services.chat.reads.read(auditKeys.values(chat.realm.id, id)), null);
});
