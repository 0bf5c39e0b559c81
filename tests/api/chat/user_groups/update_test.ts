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

// PATCH /user_groups/{user_group_id}

Deno.test("PATCH /user_groups/{user_group_id} lets the creator rename and describe the group and sends the changes to all users (A107)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.member, { name: "support" });
  await groupEvents(chat);
  const sent = { name: "help", description: "d", zebra: 1 };
  const answer = await chat.call(chat.member, `PATCH /user_groups/${id}`, sent);
  assertSuccess(answer, { ignored_parameters_unsupported: ["zebra"] });
  const { name, description } = await readGroup(chat, id);
  assert.deepEqual([name, description], ["help", "d"]);
  assert.deepEqual(await groupEvents(chat), [{
    event: { type: "user_group", op: "update", group_id: id, data: { name: "help", description: "d" } },
    audience: "everyone",
  }]);
  // The previous name is available again, and an update without differences sends no event.
  await makeGroup(chat, chat.member, { name: "support" });
  await groupEvents(chat);
  assertSuccess(await chat.call(chat.member, `PATCH /user_groups/${id}`, { name: "help", description: "d" }));
  assert.deepEqual(await groupEvents(chat), []);
});

Deno.test("PATCH /user_groups/{user_group_id} is for owners and for users who can manage the group, including bots (A109, A110)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.member);
  const call = (user: Parameters<typeof chat.call>[0], name: string) =>
    chat.call(user, `PATCH /user_groups/${id}`, { name });
  assertSuccess(await call(chat.owner, "help2"));
  assertRefusal(await call(chat.guest, "help"), "Not allowed for guest users");
  for (const user of [chat.admin, chat.moderator, chat.bot, await chat.add("newcomer")]) {
    assertRefusal(await call(user, "help"), "Insufficient permission");
  }
  assertRefusal(await call(chat.outsider, "help"), "Invalid user group");
  assert.equal((await call(null, "help")).body.code, "UNAUTHORIZED");
  assert.equal((await readGroup(chat, id)).name, "help2");
  const managers = { new: { direct_members: [chat.bot.id, chat.guest.id], direct_subgroups: [] } };
  assertSuccess(await chat.call(chat.owner, `PATCH /user_groups/${id}`, { can_manage_group: managers }));
  assertSuccess(await call(chat.bot, "of a bot"));
  assertRefusal(await call(chat.member, "help"), "Insufficient permission");
  assertRefusal(await call(chat.guest, "help"), "Not allowed for guest users");
});

Deno.test("PATCH /user_groups/{user_group_id} requires new data before it looks up the group (A106)", async () => {
  await using chat = await startChat();
  assertRefusal(await chat.call(chat.owner, "PATCH /user_groups/999999"), "No new data supplied");
  assertRefusal(await chat.call(chat.owner, "PATCH /user_groups/999999", { x: 1 }), "No new data supplied");
  for (const id of [999999, "99999999999999999999"]) {
    assertRefusal(
      await chat.call(chat.owner, `PATCH /user_groups/${id}`, { name: "x" }),
      "Invalid user group",
    );
  }
  const members = systemGroup(chat, "role:members");
  const answer = await chat.call(chat.owner, `PATCH /user_groups/${members}`, { name: "x" });
  assertRefusal(answer, "Insufficient permission");
  for (const path of ["/user_groups/abc", "/user_groups/-1"]) {
    assert.equal((await chat.call(chat.owner, `PATCH ${path}`, { name: "x" })).status, 404);
  }
  assert.equal((await chat.call(chat.owner, "PUT /user_groups/1")).status, 405);
  assert.equal((await chat.call(chat.outsider, `PATCH /user_groups/${members}`, { name: "x" })).status, 400);
});

