import assert from "node:assert/strict";
import {
  assertRefusal,
  assertSuccess,
  groupEvents,
  makeGroup,
  readGroup,
  setActive,
  systemGroup,
} from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

// POST /user_groups/{user_group_id}/members

const NO_EDITS =
  'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';

Deno.test("POST /user_groups/{user_group_id}/members requires an edit before anything else (A130)", async () => {
  await using chat = await startChat();
  const empty = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };
  for (const sent of [{}, empty]) {
    assertRefusal(await chat.call(chat.owner, "POST /user_groups/999999/members", sent), NO_EDITS);
  }
  const answer = await chat.call(chat.owner, "POST /user_groups/999999/members", { add: [1] });
  assertRefusal(answer, "Invalid user group");
});

Deno.test("POST /user_groups/{user_group_id}/members lets the creator add and remove members and sends the changes to all users (A132, A133, A135)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.member);
  await groupEvents(chat);
  const path = `POST /user_groups/${id}/members`;
  const { admin, guest, bot } = chat;
  const answer = await chat.call(chat.member, path, {
    add: [guest.id, admin.id, admin.id, bot.id],
    zebra: "",
  });
  assertSuccess(answer, { ignored_parameters_unsupported: ["zebra"] });
  const ids = [admin.id, guest.id, bot.id];
  assert.deepEqual((await readGroup(chat, id)).members, ids);
  const toEvent = (op: string, user_ids: number[]) => ({
    event: { type: "user_group", op, group_id: id, user_ids },
    audience: "everyone",
  });
  assert.deepEqual(await groupEvents(chat), [toEvent("add_members", ids)]);
  const again = `User ${admin.id} is already a member of this group`;
  assertRefusal(await chat.call(chat.owner, path, { add: [chat.owner.id, admin.id] }), again);
  const missing = `There is no member '${chat.owner.id}' in this user group`;
  assertRefusal(await chat.call(chat.owner, path, { delete: [admin.id, chat.owner.id] }), missing);
  assert.deepEqual((await readGroup(chat, id)).members, ids);
  assertSuccess(
    await chat.call(chat.owner, path, { add: [chat.owner.id], delete: [chat.owner.id, admin.id] }),
  );
  assert.deepEqual((await readGroup(chat, id)).members, [guest.id, bot.id]);
  assert.deepEqual(await groupEvents(chat), [
    toEvent("add_members", [chat.owner.id]),
    toEvent("remove_members", [chat.owner.id, admin.id]),
  ]);
});

Deno.test("POST /user_groups/{user_group_id}/members is refused without permission", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.member);
  const path = `POST /user_groups/${id}/members`;
  const sent = { add: [chat.admin.id] };
  for (const user of [chat.admin, chat.moderator, chat.bot]) {
    assertRefusal(await chat.call(user, path, sent), "Insufficient permission");
  }
  assertRefusal(await chat.call(chat.guest, path, sent), "Not allowed for guest users");
  assertRefusal(await chat.call(chat.outsider, path, sent), "Invalid user group");
  assert.equal((await chat.call(null, path, sent)).status, 401);
  const moderators = systemGroup(chat, "role:moderators");
  const system = await chat.call(chat.owner, `POST /user_groups/${moderators}/members`, sent);
  assertRefusal(system, "Insufficient permission"); // A149
  // Removing checks the users before the permission.
  assertRefusal(await chat.call(chat.admin, path, { delete: [999] }), "Invalid user ID: 999");
  assertRefusal(await chat.call(chat.admin, path, { add: [999] }), "Insufficient permission");
  assert.deepEqual((await readGroup(chat, id)).members, []);
});

