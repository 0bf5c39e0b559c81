import assert from "node:assert/strict";
import {
  filterMembers,
  findMembershipPath,
  isMember,
  type PermissionContext,
  transitiveSubgroups,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { createGroup } from "@/lib/chat/organization/user_groups/change_group.ts";
import { editMembers, type MemberEdits } from "@/lib/chat/organization/user_groups/edit_members.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { isAdmin, isGuest, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { callerOf } from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";

/** A group in the naive model. */
interface ModelGroup {
  readonly members: Set<number>;
  readonly subgroups: Set<number>;
}
type Model = Map<number, ModelGroup>;

/** Whether a user is a member of a group, found by following every path; `system` decides for system groups. */
function belongs(model: Model, id: number, user: UserRecord, system: (id: number) => boolean): boolean {
  const group = model.get(id);
  if (group === undefined) return system(id);
  return group.members.has(user.id) ||
    [...group.subgroups].some((subgroup) => belongs(model, subgroup, user, system));
}

function reaches(model: Model, from: number, to: number): boolean {
  return from === to || [...model.get(from)?.subgroups ?? []].some((id) => reaches(model, id, to));
}

/** Returns the model after an edit, or null when the edit has to be refused. */
function edited(model: Model, id: number, edits: MemberEdits): Model | null {
  const before = model.get(id);
  if (before === undefined) return null;
  const group = { members: new Set(before.members), subgroups: new Set(before.subgroups) };
  const after = new Map(model).set(id, group);
  for (const user of new Set(edits.add)) {
    if (before.members.has(user)) return null;
    group.members.add(user);
  }
  for (const user of new Set(edits.delete)) if (!group.members.delete(user)) return null;
  for (const subgroup of new Set(edits.add_subgroups)) {
    if (before.subgroups.has(subgroup) || reaches(model, subgroup, id)) return null;
    group.subgroups.add(subgroup);
  }
  for (const subgroup of new Set(edits.delete_subgroups)) if (!group.subgroups.delete(subgroup)) return null;
  return after;
}

/** Groups and users of one run. */
interface Scene {
  readonly chat: TestChat;
  readonly users: readonly UserRecord[];
  readonly groups: readonly number[];
  /** Possible subgroups: the groups and two system groups. */
  readonly nestable: readonly number[];
}

async function makeScene(chat: TestChat): Promise<Scene> {
  const caller = await callerOf(chat, chat.owner);
  const groups: number[] = [];
  for (let count = 0; count < 5; count++) {
    const group = { name: crypto.randomUUID(), description: "", members: [], subgroups: [], permissions: {} };
    groups.push((await createGroup(chat.services.chat, caller, group)).id);
  }
  const system = [
    systemGroupId(chat.realm, "role:administrators"),
    systemGroupId(chat.realm, "role:members"),
  ];
  const users = await listUsers(chat.services.chat, chat.realm.id);
  return { chat, users, groups, nestable: [...groups, ...system] };
}

/** Applies an edit and returns whether it was accepted. */
async function tryEdit({ chat }: Scene, groupId: number, edits: MemberEdits): Promise<boolean> {
  try {
    await editMembers(chat.services.chat, await callerOf(chat, chat.owner), { groupId, edits });
    return true;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === "BAD_REQUEST", String(error));
    return false;
  }
}

function assertAgrees(
  { chat, users, groups, nestable }: Scene,
  permissions: PermissionContext,
  model: Model,
): void {
  const [administrators] = nestable.slice(-2);
  for (const id of groups) {
    const record = permissions.groups.get(id);
    assert.ok(record !== undefined);
    const simple = model.get(id);
    assert.deepEqual([record.members, record.subgroups], [
      sorted(simple?.members),
      sorted(simple?.subgroups),
    ]);
    assert.ok(
      !record.subgroups.some((subgroup) => transitiveSubgroups(permissions, [subgroup]).has(id)),
      "a cycle",
    );
    const inside = users.filter((user) => {
      const isInSystem = (group: number) => group === administrators ? isAdmin(user) : !isGuest(user);
      const expected = belongs(model, id, user, isInSystem);
      assert.equal(isMember(permissions, id, user), expected, `${user.full_name} in ${id}`);
      const path = findMembershipPath(permissions, id, user);
      assert.equal(path !== null, expected, `a path to ${user.full_name} in ${id}`);
      assert.ok(path === null || path[0] === id);
      assert.ok(
        (path ?? []).slice(1).every((next, at) => model.get(path?.[at] ?? 0)?.subgroups.has(next) === true),
      );
      return expected;
    });
    assert.deepEqual(filterMembers(permissions, id, users), inside);
  }
  assert.equal(permissions.realm.id, chat.realm.id);
}

