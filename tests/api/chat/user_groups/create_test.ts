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
import { startChat } from "@/tests/helpers/chat.ts";

// POST /user_groups/create

Deno.test("POST /user_groups/create creates a group and sends it to all users", async () => {
  await using chat = await startChat();
  const { member, guest, bot } = chat;
  const moderators = systemGroup(chat, "role:moderators");
  const sub = await makeGroup(chat, member);
  await groupEvents(chat);
  const sent = {
    name: " Gardeners ",
    description: "All user dig",
    members: [bot.id, guest.id, guest.id],
    subgroups: [sub, moderators],
    can_join_group: { direct_members: [], direct_subgroups: [moderators] },
    can_leave_group: { direct_members: [guest.id, member.id], direct_subgroups: [] },
  };
  const { status, body } = await chat.call(member, "POST /user_groups/create", { ...sent, zebra: 1 });
  assert.equal(status, 200, JSON.stringify(body));
  const id: number = body.group_id;
  assert.ok(id > sub);
  assert.deepEqual(body, {
    result: "success",
    msg: "",
    group_id: id,
    ignored_parameters_unsupported: ["zebra"],
  });
  const own = { direct_members: [member.id], direct_subgroups: [] };
  const group = {
    id,
    name: " Gardeners ",
    description: "All user dig",
    members: [guest.id, bot.id],
    direct_subgroup_ids: [moderators, sub],
    creator_id: member.id,
    date_created: chat.clock.time / 1000,
    is_system_group: false,
    deactivated: false,
    can_add_members_group: own,
    can_join_group: moderators,
    can_leave_group: { direct_members: [member.id, guest.id], direct_subgroups: [] },
    can_manage_group: own,
    can_mention_group: systemGroup(chat, "role:everyone"),
    can_remove_members_group: systemGroup(chat, "role:nobody"),
  };
  assert.deepEqual(await readGroup(chat, id), group);
  assert.deepEqual(await groupEvents(chat), [{
    event: { type: "user_group", op: "add", group },
    audience: "everyone",
  }]);
});

Deno.test("POST /user_groups/create is for members, including bots", async () => {
  await using chat = await startChat();
  const sent = { name: "a group", description: "", members: [] };
  assert.equal((await chat.call(null, "POST /user_groups/create", sent)).status, 401);
  const refused = await chat.call(chat.guest, "POST /user_groups/create", sent);
  assertRefusal(refused, "Not allowed for guest users");
  const allowed = [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot];
  for (const [at, user] of allowed.entries()) await makeGroup(chat, user, { name: `group ${at}` });
  // Names are unique per organization, and groups of other organizations are unknown.
  const foreign = await chat.call(chat.outsider, "POST /user_groups/create", { ...sent, name: "group 0" });
  assert.equal(foreign.status, 200);
  const { group_id } = foreign.body;
  const nested = await chat.call(chat.owner, "POST /user_groups/create", { ...sent, subgroups: [group_id] });
  assertRefusal(nested, `Invalid user group ID: ${group_id}`);
  assert.equal(await readGroup(chat, group_id), undefined);
});

Deno.test("POST /user_groups/create refuses invalid parameters", async () => {
  await using chat = await startChat();
  const good = { name: "fine", description: "", members: [] };
  const call = (sent: object) => chat.call(chat.owner, "POST /user_groups/create", { ...good, ...sent });
  const deactivated = await makeGroup(chat, chat.owner, { name: "gone" });
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${deactivated}/deactivate`));
  await setActive(chat, chat.admin, false);
  await groupEvents(chat);
  for (const name of ["name", "description", "members"]) {
    const { [name]: _, ...rest }: Record<string, unknown> = good;
    const answer = await chat.call(chat.owner, "POST /user_groups/create", rest);
    assertRefusal(answer, `Missing '${name}' argument`, "REQUEST_VARIABLE_MISSING");
  }
  assertRefusal(await call({ members: "x" }), "members is not valid JSON");
  assertRefusal(await call({ members: { a: 1 } }), "members is not a list");
  assertRefusal(await call({ name: "" }), "User group name can't be empty!");
  assertRefusal(await call({ name: "@x" }), "User group name cannot start with '@'.");
  assertRefusal(await call({ name: "gone" }), "User group 'gone' already exists.");
  assertRefusal(await call({ members: [chat.admin.id, 777] }), `Invalid user ID: ${chat.admin.id}`);
  assertRefusal(await call({ subgroups: [deactivated] }), "User group is deactivated.");
  assertRefusal(await call({ subgroups: [777] }), "Invalid user group ID: 777");
  assertRefusal(await call({ can_join_group: deactivated }), "User group is deactivated.");
  assertRefusal(
    await call({ can_join_group: { new: 1 } }),
    'can_join_group["direct_members"] field is missing: Field required',
  );
  assertRefusal(
    await call({ description: "d".repeat(1025) }),
    "description is too long (limit: 1024 characters)",
  );
  const owners = systemGroup(chat, "role:owners");
  assertRefusal(
    await call({ can_mention_group: owners }),
    "'can_mention_group' setting cannot be set to 'role:owners' group.",
  );
  const { body } = await chat.call(chat.owner, "GET /user_groups");
  assert.equal(body.user_groups.length, 8);
  assert.deepEqual(await groupEvents(chat), []);
});

Deno.test("POST /user_groups/create refuses a group that is too large to store", async () => {
  await using chat = await startChat();
  const tooMany = Array.from({ length: 10_001 }, (_, index) => index + 1);
  const call = (sent: object) =>
    chat.call(chat.owner, "POST /user_groups/create", { name: "n", description: "", members: [], ...sent });
  assertRefusal(await call({ members: tooMany }), "A user group can have 10000 members at most.");
  const id = await makeGroup(chat, chat.owner);
  for (const sent of [{ add: tooMany }, { delete: tooMany }]) {
    const answer = await chat.call(chat.owner, `POST /user_groups/${id}/members`, sent);
    assertRefusal(answer, "A user group can have 10000 members at most.");
  }
});
