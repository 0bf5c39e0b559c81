import assert from "node:assert/strict";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { toUserGroup } from "@/lib/chat/organization/user_groups/api.ts";
import { sendGroupEvent } from "@/lib/chat/organization/user_groups/events.ts";
import { requireSubgroupCount, withMembers } from "@/lib/chat/organization/user_groups/model/rules.ts";
import {
  groupKeys,
  type GroupRecord,
  MAX_GROUP_DESCRIPTION,
  MAX_GROUP_MEMBERS,
  MAX_GROUP_NAME,
} from "@/lib/chat/organization/user_groups/model/group.ts";
import { putGroup } from "@/lib/chat/organization/user_groups/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { assertRefusal, assertSuccess, makeGroup, readGroup } from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

/** Returns ids of the magnitude found on a large server. */
function ids(count: number): number[] {
  return Array.from({ length: count }, (_, at) => 2 ** 24 + at);
}

async function put(chat: TestChat, members: number[], named: number): Promise<void> {
  const { chat: app } = chat.services;
  const id = await makeGroup(chat, chat.owner);
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(chat.realm.id), app.clock);
    const before = permissions.groups.get(id);
    assert.ok(before !== undefined);
    const toValue = () => ({ direct_members: ids(named), direct_subgroups: [] });
    const settings = Object.keys(before.permissions);
    const group: GroupRecord = {
      ...before,
      name: "🌱".repeat(MAX_GROUP_NAME),
      description: "🌱".repeat(MAX_GROUP_DESCRIPTION),
      members,
      permissions: Object.fromEntries(settings.map((setting) => [setting, toValue()])),
    };
    putGroup(tx, permissions, group);
    sendGroupEvent(tx, permissions, { op: "add", group: toUserGroup(permissions, group, () => true) });
  });
}

Deno.test("a group with the maximum number of members is stored and its event sent", async () => {
  await using chat = await startChat();
  await put(chat, ids(MAX_GROUP_MEMBERS), 1);
  await put(chat, ids(4000), 1000);
});

Deno.test("putGroup() refuses a record that is too large, whatever fills it", async () => {
  await using chat = await startChat();
  for (const members of [MAX_GROUP_MEMBERS, 7000]) {
    const message = "The user group would name too many users and groups.";
    await assert.rejects(put(chat, ids(members), 1000), { code: "BAD_REQUEST", message });
  }
  // A group that fits into the store fits into an event as well, at every size.
  for (let members = 5000; members < 6200; members += 100) {
    await put(chat, ids(members), 1000).catch((error) => assert.equal(error.code, "BAD_REQUEST", error));
  }
});

Deno.test("POST /user_groups/{user_group_id}/members refuses more members and subgroups than the maximum", async () => {
  await using chat = await startChat();
  const people = await Promise.all(["one", "two"].map((name) => chat.add(name)));
  const id = await makeGroup(chat, chat.owner);
  const { chat: app } = chat.services;
  const full = await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(chat.realm.id), app.clock);
    const group = permissions.groups.get(id);
    assert.ok(group !== undefined);
    const almost = withMembers(group, ids(MAX_GROUP_MEMBERS - 1));
    putGroup(tx, permissions, almost);
    return almost.members.length + people.length;
  });
  const path = `POST /user_groups/${id}/members`;
  assert.equal(full, MAX_GROUP_MEMBERS + 1);
  const refusal = await chat.call(chat.owner, path, { add: people.map((person) => person.id) });
  assertRefusal(refusal, "A user group can have 10000 members at most.");
  assert.deepEqual((await readGroup(chat, id)).members, []);
  assertSuccess(await chat.call(chat.owner, path, { add: [chat.member.id] }));
  assert.throws(() => requireSubgroupCount(1001), { message: "A user group can hold 1000 groups at most." });
});

Deno.test("a group with 10,000 members can still be changed", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    ...{ name: "all", description: "", members: [chat.owner.id] },
  });
  const key = groupKeys.group(chat.realm.id, body["group_id"]);
  await transact(chat.services.store, async (tx) => {
    const group = await tx.get<GroupRecord>(key) ?? assert.fail();
    tx.set(key, { ...group, members: Array.from({ length: 10_000 }, (_, at) => 1_000_000 + at) });
  });
  const path = `PATCH /user_groups/${body["group_id"]}`;
  for (const changes of [{ name: "everyone" }, { description: "All of them" }, { name: "all" }]) {
    const { body: answer } = await chat.call(chat.owner, path, changes);
    assert.equal(answer.result, "success", answer.msg);
  }
});