Deno.test("POST /user_groups/{user_group_id}/members checks the permissions for adding, joining, leaving and removing (A139, A141)", async () => {
  await using chat = await startChat();
  const { admin, member, moderator } = chat;
  const id = await makeGroup(chat, chat.owner, { can_join_group: systemGroup(chat, "role:members") });
  const call = (user: TestUser, sent: TestParams) => chat.call(user, `POST /user_groups/${id}/members`, sent);
  const refused = "Insufficient permission";
  assertRefusal(await call(member, { add: [member.id, admin.id] }), refused);
  assertSuccess(await call(member, { add: [member.id] }));
  assertSuccess(await call(admin, { add: [admin.id] }));
  assertRefusal(await call(member, { delete: [admin.id] }), refused);
  assertRefusal(await call(member, { delete: [member.id, admin.id] }), refused);
  assertSuccess(await call(member, { delete: [member.id] }));
  const set = async (setting: string, users: TestUser[]) => {
    const value = { direct_members: users.map((user) => user.id), direct_subgroups: [] };
    const sent = { [setting]: { new: value } };
    assertSuccess(await chat.call(chat.owner, `PATCH /user_groups/${id}`, sent));
  };
  await set("can_leave_group", []);
  assertRefusal(await call(admin, { delete: [admin.id] }), refused);
  await set("can_remove_members_group", [moderator, admin]);
  assertSuccess(await call(admin, { delete: [admin.id] }));
  assertRefusal(await call(moderator, { add: [member.id] }), refused);
  await set("can_add_members_group", [moderator]);
  assertSuccess(await call(moderator, { add: [member.id, moderator.id] }));
  assertSuccess(await call(moderator, { delete: [member.id] }));
  assertRefusal(await call(moderator, { delete_subgroups: [systemGroup(chat, "role:owners")] }), refused);
  assertSuccess(await call(moderator, { add_subgroups: [systemGroup(chat, "role:owners")] }));
});

Deno.test("POST /user_groups/{user_group_id}/members refuses unknown and deactivated users (A136)", async () => {
  await using chat = await startChat();
  const { admin } = chat;
  const id = await makeGroup(chat, chat.owner, { members: [admin.id, chat.member.id] });
  await setActive(chat, admin, false);
  const call = (sent: TestParams) => chat.call(chat.owner, `POST /user_groups/${id}/members`, sent);
  const invalid = `Invalid user ID: ${admin.id}`;
  assertRefusal(await call({ add: [admin.id] }), invalid);
  assertRefusal(await call({ delete: [admin.id] }), invalid);
  assertRefusal(await call({ add: [chat.outsider.id] }), `Invalid user ID: ${chat.outsider.id}`);
  assertRefusal(await call({ add: [777, -5] }), "Invalid user ID: 777");
  assert.deepEqual((await readGroup(chat, id)).members, [chat.member.id]);
  await setActive(chat, admin, true);
  assert.deepEqual((await readGroup(chat, id)).members, [chat.member.id, admin.id].sort((a, b) => a - b));
});

Deno.test("POST /user_groups/{user_group_id}/members refuses parameters of the wrong type", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  const call = (sent: TestParams) => chat.call(chat.owner, `POST /user_groups/${id}/members`, sent);
  assertRefusal(await call({ add: "x" }), "add is not valid JSON");
  assertRefusal(await call({ add: 5 }), "add is not a list");
  assertRefusal(await call({ add: ["5"] }), "add[0] is not an integer");
  assertRefusal(await call({ add_subgroups: [1, null] }), "add_subgroups[1] is not an integer");
});

