import assert from "node:assert/strict";
import { SYSTEM_GROUPS } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { userGroupSchema } from "@/lib/chat/organization/user_groups/api.ts";
import {
  assertRefusal,
  assertSuccess,
  makeGroup,
  setActive,
  systemGroup,
} from "@/tests/casts/user_groups_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { alterSettings } from "@/tests/helpers/realm.ts";

// GET /user_groups

Deno.test("GET /user_groups lists system groups with their direct members, then custom groups by id", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot } = chat;
  const deactivated = await makeGroup(chat, member);
  const id = await makeGroup(chat, member, { members: [admin.id, guest.id] });
  assertSuccess(await chat.call(member, `POST /user_groups/${deactivated}/deactivate`));
  const { status, body } = await chat.call(bot, "GET /user_groups", { zebra: 1 });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), [
    "ignored_parameters_unsupported",
    "msg",
    "result",
    "user_groups",
  ]);
  const first = systemGroup(chat, "role:nobody");
  const members = [[], [owner.id], [admin.id], [moderator.id], [member.id, bot.id], [member.id, bot.id], [
    guest.id,
  ], []];
  const settings = ["add_members", "join", "leave", "manage", "mention", "remove_members"];
  assert.deepEqual(
    body.user_groups.slice(0, 8),
    SYSTEM_GROUPS.map(({ name, description }, at) => ({
      id: first + at,
      name,
      description,
      members: members[at],
      direct_subgroup_ids: at < 2 ? [] : [first + at - 1],
      creator_id: null,
      date_created: null,
      is_system_group: true,
      deactivated: false,
      ...Object.fromEntries(settings.map((setting) => [`can_${setting}_group`, first])),
    })),
  );
  const ids = (groups: { id: number }[]) => groups.slice(8).map((group) => group.id);
  assert.deepEqual(ids(body.user_groups), [id]);
  const all = await chat.call(bot, "GET /user_groups", { include_deactivated_groups: true });
  assert.deepEqual(ids(all.body.user_groups), [deactivated, id]);
  for (const group of all.body.user_groups) userGroupSchema.strict().parse(group);
  await setActive(chat, admin, false);
  const later = (await chat.call(bot, "GET /user_groups")).body.user_groups;
  assert.deepEqual(later.at(-1).members, [guest.id]);
  assert.deepEqual(later[2].members, []);
});

Deno.test("GET /user_groups is for everyone but guests, within their organization", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  for (
    const path of [
      "/user_groups",
      `/user_groups/${id}/members`,
      `/user_groups/${id}/members/${chat.owner.id}`,
      `/user_groups/${id}/subgroups`,
    ]
  ) {
    assert.equal((await chat.call(null, `GET ${path}`)).status, 401, path);
    assertRefusal(await chat.call(chat.guest, `GET ${path}`), "Not allowed for guest users");
    for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
      assert.equal((await chat.call(user, `GET ${path}`)).status, 200, path);
    }
    if (path !== "/user_groups") {
      assertRefusal(await chat.call(chat.outsider, `GET ${path}`), "Invalid user group");
    }
  }
  assert.equal((await chat.call(chat.outsider, "GET /user_groups")).body.user_groups.length, 8);
  const wrong = { include_deactivated_groups: "yes" };
  assertRefusal(
    await chat.call(chat.owner, "GET /user_groups", wrong),
    "include_deactivated_groups is not valid JSON",
  );
});

Deno.test("members become direct members of role:fullmembers after the waiting period", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, bot } = chat;
  await alterSettings(chat, { waiting_period_threshold: 3 });
  const id = systemGroup(chat, "role:fullmembers");
  const members = async (direct_member_only: boolean) =>
    (await chat.call(owner, `GET /user_groups/${id}/members`, { direct_member_only })).body.members;
  const above = [owner, admin, moderator].map((person) => person.id);
  assert.deepEqual([await members(true), await members(false)], [[], above]);
  chat.clock.time += 3 * 24 * 60 * 60 * 1000;
  const all = [...above, member.id, bot.id].sort((one, other) => one - other);
  assert.deepEqual([await members(true), await members(false)], [[member.id, bot.id], all]);
});

// GET /user_groups/{user_group_id}/members, GET /user_groups/{user_group_id}/members/{user_id}

Deno.test("GET /user_groups/{user_group_id}/members lists the members of a group, with or without those of its subgroups", async () => {
  await using chat = await startChat();
  const { owner, admin, member, guest } = chat;
  const inner = await makeGroup(chat, owner, { members: [guest.id] });
  const outer = await makeGroup(chat, owner, {
    members: [member.id],
    subgroups: [inner, systemGroup(chat, "role:administrators")],
  });
  const members = async (sent = {}) =>
    (await chat.call(owner, `GET /user_groups/${outer}/members`, sent)).body.members;
  assert.deepEqual(await members(), [owner, member, admin, guest].map(({ id }) => id).sort((a, b) => a - b));
  assert.deepEqual(await members({ direct_member_only: true }), [member.id]);
  const isIn = async (id: number, sent = {}) => {
    const answer = await chat.call(owner, `GET /user_groups/${outer}/members/${id}`, sent);
    assertSuccess(answer, { is_user_group_member: answer.body.is_user_group_member });
    return answer.body.is_user_group_member;
  };
  for (const { id } of [guest, admin, owner]) {
    assert.deepEqual([await isIn(id), await isIn(id, { direct_member_only: true })], [true, false]);
  }
  assert.equal(await isIn(member.id, { direct_member_only: true }), true);
  assert.equal(await isIn(chat.bot.id), false);
  const ask = (id: number) => chat.call(owner, `GET /user_groups/${outer}/members/${id}`);
  for (const id of [777, chat.outsider.id]) assertRefusal(await ask(id), "No such user");
  await setActive(chat, guest, false);
  assertRefusal(await ask(guest.id), "User is deactivated");
  assert.equal((await members()).includes(guest.id), false);
  const wrong = await chat.call(owner, `GET /user_groups/${outer}/members`, { direct_member_only: 1 });
  assertRefusal(wrong, "direct_member_only is not a boolean");
  for (const path of ["members", "members/1", "subgroups"]) {
    assertRefusal(await chat.call(owner, `GET /user_groups/999999/${path}`), "Invalid user group");
  }
});

// GET /user_groups/{user_group_id}/subgroups

Deno.test("GET /user_groups/{user_group_id}/subgroups lists the subgroups of a group", async () => {
  await using chat = await startChat();
  const first = systemGroup(chat, "role:nobody");
  const inner = await makeGroup(chat, chat.owner, { subgroups: [systemGroup(chat, "role:moderators")] });
  const outer = await makeGroup(chat, chat.owner, { subgroups: [inner] });
  const ask = (id: number, sent = {}) => chat.call(chat.member, `GET /user_groups/${id}/subgroups`, sent);
  assertSuccess(await ask(outer), { subgroups: [first + 1, first + 2, first + 3, inner] });
  assertSuccess(await ask(outer, { direct_subgroup_only: true }), { subgroups: [inner] });
  assertSuccess(await ask(first), { subgroups: [] });
  assertSuccess(await ask(first + 7, { direct_subgroup_only: true }), { subgroups: [first + 6] });
  assertRefusal(await ask(outer, { direct_subgroup_only: "x" }), "direct_subgroup_only is not valid JSON");
});
