import assert from "node:assert/strict";
import { Snapshot } from "@/lib/store/snapshot.ts";
import {
  filterMembers,
  hasPermission,
  hasRealmPermission,
  isDirectMember,
  isMember,
  listCustomGroupIds,
  type PermissionContext,
  toWireSetting,
  transitiveSubgroups,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  directSubgroupId,
  isDirectSystemGroupMember,
  isSystemGroupMember,
  SYSTEM_GROUPS,
  systemGroupId,
  systemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { ROLES, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

function userOf(chat: TestChat, { id }: TestUser): Promise<UserRecord> {
  return transact(chat.services.store, (tx) => getUser(tx, chat.realm.id, id));
}

function group(id: number, members: number[], subgroups: number[]): GroupRecord {
  const whole = {
    name: `group ${id}`,
    description: "",
    creator_id: null,
    date_created: 0,
    deactivated: false,
  };
  return { ...whole, id, members, subgroups, permissions: {} };
}

function contextOf(chat: TestChat, groups: GroupRecord[] = []): PermissionContext {
  const organization = new Snapshot(chat.realm.id, { version: 0, stamp: "" });
  const byId = new Map(groups.map((one) => [one.id, one]));
  return { realm: chat.realm, now: chat.clock.now(), groups: byId, organization };
}

Deno.test("each role is a member of its own and all wider system groups, and a direct member of its own only", async () => {
  await using chat = await startChat();
  const permissions = contextOf(chat);
  const user = await userOf(chat, chat.member);
  const memberships = [
    ["owners", "administrators", "moderators", "fullmembers", "members", "everyone", "internet"],
    ["administrators", "moderators", "fullmembers", "members", "everyone", "internet"],
    ["moderators", "fullmembers", "members", "everyone", "internet"],
    ["fullmembers", "members", "everyone", "internet"],
    ["everyone", "internet"],
  ];
  const directMemberships = [["owners"], ["administrators"], ["moderators"], ["fullmembers", "members"], [
    "everyone",
  ]];
  for (const [at, role] of ROLES.entries()) {
    const names = (is: typeof isSystemGroupMember) =>
      SYSTEM_GROUPS.filter(({ name }) => is(name, { ...user, role }, permissions)).map(({ name }) =>
        name.slice(5)
      );
    assert.deepEqual(names(isSystemGroupMember), memberships[at]);
    assert.deepEqual(names(isDirectSystemGroupMember), directMemberships[at]);
  }
});

Deno.test("every system group has the previous one as its only direct subgroup", async () => {
  await using chat = await startChat();
  const permissions = contextOf(chat);
  const first = systemGroupId(chat.realm, "role:nobody");
  const subgroups = SYSTEM_GROUPS.map(({ name }) => directSubgroupId(chat.realm, name));
  assert.deepEqual(subgroups, [null, null, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6]);
  assert.deepEqual([...transitiveSubgroups(permissions, [first + 3])], [first + 3, first + 2, first + 1]);
  assert.deepEqual([systemGroupName(chat.realm, first - 1), systemGroupName(chat.realm, first + 8)], [
    null,
    null,
  ]);
});

Deno.test("isMember() follows subgroups to any depth and ends in a cycle", async () => {
  await using chat = await startChat();
  const user = await userOf(chat, chat.guest);
  const depth = 20_000;
  const chain = Array.from(
    { length: depth },
    (_, at) => group(1000 + at, at === depth - 1 ? [user.id] : [], [1001 + at]),
  );
  const permissions = contextOf(chat, chain);
  assert.ok(isMember(permissions, 1000, user));
  assert.equal(isDirectMember(permissions, 1000, user), false);
  assert.deepEqual(filterMembers(permissions, 1000, [user]), [user]);
  const cycle = contextOf(chat, [group(1000, [], [1001]), group(1001, [], [1000])]);
  assert.equal(isMember(cycle, 1000, user), false);
  assert.equal(isMember(cycle, 4711, user), false);
  const nobody = contextOf(chat, [group(1000, [], [systemGroupId(chat.realm, "role:nobody")])]);
  assert.equal(isMember(nobody, 1000, user), false);
});

Deno.test("hasPermission() is false for guests if role:everyone is rejected, even when they are named", async () => {
  await using chat = await startChat();
  const [guest, member] = [await userOf(chat, chat.guest), await userOf(chat, chat.member)];
  const value = { direct_members: [guest.id, member.id], direct_subgroups: [] };
  const owner = {
    permissions: { can_join_group: value, can_leave_group: value, can_subscribe_group: value },
  };
  const check = (kind: "user_group" | "channel", setting: string) =>
    [guest, member].map((user) => hasPermission(contextOf(chat), { kind, setting, owner }, user));
  assert.deepEqual(check("user_group", "can_join_group"), [false, true]);
  assert.deepEqual(check("user_group", "can_leave_group"), [true, true]);
  assert.deepEqual(check("channel", "can_subscribe_group"), [false, true]);
});

Deno.test("by default, owners manage all groups and members create groups", async () => {
  await using chat = await startChat();
  const cast = [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot, chat.guest];
  const users = await Promise.all(cast.map((person) => userOf(chat, person)));
  const check = (setting: string) => users.map((user) => hasRealmPermission(contextOf(chat), setting, user));
  assert.deepEqual(check("can_manage_all_groups"), [true, false, false, false, false, false]);
  assert.deepEqual(check("can_create_groups"), [true, true, true, true, true, false]);
});

Deno.test("toWireSetting() leaves out inactive users and normalizes the value", async () => {
  await using chat = await startChat();
  const wire = (direct_members: number[], direct_subgroups: number[]) =>
    toWireSetting(chat.realm, { direct_members, direct_subgroups }, (id) => id !== 2);
  assert.equal(toWireSetting(chat.realm, 9, () => false), 9);
  assert.deepEqual(wire([1, 2, 3], [9]), { direct_members: [1, 3], direct_subgroups: [9] });
  assert.equal(wire([2], [9]), 9);
  assert.equal(wire([2], []), systemGroupId(chat.realm, "role:nobody"));
});

Deno.test("listCustomGroupIds() returns the custom groups that isMember() confirms", async () => {
  await using chat = await startChat();
  const { member, guest } = chat;
  const permissions = contextOf(chat, [
    ...[group(1000, [member.id], []), group(1001, [], [1000]), group(1002, [guest.id], [1001, 4711])],
    ...[
      group(1003, [], [systemGroupId(chat.realm, "role:members")]),
      group(1004, [], [1003, 1005]),
      group(1005, [], [1004]),
    ],
    ...[group(1006, [], []), group(1007, [], [systemGroupId(chat.realm, "role:moderators"), 1006])],
  ]);
  for (const each of [chat.owner, chat.moderator, member, guest]) {
    const user = await userOf(chat, each);
    const expected = [...permissions.groups.keys()].filter((id) => isMember(permissions, id, user));
    const found = listCustomGroupIds(permissions, user);
    assert.deepEqual(found.sort((one, other) => one - other), expected);
  }
  assert.ok(listCustomGroupIds(permissions, await userOf(chat, member)).includes(1005));
});
