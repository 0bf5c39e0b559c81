import assert from "node:assert/strict";
import type { AuditRecord } from "@/lib/chat/organization/audit/model.ts";
import { auditKeys } from "@/lib/chat/organization/audit/model.ts";
import { auditBulkStep, listChangedUsers } from "@/lib/chat/register/bulk_actions/audit_bulk_action.ts";
import {
  bulkActionKeys,
  type BulkChange,
  type BulkItem,
  createBulkAction,
  readBulkAction,
  startBulkAction,
  stopBulkAction,
} from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { runBulkAction } from "@/lib/chat/register/bulk_actions/run_bulk_action.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { listValues } from "@/lib/store/reads.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const COUNT = 500;

/** Creates an action in the name of a user and returns its id. */
async function create(chat: TestChat, by: TestUser, change: BulkChange, items: readonly BulkItem[]) {
  const { chat: app } = chat.services;
  const actingUser = await readUser(app, chat.realm.id, by.id) ?? assert.fail();
  return (await createBulkAction(app, { realm: chat.realm, actingUser }, { change, items })).id;
}

/** Applies an action and returns its final state. */
async function run(chat: TestChat, by: TestUser, change: BulkChange, items: readonly BulkItem[]) {
  const id = await create(chat, by, change, items);
  await chat.services.bulkActions.sweep();
  return await readBulkAction(chat.services.chat, chat.realm.id, id) ?? assert.fail();
}

/** Lists the number of changed accounts in each audit entry of an action. */
async function listAudited(chat: TestChat, action: string): Promise<readonly unknown[]> {
  const { kv } = chat.services.store;
  const records = await listValues<AuditRecord>(kv, auditKeys.all(chat.realm.id));
  return records.filter((record) => record.action === action)
    .map(({ details }) => details["count"] ?? details["add"]);
}

async function showUsers(chat: TestChat) {
  const { body } = await chat.call(chat.owner, "GET /users");
  return body["members"] as readonly { user_id: number; role: number; is_active: boolean; email: string }[];
}

Deno.test("each kind of bulk action changes 500 accounts once, with one audit entry", async () => {
  await using chat = await startChat();
  const rows = Array.from(
    { length: COUNT },
    (_, at): BulkItem => [`Person ${at}`, `p${at}@example.com`, 400],
  );
  const imported = await run(chat, chat.admin, { kind: "import" }, rows);
  assert.deepEqual([imported.state, imported.done, imported.failed], ["finished", COUNT, 0]);
  assert.deepEqual(await listAudited(chat, "users_imported"), ["500"]);
  const added = (await showUsers(chat)).filter(({ email }) => /^p\d+@/.test(email));
  assert.equal(added.length, COUNT);
  const ids = added.map(({ user_id }) => user_id);

  assert.equal((await run(chat, chat.admin, { kind: "set_role", role: 300 }, ids)).failed, 0);
  assert.equal((await showUsers(chat)).filter(({ role }) => role === 300).length, COUNT + 1);
  assert.deepEqual(await listAudited(chat, "users_role_changed"), ["500"]);

  const group = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "hive",
    description: "",
    members: [ids[3]],
  });
  const group_id = group.body["group_id"];
  assert.equal((await run(chat, chat.owner, { kind: "add_to_group", group_id }, ids)).failed, 0);
  const { body: inGroup } = await chat.call(chat.owner, `GET /user_groups/${group_id}/members`);
  assert.equal(inGroup["members"].length, COUNT);
  assert.deepEqual(await listAudited(chat, "group_members_changed"), ["499"]);

  const channel = await chat.call(chat.owner, "POST /channels/create", {
    name: "roof",
    subscribers: [ids[5]],
  });
  const channel_id = channel.body["id"];
  const subscribers = async () =>
    (await chat.call(chat.owner, `GET /streams/${channel_id}/members`)).body["subscribers"].length;
  assert.equal((await run(chat, chat.admin, { kind: "subscribe", channel_id }, ids)).failed, 0);
  assert.equal(await subscribers(), COUNT);
  assert.equal((await run(chat, chat.admin, { kind: "unsubscribe", channel_id }, ids)).failed, 0);
  assert.equal(await subscribers(), 0);

  assert.equal((await run(chat, chat.admin, { kind: "deactivate" }, ids)).failed, 0);
  assert.equal((await showUsers(chat)).filter(({ is_active }) => is_active).length, 6);
  assert.deepEqual(await listAudited(chat, "users_deactivated"), ["500"]);
  assert.equal((await run(chat, chat.admin, { kind: "reactivate" }, ids)).failed, 0);
  assert.equal((await showUsers(chat)).filter(({ is_active }) => is_active).length, COUNT + 6);
  assert.deepEqual(await listAudited(chat, "users_reactivated"), ["500"]);
  const kinds = ["user_created", "user_role_changed", "user_deactivated", "user_reactivated"];
  for (const kind of kinds) assert.deepEqual(await listAudited(chat, kind), [], kind);
});