Deno.test("PATCH /user_groups/{user_group_id} refuses invalid and taken names (A112, A113, A114, A115)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner, { name: "support" });
  const other = await makeGroup(chat, chat.owner, { name: "marketing" });
  const call = (name: string) =>
    chat.call(chat.owner, `PATCH /user_groups/${id}`, { description: "d", name });
  const taken = "User group 'marketing' already exists.";
  assertRefusal(await call("marketing"), taken);
  assertRefusal(await call("a".repeat(101)), "User group name cannot exceed 100 characters.");
  for (const blank of ["", "  "]) assertRefusal(await call(blank), "User group name can't be empty!");
  for (const prefix of ["@", "role:", "user:", "stream:", "channel:"]) {
    assertRefusal(await call(`${prefix}manager`), `User group name cannot start with '${prefix}'.`);
  }
  assert.deepEqual(
    [(await readGroup(chat, id)).name, (await readGroup(chat, id)).description],
    ["support", ""],
  );
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${other}/deactivate`));
  assertRefusal(await call("marketing"), taken);
  assertSuccess(await call("Marketing"));
  assertSuccess(await call("🌱".repeat(100)));
  assertSuccess(await call(" with blanks "));
  assert.equal((await readGroup(chat, id)).name, " with blanks ");
});

Deno.test("PATCH /user_groups/{user_group_id} refuses parameters of the wrong type", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  const call = (sent: object) => chat.call(chat.owner, `PATCH /user_groups/${id}`, { ...sent });
  const everyone = systemGroup(chat, "role:everyone");
  assertRefusal(await call({ can_mention_group: everyone }), "can_mention_group is not a dict");
  assertRefusal(await call({ can_join_group: "yes" }), "can_join_group is not valid JSON");
  assertRefusal(await call({ can_join_group: {} }), 'can_join_group["new"] field is missing: Field required');
  assertRefusal(await call({ can_join_group: { new: "5" } }), 'can_join_group["new"] is not an integer');
  assertRefusal(await call({ deactivated: "no" }), "deactivated is not valid JSON");
  assertRefusal(await call({ deactivated: 0 }), "deactivated is not a boolean");
  const long = "d".repeat(1025);
  assertRefusal(await call({ description: long }), "description is too long (limit: 1024 characters)");
  assertSuccess(await call({ description: "🌱".repeat(1024) }));
  const list = { direct_members: [1.5], direct_subgroups: [] };
  assertRefusal(
    await call({ can_join_group: { new: list } }),
    'can_join_group["new"]["direct_members"][0] is not an integer',
  );
});

Deno.test("PATCH /user_groups/{user_group_id} compares `old` with the value that clients see (A117)", async () => {
  await using chat = await startChat();
  const [moderators, members] = [systemGroup(chat, "role:moderators"), systemGroup(chat, "role:members")];
  const everyone = systemGroup(chat, "role:everyone");
  const id = await makeGroup(chat, chat.owner);
  const call = (update: object, setting = "can_mention_group") =>
    chat.call(chat.owner, `PATCH /user_groups/${id}`, { [setting]: update });
  const mismatch = await call({ new: members, old: moderators });
  assertRefusal(mismatch, "'old' value does not match the expected value.", "EXPECTATION_MISMATCH");
  assert.equal(mismatch.body.field_name, "old");
  assert.equal((await call({ new: everyone, old: moderators })).body.code, "EXPECTATION_MISMATCH");
  assert.equal((await readGroup(chat, id)).can_mention_group, everyone);
  const alone = { direct_members: [], direct_subgroups: [everyone] };
  assertSuccess(await call({ new: members, old: alone }));
  const two = { direct_members: [chat.member.id, chat.admin.id], direct_subgroups: [] };
  assertSuccess(await call({ new: two, old: members }));
  await setActive(chat, chat.admin, false);
  const visible = { direct_members: [chat.member.id], direct_subgroups: [] };
  assert.deepEqual((await readGroup(chat, id)).can_mention_group, visible);
  assert.equal((await call({ new: members, old: two })).body.code, "EXPECTATION_MISMATCH");
  await groupEvents(chat);
  assertSuccess(await call({ new: visible, old: visible }));
  assert.deepEqual(await groupEvents(chat), []);
  assertSuccess(await call({ new: { direct_members: [], direct_subgroups: [] }, old: visible }));
  assert.equal((await readGroup(chat, id)).can_mention_group, systemGroup(chat, "role:nobody"));
});

Deno.test("PATCH /user_groups/{user_group_id} refuses invalid values of permissions (A120, A121, A122, A125)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  const deactivated = await makeGroup(chat, chat.owner);
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${deactivated}/deactivate`));
  const call = (setting: string, value: unknown) =>
    chat.call(chat.owner, `PATCH /user_groups/${id}`, { name: "n", [setting]: { new: value } });
  const before = await readGroup(chat, id);
  const refused = (setting: string, name: string) => `'${setting}' setting cannot be set to '${name}' group.`;
  for (
    const [setting, name] of [
      ["can_manage_group", "role:everyone"],
      ["can_manage_group", "role:internet"],
      ["can_mention_group", "role:owners"],
      ["can_mention_group", "role:internet"],
    ] as const
  ) {
    assertRefusal(await call(setting, systemGroup(chat, name)), refused(setting, name));
  }
  assertRefusal(await call("can_join_group", 123456), "Invalid user group");
  assertRefusal(await call("can_leave_group", deactivated), "User group is deactivated.");
  const both = (direct_members: number[], direct_subgroups: number[]) => ({
    direct_members,
    direct_subgroups,
  });
  const { id: member } = chat.member;
  assertRefusal(await call("can_join_group", both([999, 998, member], [777])), "Invalid user ID: 999");
  assertRefusal(
    await call("can_join_group", both([chat.outsider.id], [])),
    `Invalid user ID: ${chat.outsider.id}`,
  );
  assertRefusal(await call("can_join_group", both([member], [777])), "Invalid user group ID: 777");
  assertRefusal(await call("can_join_group", both([member], [deactivated])), "User group is deactivated.");
  await setActive(chat, chat.admin, false);
  assertRefusal(await call("can_join_group", both([chat.admin.id], [])), `Invalid user ID: ${chat.admin.id}`);
  const many = Array.from({ length: 1001 }, (_, index) => index);
  assertRefusal(await call("can_join_group", both(many, [])), "A setting can name 1000 users at most.");
  assertRefusal(
    await call("can_join_group", both([member], many.slice(0, 31))),
    "A setting can name 30 groups at most.",
  );
  assert.deepEqual(await readGroup(chat, id), before);
  // An object can name any group.
  assertSuccess(await call("can_manage_group", both([chat.owner.id], [systemGroup(chat, "role:everyone")])));
});

