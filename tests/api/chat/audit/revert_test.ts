import assert from "node:assert/strict";
import { type AuditAction, auditKeys, type AuditValues } from "@/lib/chat/audit/model.ts";
import { readReversal, revertChange } from "@/lib/chat/audit/revert_change.ts";
import { type AuditLogEntry, listAuditRecords, recordAudit } from "@/lib/chat/audit/store.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { listValues } from "@/lib/store/reads.ts";
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

Deno.test("changes of accounts and of the organization are reverted, and so are their reversals", async () => {
  await using chat = await startChat();
  const { member, bot } = chat;
  const user = async (id: number) => {
    const { full_name, role, is_active } = (await act(chat, `GET /users/${id}`)).user;
    return { full_name, role, is_active };
  };
  const state = () => user(member.id);
  const path = `/users/${member.id}`;
  await assertRevertible(chat, "user_role_changed", {
    state,
    change: () => act(chat, `PATCH ${path}`, { role: 300 }),
  });
  await assertRevertible(chat, "user_renamed", {
    state,
    change: () => act(chat, `PATCH ${path}`, { full_name: "Mona" }),
  });
  await assertRevertible(chat, "bot_changed", {
    state: () => user(bot.id),
    change: () => act(chat, `PATCH /bots/${bot.id}`, { full_name: "Gauge" }),
  });
  await assertRevertible(chat, "bot_deactivated", {
    state: () => user(bot.id),
    change: () => act(chat, `DELETE /bots/${bot.id}`),
  });
  await assertRevertible(chat, "user_deactivated", { state, change: () => act(chat, `DELETE ${path}`) });
  await assertRevertible(chat, "user_reactivated", {
    state,
    change: () => act(chat, `POST ${path}/reactivate`),
  });
  const realm = async () => {
    const all = await act(chat, "POST /register", { fetch_event_types: ["realm"] });
    return [all.realm_name, all.realm_message_content_edit_limit_seconds, all.realm_can_create_groups];
  };
  await assertRevertible(chat, "realm_changed", {
    state: realm,
    change: () =>
      act(chat, "PATCH /realm", {
        name: "Growers",
        message_content_edit_limit_seconds: "unlimited",
        can_create_groups: { new: { direct_members: [chat.guest.id], direct_subgroups: [] } },
      }),
  });
});

Deno.test("changes of channels, folders and groups are reverted, and so are their reversals", async () => {
  await using chat = await startChat();
  const { owner, admin, member, guest } = chat;
  const { id } = await act(chat, "POST /channels/create", { name: "general", subscribers: [owner.id] });
  const folder = (name: string) =>
    act(chat, "POST /channel_folders/create", { name, description: "" }).then((made) =>
      made.channel_folder_id
    );
  const [first, second] = [await folder("One"), await folder("Two")];
  const channel = async () => {
    const { date_created: _, ...stored } = (await act(chat, `GET /streams/${id}`)).stream;
    return stored;
  };
  const path = `/streams/${id}`;
  await assertRevertible(chat, "channel_changed", {
    state: channel,
    change: () =>
      act(chat, `PATCH ${path}`, {
        new_name: "all",
        description: "For all",
        is_private: true,
        folder_id: first,
        message_retention_days: "unlimited",
        can_send_message_group: { new: { direct_members: [member.id], direct_subgroups: [] } },
      }),
  });
  await assertRevertible(chat, "channel_archived", {
    state: channel,
    change: () => act(chat, `DELETE ${path}`),
  });
  await act(chat, `PATCH ${path}`, { is_archived: false, is_private: false });
  await assertRevertible(chat, "default_channel_added", {
    state: async () => {
      const { realm_default_streams } = await act(chat, "POST /register", {
        fetch_event_types: ["default_streams"],
      });
      return realm_default_streams;
    },
    change: () => act(chat, "POST /default_streams", { stream_id: id }),
  });
  const folders = () =>
    act(chat, "GET /channel_folders", { include_archived: true }).then((all) => all.channel_folders);
  await assertRevertible(chat, "folder_changed", {
    state: folders,
    change: () => act(chat, `PATCH /channel_folders/${second}`, { name: "Zwei", description: "2" }),
  });
  await assertRevertible(chat, "folder_archived", {
    state: folders,
    change: () => act(chat, `PATCH /channel_folders/${second}`, { is_archived: true }),
  });
  await assertRevertible(chat, "folder_reordered", {
    state: async () => (await folders()).map((one: { id: number }) => one.id),
    change: () => act(chat, "PATCH /channel_folders", { order: [second, first] }),
  });
  const group = { name: "crew", description: "", members: [member.id] };
  const { group_id } = await act(chat, "POST /user_groups/create", group);
  const { group_id: inner } = await act(chat, "POST /user_groups/create", { ...group, name: "inner" });
  const groups = async () => {
    const { user_groups } = await act(chat, "GET /user_groups", { include_deactivated_groups: true });
    return user_groups.find((one: { id: number }) => one.id === group_id);
  };
  await assertRevertible(chat, "group_changed", {
    state: groups,
    change: () =>
      act(chat, `PATCH /user_groups/${group_id}`, {
        name: "team",
        can_mention_group: { new: inner },
      }),
  });
  await assertRevertible(chat, "group_members_changed", {
    state: groups,
    change: () =>
      act(chat, `POST /user_groups/${group_id}/members`, {
        add: [guest.id, admin.id],
        delete: [member.id],
        add_subgroups: [inner],
      }),
  });
  await assertRevertible(chat, "group_deactivated", {
    state: groups,
    change: () => act(chat, `POST /user_groups/${group_id}/deactivate`),
  });
});

