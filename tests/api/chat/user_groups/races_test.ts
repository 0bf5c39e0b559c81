import assert from "node:assert/strict";
import {
  createGroup,
  deactivateGroup,
  updateGroup,
} from "@/lib/chat/organization/user_groups/change_group.ts";
import { editMembers } from "@/lib/chat/organization/user_groups/edit_members.ts";
import { AppError } from "@/lib/core/errors.ts";
import {
  asOtherProcess,
  callerOf,
  groupEvents,
  makeGroup,
  readGroup,
} from "@/tests/casts/user_groups_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

const NO_EDITS = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };
const UNCHANGED = { name: undefined, description: undefined, deactivated: undefined };

/** Returns the number of attempts that succeeded, and the messages of the others' errors. */
async function settle(attempts: readonly Promise<unknown>[]): Promise<[number, string[]]> {
  const outcomes = await Promise.allSettled(attempts);
  const refusals = outcomes.flatMap((outcome) => {
    if (outcome.status === "fulfilled") return [];
    assert.ok(outcome.reason instanceof AppError, String(outcome.reason));
    return [outcome.reason.message];
  });
  return [outcomes.length - refusals.length, refusals];
}

Deno.test("of two groups that include each other concurrently, exactly one succeeds", async () => {
  await using chat = await startChat();
  const caller = await callerOf(chat, chat.owner);
  const [one, other] = [chat.services.chat, asOtherProcess(chat)];
  for (let round = 0; round < 40; round++) {
    const [a, b] = [await makeGroup(chat, chat.owner), await makeGroup(chat, chat.owner)];
    const apps = round % 2 === 0 ? [one, other] as const : [one, one] as const;
    const [succeeded, refusals] = await settle([
      editMembers(apps[0], caller, { groupId: a, edits: { ...NO_EDITS, add_subgroups: [b] } }),
      editMembers(apps[1], caller, { groupId: b, edits: { ...NO_EDITS, add_subgroups: [a] } }),
    ]);
    assert.equal(succeeded, 1, `round ${round}`);
    assert.match(refusals.join(), /is already a subgroup of one of the passed subgroups/);
  }
  assert.ok(one.store.tally.conflicts > 0, "the two processes never met");
});

Deno.test("a hundred concurrent edits of one group are all applied", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  const caller = await callerOf(chat, chat.owner);
  const other = asOtherProcess(chat);
  const people = await Promise.all(Array.from({ length: 100 }, (_, at) => chat.add(`person${at}`)));
  await groupEvents(chat);
  const [succeeded, refusals] = await settle(people.map((person, at) => {
    const edits = { ...NO_EDITS, add: [person.id] };
    if (at % 10 === 0) return editMembers(other, caller, { groupId: id, edits });
    return chat.call(chat.owner, `POST /user_groups/${id}/members`, { add: [person.id] })
      .then(({ status, body }) => assert.equal(status, 200, JSON.stringify(body)));
  }));
  assert.deepEqual([succeeded, refusals], [100, []]);
  const ids = people.map((person) => person.id).sort((a, b) => a - b);
  assert.deepEqual((await readGroup(chat, id)).members, ids);
  assert.equal((await groupEvents(chat)).length, 100);
});

Deno.test("a group is never deactivated while a concurrent change starts to use it", async () => {
  await using chat = await startChat();
  const caller = await callerOf(chat, chat.owner);
  const [one, other] = [chat.services.chat, asOtherProcess(chat)];
  for (let round = 0; round < 45; round++) {
    const [used, user] = [await makeGroup(chat, chat.owner), await makeGroup(chat, chat.owner)];
    const named = { direct_members: [chat.member.id], direct_subgroups: [used] };
    const uses = [
      () => {
        const permissions = { can_join_group: { new: used } };
        return updateGroup(other, caller, { groupId: user, changes: { ...UNCHANGED, permissions } });
      },
      () => editMembers(other, caller, { groupId: user, edits: { ...NO_EDITS, add_subgroups: [used] } }),
      () => {
        const group = { name: `of round ${round}`, description: "", members: [], subgroups: [] };
        return createGroup(other, caller, { ...group, permissions: { can_manage_group: named } });
      },
    ];
    const use = uses[round % uses.length];
    assert.ok(use !== undefined);
    const attempts = [() => deactivateGroup(one, caller, used), use];
    if (round % 2 === 0) attempts.reverse();
    const [succeeded, refusals] = await settle(attempts.map((attempt) => attempt()));
    assert.equal(succeeded, 1, `round ${round}: ${refusals}`);
    const { deactivated } = await readGroup(chat, used);
    const expected = deactivated ? "User group is deactivated." : "Cannot deactivate user group in use.";
    assert.deepEqual(refusals, [expected]);
  }
  assert.ok(one.store.tally.conflicts > 0, "the two processes never met");
});

Deno.test("of several groups that take one name concurrently, exactly one gets it", async () => {
  await using chat = await startChat();
  const caller = await callerOf(chat, chat.owner);
  const apps = [chat.services.chat, asOtherProcess(chat), asOtherProcess(chat)];
  const group = { name: "wanted", description: "", members: [], subgroups: [], permissions: {} };
  const [succeeded, refusals] = await settle(apps.map((app) => createGroup(app, caller, group)));
  assert.deepEqual([succeeded, refusals], [1, Array(2).fill("User group 'wanted' already exists.")]);
  const ids = [await makeGroup(chat, chat.owner), await makeGroup(chat, chat.owner)];
  const [renamed] = await settle(ids.map((groupId, at) => {
    const changes = { ...UNCHANGED, name: "renamed", permissions: {} };
    return updateGroup(apps[at] ?? chat.services.chat, caller, { groupId, changes });
  }));
  assert.equal(renamed, 1);
});