Deno.test("PATCH /user_groups/{user_group_id} edits a deactivated group, whose permissions do not count as uses (A126)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  const used = await makeGroup(chat, chat.owner);
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${id}/deactivate`));
  await groupEvents(chat);
  const sent = { name: "renamed", can_join_group: { new: used } };
  assertSuccess(await chat.call(chat.owner, `PATCH /user_groups/${id}`, sent));
  const data = { name: "renamed", can_join_group: used };
  assert.deepEqual((await groupEvents(chat)).map(({ event }) => event["data"]), [data]);
  const { name, can_join_group, deactivated } = await readGroup(chat, id);
  assert.deepEqual([name, can_join_group, deactivated], ["renamed", used, true]);
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${used}/deactivate`));
});

Deno.test("PATCH /user_groups/{user_group_id} reactivates a group and the uses by its permissions (A127)", async () => {
  await using chat = await startChat();
  const used = await makeGroup(chat, chat.owner);
  const id = await makeGroup(chat, chat.owner, { can_join_group: used, members: [chat.guest.id] });
  const call = (deactivated: boolean) => chat.call(chat.owner, `PATCH /user_groups/${id}`, { deactivated });
  assertSuccess(await call(true));
  assert.equal((await readGroup(chat, id)).deactivated, false);
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${id}/deactivate`));
  await groupEvents(chat);
  assertSuccess(await call(false));
  assert.deepEqual(await groupEvents(chat), [{
    event: { type: "user_group", op: "update", group_id: id, data: { deactivated: false } },
    audience: "everyone",
  }]);
  const { deactivated, members } = await readGroup(chat, id);
  assert.deepEqual([deactivated, members], [false, [chat.guest.id]]);
  const refusal = await chat.call(chat.owner, `POST /user_groups/${used}/deactivate`);
  assert.deepEqual(refusal.body.objections, [{
    type: "user_group",
    group_id: id,
    settings: ["can_join_group"],
  }]);
  assertSuccess(await call(false));
  assert.deepEqual(await groupEvents(chat), []);
});

Deno.test("PATCH /user_groups/{user_group_id} changes a permission while it reactivates the group", async () => {
  await using chat = await startChat();
  const [before, after] = [await makeGroup(chat, chat.owner), await makeGroup(chat, chat.owner)];
  const id = await makeGroup(chat, chat.owner, { can_join_group: before });
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${id}/deactivate`));
  const sent = { deactivated: false, can_join_group: { new: after }, can_leave_group: { new: id } };
  assertSuccess(await chat.call(chat.owner, `PATCH /user_groups/${id}`, sent));
  assertSuccess(await chat.call(chat.owner, `POST /user_groups/${before}/deactivate`));
  const refusal = await chat.call(chat.owner, `POST /user_groups/${after}/deactivate`);
  assert.equal(refusal.body.code, "CANNOT_DEACTIVATE_GROUP_IN_USE");
  const own = await chat.call(chat.owner, `POST /user_groups/${id}/deactivate`);
  assert.deepEqual(own.body.objections, [{
    type: "user_group",
    group_id: id,
    settings: ["can_leave_group"],
  }]);
});