function sorted(ids: ReadonlySet<number> | undefined): GroupRecord["members"] {
  return [...ids ?? []].sort((one, other) => one - other);
}

Deno.test("editMembers() accepts and refuses random edits of nested groups as a naive model does", async () => {
  await using chat = await startChat();
  const few = fc.array(fc.nat(6), { maxLength: 3 });
  const none = fc.constant<number[]>([]);
  const rarely = (list: typeof few) =>
    fc.oneof({ weight: 3, arbitrary: none }, { weight: 2, arbitrary: list });
  const edit = fc.record({
    group: fc.nat(4),
    add: rarely(few),
    delete: rarely(fc.array(fc.nat(6), { maxLength: 1 })),
    add_subgroups: fc.array(fc.nat(6), { minLength: 1, maxLength: 2 }),
    delete_subgroups: rarely(fc.array(fc.nat(6), { maxLength: 1 })),
  });
  const tally = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 25 }), async (wanted) => {
      const scene = await makeScene(chat);
      let model: Model = new Map(
        scene.groups.map((id) => [id, { members: new Set(), subgroups: new Set() }]),
      );
      for (const { group, ...indexes } of wanted) {
        const pick = (list: readonly number[], at: readonly number[]) =>
          at.flatMap((index) => list[index % list.length] ?? []);
        const ids = scene.users.map((user) => user.id);
        const edits = {
          add: pick(ids, indexes.add),
          delete: pick(ids, indexes.delete),
          add_subgroups: pick(scene.nestable, indexes.add_subgroups),
          delete_subgroups: pick(scene.nestable, indexes.delete_subgroups),
        };
        const [id] = pick(scene.groups, [group]);
        assert.ok(id !== undefined);
        const after = edited(model, id, edits);
        const isAccepted = await tryEdit(scene, id, edits);
        assert.equal(isAccepted, after !== null, JSON.stringify({ id, edits }));
        tally[isAccepted ? "accepted" : "refused"]++;
        model = after ?? model;
      }
      assertAgrees(
        scene,
        permissionsOf(await chat.services.chat.readOrganization(chat.realm.id), chat.services.chat.clock),
        model,
      );
    }),
    numberOfRuns(35),
  );
  assert.ok(tally.accepted > 50 && tally.refused > 50, JSON.stringify(tally));
});

Deno.test("groups that are nested concurrently, in any order, never form a cycle", async () => {
  await using chat = await startChat();
  const pair = fc.tuple(fc.nat(4), fc.nat(4));
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: 2, maxLength: 15 }), async (pairs) => {
      const scene = await makeScene(chat);
      await Promise.all(pairs.map(([outer, inner]) => {
        const [groupId, subgroup] = [scene.groups[outer], scene.groups[inner]];
        assert.ok(groupId !== undefined && subgroup !== undefined);
        const edits = { add: [], delete: [], add_subgroups: [subgroup], delete_subgroups: [] };
        return tryEdit(scene, groupId, edits);
      }));
      const permissions = permissionsOf(
        await chat.services.chat.readOrganization(chat.realm.id),
        chat.services.chat.clock,
      );
      for (const id of scene.groups) {
        const subgroups = permissions.groups.get(id)?.subgroups ?? [];
        assert.ok(!transitiveSubgroups(permissions, subgroups).has(id), `${id} is in itself`);
      }
    }),
    numberOfRuns(35),
  );
});