Deno.test("refused items of a bulk action are named, and the others are changed", async () => {
  await using chat = await startChat();
  const ids = [chat.owner.id, chat.admin.id, chat.member.id, 999_999];
  const { failed, failures, state } = await run(chat, chat.admin, { kind: "deactivate" }, ids);
  assert.deepEqual([state, failed], ["finished", 3]);
  assert.deepEqual(failures.map(({ name, reason }) => [name, reason]), [
    ["Owner", "Must be an organization owner"],
    ["Admin", "You cannot deactivate your own account together with others."],
    ["999999", "No such user"],
  ]);
  assert.equal((await readUser(chat.services.chat, chat.realm.id, chat.member.id))?.is_active, false);
  const rows: BulkItem[] = [["One", "one@example.com", 400], ["Two", chat.guest.email, 400], [
    "Three",
    "three@example.com",
    100,
  ]];
  const imported = await run(chat, chat.admin, { kind: "import" }, rows);
  assert.deepEqual(imported.failures.map(({ name, reason }) => [name, reason]), [
    [chat.guest.email, `Email '${chat.guest.email}' already in use`],
    ["three@example.com", "Must be an organization owner"],
  ]);
  assert.ok((await showUsers(chat)).some(({ email }) => email === "one@example.com"));
});

Deno.test("a bulk action ends when it is stopped, and when its administrator loses the role", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const ids = [chat.guest.id, chat.moderator.id];
  const caller = {
    realm: chat.realm,
    actingUser: await readUser(app, chat.realm.id, chat.admin.id) ?? assert.fail(),
  };
  const stopped = await create(chat, chat.admin, { kind: "deactivate" }, ids);
  await stopBulkAction(app, caller, stopped);
  const demoted = await create(chat, chat.admin, { kind: "deactivate" }, ids);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 400 });
  await chat.services.bulkActions.sweep();
  for (const id of [stopped, demoted]) {
    const action = await readBulkAction(app, chat.realm.id, id);
    assert.deepEqual([action?.state, action?.done], ["stopped", 0]);
  }
  assert.ok((await showUsers(chat)).every(({ is_active }) => is_active));
  const member = { realm: chat.realm, actingUser: caller.actingUser };
  await assert.rejects(createBulkAction(app, member, { change: { kind: "deactivate" }, items: ids }));
});

Deno.test("a draft waits for its administrator, and two workers process each item once", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const callerOf = async ({ id }: TestUser) => ({
    realm: chat.realm,
    actingUser: await readUser(app, chat.realm.id, id) ?? assert.fail(),
  });
  const items = Array.from({ length: 120 }, (_, at): BulkItem => [`P ${at}`, `p${at}@example.com`, 600]);
  const admin = await callerOf(chat.admin);
  const { id } = await createBulkAction(app, admin, { change: { kind: "import" }, items, isDraft: true });
  await chat.services.bulkActions.sweep();
  assert.equal((await readBulkAction(app, chat.realm.id, id))?.state, "draft");
  await assert.rejects(startBulkAction(app, await callerOf(chat.owner), id));
  await startBulkAction(app, admin, id);
  const key = bulkActionKeys.due(chat.clock.time, chat.realm.id, id);
  const worker = async () => {
    while (await runBulkAction(app, key).catch(() => true)) {
      if ((await readBulkAction(app, chat.realm.id, id))?.state !== "running") return;
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  const action = await readBulkAction(app, chat.realm.id, id);
  assert.deepEqual([action?.state, action?.done, action?.failed], ["finished", 120, 0]);
  assert.deepEqual(await listAudited(chat, "users_imported"), ["120"]);
  const left: unknown[] = [];
  for await (const { key } of app.store.kv.list({ prefix: [...bulkActionKeys.dueRows] })) left.push(key);
  assert.deepEqual(left, []);
  const readItems = async (actionId: number, chunk: number) =>
    (await app.store.kv.get<BulkItem[]>([...bulkActionKeys.items(chat.realm.id, actionId, chunk)])).value;
  // Those of an import stay for the sign-in links of its users.
  const kept = await Promise.all([0, 1, 2].map((chunk) => readItems(id, chunk)));
  assert.deepEqual(kept.flat(), items);
  const change = { kind: "set_role", role: 300 } as const;
  const other = await createBulkAction(app, admin, { change, items: [chat.member.id], isDraft: false });
  await chat.services.bulkActions.sweep();
  assert.equal(await readItems(other.id, 0), null);
});

Deno.test("the audit entry names all users of the largest action, however many bots they have", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const id = await create(chat, chat.owner, { kind: "deactivate" }, [chat.member.id]);
  const action = await readBulkAction(app, chat.realm.id, id) ?? assert.fail();
  const actor = await readUser(app, chat.realm.id, chat.owner.id) ?? assert.fail();
  const users = Array.from({ length: 10_000 }, (_, at) => 1_000_000 + at);
  for (const [at, some] of [users.slice(0, 6000), users.slice(6000)].entries()) {
    const changed = { users: some, bots: at === 0 ? [] : some.map((user) => user + 1_000_000) };
    await transact(store, (tx) => auditBulkStep({ app, tx, realm: chat.realm, actor }, action, changed));
  }
  assert.deepEqual(await listChangedUsers(app, chat.realm.id, action), users);
  assert.deepEqual(await listAudited(chat, "users_deactivated"), ["10000"]);
});