Deno.test("changes of linkifiers, playgrounds and profile fields are reverted, and so are their reversals", async () => {
  await using chat = await startChat();
  const linkifier = (letter: string) => ({
    pattern: `${letter}-(?P<id>[0-9]+)`,
    url_template: "https://x.example/{id}",
  });
  const add = async (letter: string) => (await act(chat, "POST /realm/filters", linkifier(letter))).id;
  const [first, second, third] = [await add("A"), await add("B"), await add("C")];
  const linkifiers = () => act(chat, "GET /realm/linkifiers").then((all) => all.linkifiers);
  await assertRevertible(chat, "linkifier_changed", {
    state: linkifiers,
    change: () => act(chat, `PATCH /realm/filters/${second}`, linkifier("D")),
  });
  await assertRevertible(chat, "linkifier_deleted", {
    state: linkifiers,
    change: () => act(chat, `DELETE /realm/filters/${second}`),
  });
  await assertRevertible(chat, "linkifier_created", { state: linkifiers, change: () => add("E") });
  const { linkifiers: left } = await act(chat, "GET /realm/linkifiers");
  const ids = left.map(({ id }: { id: number }) => id).toReversed();
  assert.ok(ids.includes(first) && ids.includes(third));
  await assertRevertible(chat, "linkifier_reordered", {
    state: linkifiers,
    change: () => act(chat, "PATCH /realm/linkifiers", { ordered_linkifier_ids: ids }),
  });
  const playgrounds = async () =>
    (await act(chat, "POST /register", { fetch_event_types: ["realm_playgrounds"] })).realm_playgrounds;
  const playground = { name: "Bench", pygments_language: "Rust", url_template: "https://x.example/{code}" };
  const { id } = await act(chat, "POST /realm/playgrounds", playground);
  await assertRevertible(chat, "playground_removed", {
    state: playgrounds,
    change: () => act(chat, `DELETE /realm/playgrounds/${id}`),
  });
  const choice = (text: string) => ({ "1": { text, order: "1" } });
  const field = { field_type: 3, name: "Color", field_data: choice("red") };
  const { id: fieldId } = await act(chat, "POST /realm/profile_fields", field);
  const { id: other } = await act(chat, "POST /realm/profile_fields", { field_type: 1, name: "Tree" });
  const fields = () => act(chat, "GET /realm/profile_fields").then((all) => all.custom_fields);
  await assertRevertible(chat, "profile_field_changed", {
    state: fields,
    change: () =>
      act(chat, `PATCH /realm/profile_fields/${fieldId}`, {
        name: "Hue",
        required: true,
        field_data: { ...choice("red"), "2": { text: "blue", order: "2" } },
      }),
  });
  const order = async () => (await fields()).map((one: { id: number }) => one.id);
  await assertRevertible(chat, "profile_field_reordered", {
    state: order,
    change: () => act(chat, "PATCH /realm/profile_fields", { order: [other, fieldId] }),
  });
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
  const { owner, admin, moderator, member } = chat;
  await act(chat, "PATCH /realm", {
    waiting_period_threshold: 5,
    welcome_message_custom_text: "the gate code",
  });
  const settings = await latest(chat);
  await act(chat, `PATCH /users/${member.id}`, { role: 100 });
  const promotion = await latest(chat);
  for (const { id } of [settings, promotion]) {
    await assert.rejects(revert(chat, id, { ...YES, by: admin }), { code: "UNAUTHORIZED_PRINCIPAL" });
    await assert.rejects(revert(chat, id, { ...YES, by: moderator }), { code: "UNAUTHORIZED_PRINCIPAL" });
    assert.equal((await preview(chat, id)).reverted, null);
  }
  await revert(chat, promotion.id);
  assert.deepEqual((await preview(chat, promotion.id)).reverted?.acting_user_id, owner.id);
  // Secrets are not stored, so they stay.
  await revert(chat, settings.id);
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

Deno.test("deactivated users stay out of a group whose members are reverted, and others are added again", async () => {
  await using chat = await startChat();
  const { member, guest, moderator } = chat;
  const members = [member.id, guest.id, moderator.id];
  const { group_id } = await act(chat, "POST /user_groups/create", {
    name: "crew",
    description: "",
    members,
  });
  await act(chat, `POST /user_groups/${group_id}/members`, { delete: [member.id, guest.id] });
  const { id } = await latest(chat);
  await act(chat, `DELETE /users/${guest.id}`);
  await act(chat, `POST /user_groups/${group_id}/members`, { delete: [moderator.id] });
  await revert(chat, id);
  const { members: after } = await act(chat, `GET /user_groups/${group_id}/members`);
  assert.deepEqual(after, [member.id]);
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