Deno.test("POST /user_groups/{user_group_id}/members nests groups without cycles (A143, A145, A146, A147)", async () => {
  await using chat = await startChat();
  const { owner } = chat;
  const inner = await makeGroup(chat, owner);
  const middle = await makeGroup(chat, owner, { subgroups: [inner] });
  const outer = await makeGroup(chat, owner);
  const call = (id: number, sent: TestParams) => chat.call(owner, `POST /user_groups/${id}/members`, sent);
  await groupEvents(chat);
  assertSuccess(await call(outer, { add_subgroups: [middle] }));
  const toEvent = (op: string, direct_subgroup_ids: number[]) => ({
    event: { type: "user_group", op, group_id: outer, direct_subgroup_ids },
    audience: "everyone",
  });
  assert.deepEqual(await groupEvents(chat), [toEvent("add_subgroups", [middle])]);
  for (const id of [inner, middle]) {
    const cycle = `User group ${id} is already a subgroup of one of the passed subgroups.`;
    assertRefusal(await call(id, { add_subgroups: [outer] }), cycle);
    assertRefusal(await call(id, { add_subgroups: [id] }), cycle);
  }
  assertRefusal(
    await call(outer, { add_subgroups: [inner, middle] }),
    `User group ${middle} is already a subgroup of this group.`,
  );
  const administrators = systemGroup(chat, "role:administrators");
  const missing = `User group ${administrators} is not a subgroup of this group.`;
  assertRefusal(await call(outer, { delete_subgroups: [administrators] }), missing);
  assertSuccess(await call(outer, { add_subgroups: [administrators] }));
  assert.deepEqual((await readGroup(chat, outer)).direct_subgroup_ids, [administrators, middle]);
  assertRefusal(await call(outer, { add_subgroups: [777] }), "Invalid user group ID: 777");
  await groupEvents(chat);
  assertSuccess(await call(outer, { delete_subgroups: [administrators, middle] }));
  assert.deepEqual(await groupEvents(chat), [toEvent("remove_subgroups", [administrators, middle])]);
  assertSuccess(await call(inner, { add_subgroups: [outer] }));
});

Deno.test("POST /user_groups/{user_group_id}/members edits deactivated groups, but refuses them as subgroups (A148)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${id}/deactivate`));
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${id}/members`, { add: [chat.member.id] }));
  assert.deepEqual((await readGroup(chat, id)).members, [chat.member.id]);
  const other = await makeGroup(chat, chat.owner);
  const answer = await chat.call(chat.owner, `POST /user_groups/${other}/members`, { add_subgroups: [id] });
  assertRefusal(answer, "User group is deactivated.");
});

Deno.test("POST /user_groups/{user_group_id}/members applies all edits or none, and sends no events for none", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner, { members: [chat.admin.id] });
  const sub = await makeGroup(chat, chat.owner);
  const before = await readGroup(chat, id);
  await groupEvents(chat);
  const sent = {
    add: [chat.member.id],
    delete: [chat.admin.id],
    add_subgroups: [sub],
    delete_subgroups: [777],
  };
  const path = `POST /user_groups/${id}/members`;
  assertRefusal(await chat.call(chat.owner, path, sent), "Invalid user group ID: 777");
  assert.deepEqual(await readGroup(chat, id), before);
  assert.deepEqual(await groupEvents(chat), []);
  assertSuccess(await chat.call(chat.owner, path, { ...sent, delete_subgroups: [sub] }));
  assert.deepEqual(await readGroup(chat, id), { ...before, members: [chat.member.id] });
  assert.equal((await groupEvents(chat)).length, 4);
});

// POST /user_groups/{user_group_id}/subgroups

Deno.test("POST /user_groups/{user_group_id}/subgroups adds and removes only groups", async () => {
  await using chat = await startChat();
  const [id, sub] = [await makeGroup(chat, chat.owner), await makeGroup(chat, chat.owner)];
  const path = `POST /user_groups/${id}/subgroups`;
  const nothing = 'Nothing to do. Specify at least one of "add" or "delete".';
  assertRefusal(await chat.call(chat.owner, "POST /user_groups/999999/subgroups"), nothing);
  assertSuccess(await chat.call(chat.owner, path, { add: [sub] }));
  assert.deepEqual((await readGroup(chat, id)).direct_subgroup_ids, [sub]);
  assertRefusal(await chat.call(chat.member, path, { delete: [sub] }), "Insufficient permission");
  assertRefusal(await chat.call(chat.guest, path, { delete: [sub] }), "Not allowed for guest users");
  assertRefusal(await chat.call(chat.outsider, path, { delete: [sub] }), "Invalid user group");
  assertRefusal(await chat.call(chat.owner, path, { add: "x" }), "add is not valid JSON");
  assert.equal((await chat.call(null, path, { delete: [sub] })).status, 401);
  assertSuccess(await chat.call(chat.owner, path, { delete: [sub], x: 1 }), {
    ignored_parameters_unsupported: ["x"],
  });
  assert.deepEqual((await readGroup(chat, id)).direct_subgroup_ids, []);
});
