import assert from "node:assert/strict";
import { permissionsOf, updateGroupUses } from "@/lib/chat/organization/permissions/store.ts";
import type { PermissionOwner } from "@/lib/chat/organization/permissions/model/registry.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  assertRefusal,
  assertSuccess,
  groupEvents,
  makeGroup,
  readGroup,
  systemGroup,
} from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

// POST /user_groups/{user_group_id}/deactivate

const IN_USE = ["Cannot deactivate user group in use.", "CANNOT_DEACTIVATE_GROUP_IN_USE"] as const;

/** Indexes uses of groups, as changes of a channel or an organization do. */
async function addUses(
  chat: TestChat,
  { kind, id }: { kind: PermissionOwner; id: number },
  after: Readonly<Record<string, number>>,
): Promise<void> {
  const { chat: app } = chat.services;
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(chat.realm.id), app.clock);
    updateGroupUses(tx, permissions, { holder: { kind, id, permissions: {} }, after });
  });
}

Deno.test("POST /user_groups/{user_group_id}/deactivate deactivates a group and sends it to all users (A150)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.member, { members: [chat.admin.id] });
  await groupEvents(chat);
  const answer = await chat.call(chat.member, `POST /user_groups/${id}/deactivate`, { zebra: 1 });
  assertSuccess(answer, { ignored_parameters_unsupported: ["zebra"] });
  assert.deepEqual(await groupEvents(chat), [{
    event: { type: "user_group", op: "update", group_id: id, data: { deactivated: true } },
    audience: "everyone",
  }]);
  const { deactivated, members } = await readGroup(chat, id);
  assert.deepEqual([deactivated, members], [true, [chat.admin.id]]);
  assertRefusal(
    await chat.call(chat.member, `POST /user_groups/${id}/deactivate`),
    "User group is deactivated.",
  );
  assertRefusal(
    await chat.call(chat.admin, `POST /user_groups/${id}/deactivate`),
    "User group is deactivated.",
  );
});

Deno.test("POST /user_groups/{user_group_id}/deactivate is refused without permission (A009, A152, A153, A159)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  const path = `POST /user_groups/${id}/deactivate`;
  for (const user of [chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    assertRefusal(await chat.call(user, path), "Insufficient permission");
  }
  assertRefusal(await chat.call(chat.outsider, path), "Invalid user group");
  assertRefusal(await chat.call(chat.owner, "POST /user_groups/999999/deactivate"), "Invalid user group");
  const members = systemGroup(chat, "role:members");
  assertRefusal(
    await chat.call(chat.owner, `POST /user_groups/${members}/deactivate`),
    "Insufficient permission",
  );
  assert.equal((await chat.call(null, path)).body.code, "UNAUTHORIZED");
  assert.equal((await chat.call(chat.owner, "POST /user_groups/abc/deactivate")).status, 404);
  assert.equal((await chat.call(chat.owner, `GET /user_groups/${id}/deactivate`)).status, 405);
  assert.equal((await readGroup(chat, id)).deactivated, false);
});

Deno.test("POST /user_groups/{user_group_id}/deactivate returns a channel that uses the group (A156)", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.owner);
  await addUses(chat, { kind: "channel", id: 77 }, { can_send_message_group: id });
  const refusal = await chat.call(chat.owner, `POST /user_groups/${id}/deactivate`);
  assertRefusal(refusal, ...IN_USE);
  assert.deepEqual(refusal.body.objections, [
    { type: "channel", channel_id: 77, settings: ["can_send_message_group"] },
  ]);
});

Deno.test("POST /user_groups/{user_group_id}/deactivate returns all uses of the group, in order", async () => {
  await using chat = await startChat();
  const { owner } = chat;
  const id = await makeGroup(chat, owner);
  const named = { direct_members: [owner.id], direct_subgroups: [id] };
  const outer = await makeGroup(chat, owner, { subgroups: [id] });
  const user = await makeGroup(chat, owner, { can_manage_group: named, can_join_group: id });
  const deactivated = await makeGroup(chat, owner, { can_leave_group: id, subgroups: [id] });
  assertSuccess(await chat.call(owner, `POST /user_groups/${deactivated}/deactivate`));
  const own = { can_mention_group: { new: { direct_members: [], direct_subgroups: [id] } } };
  assertSuccess(await chat.call(owner, `PATCH /user_groups/${id}`, own));
  await addUses(chat, { kind: "realm", id: chat.realm.id }, { can_create_groups: id });
  await addUses(chat, { kind: "channel", id: 78 }, {
    can_send_message_group: id,
    can_administer_channel_group: id,
  });
  await addUses(chat, { kind: "channel", id: 77 }, { can_subscribe_group: id });
  await groupEvents(chat);
  const refusal = await chat.call(owner, `POST /user_groups/${id}/deactivate`);
  assertRefusal(refusal, ...IN_USE);
  assert.deepEqual(refusal.body.objections, [
    { type: "subgroup", supergroup_ids: [outer], settings: [] },
    { type: "channel", channel_id: 77, settings: ["can_subscribe_group"] },
    { type: "channel", channel_id: 78, settings: ["can_administer_channel_group", "can_send_message_group"] },
    { type: "user_group", group_id: id, settings: ["can_mention_group"] },
    { type: "user_group", group_id: user, settings: ["can_join_group", "can_manage_group"] },
    { type: "realm", settings: ["can_create_groups"] },
  ]);
  assert.deepEqual(await groupEvents(chat), []);
  assert.equal((await readGroup(chat, id)).deactivated, false);
});

Deno.test("POST /user_groups/{user_group_id}/deactivate succeeds once nothing uses the group any more", async () => {
  await using chat = await startChat();
  const { owner } = chat;
  const id = await makeGroup(chat, owner);
  const user = await makeGroup(chat, owner, { can_join_group: id });
  const outer = await makeGroup(chat, owner, { subgroups: [id] });
  const nobody = systemGroup(chat, "role:nobody");
  assert.equal((await chat.call(owner, `POST /user_groups/${id}/deactivate`)).body.objections.length, 2);
  assertSuccess(await chat.call(owner, `PATCH /user_groups/${user}`, { can_join_group: { new: nobody } }));
  assertSuccess(await chat.call(owner, `POST /user_groups/${outer}/deactivate`));
  assertSuccess(await chat.call(owner, `POST /user_groups/${id}/deactivate`));
});

Deno.test("DELETE /user_groups/{user_group_id} deactivates a group, unless it is in use", async () => {
  await using chat = await startChat();
  const id = await makeGroup(chat, chat.member, {});
  const other = await makeGroup(chat, chat.member, { name: "other", subgroups: [id] });
  await groupEvents(chat);
  for (const user of [chat.admin, chat.guest]) {
    assertRefusal(await chat.call(user, `DELETE /user_groups/${id}`), "Insufficient permission");
  }
  const inUse = await chat.call(chat.member, `DELETE /user_groups/${id}`);
  assertRefusal(inUse, ...IN_USE);
  assert.deepEqual(inUse.body.objections, [{ type: "subgroup", supergroup_ids: [other], settings: [] }]);
  assertSuccess(await chat.call(chat.member, `DELETE /user_groups/${other}`), {});
  assertSuccess(await chat.call(chat.member, `DELETE /user_groups/${id}`), {});
  assert.deepEqual((await readGroup(chat, id)).deactivated, true);
  assertRefusal(await chat.call(chat.member, `DELETE /user_groups/${id}`), "User group is deactivated.");
  assertRefusal(await chat.call(chat.owner, "DELETE /user_groups/999999"), "Invalid user group");
});
