import { ownedBots } from "@/lib/chat/people/put_user.ts";
import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { createChannel } from "@/tests/casts/channels_cast.ts";
import { type ReceivedEvent, registerClient } from "@/tests/casts/events_cast.ts";
import { assertSuccess, makeGroup, systemGroup } from "@/tests/casts/user_groups_cast.ts";

const named = ({ id }: TestUser) => ({ new: { direct_members: [id], direct_subgroups: [] } });

async function receiveDuring(
  chat: TestChat,
  recipient: TestUser,
  work: () => Promise<unknown>,
): Promise<ReceivedEvent[]> {
  const client = await registerClient(chat, recipient);
  await work();
  return (await client.receive()).map(({ id: _, ...event }) => event);
}

Deno.test("deactivation removes a user from groups, permissions and statuses until they are reactivated", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator } = chat;
  const channel = await createChannel(chat, owner);
  const group = await makeGroup(chat, owner, { members: [moderator.id, owner.id] });
  const holder = named(moderator);
  assertSuccess(await chat.call(owner, `PATCH /streams/${channel}`, { can_send_message_group: holder }));
  assertSuccess(await chat.call(owner, `PATCH /user_groups/${group}`, { can_join_group: holder }));
  assertSuccess(await chat.call(owner, "PATCH /realm", { can_create_groups: holder }));
  assertSuccess(await chat.call(moderator, "POST /users/me/status", { status_text: "here" }));
  const toParts = (events: readonly ReceivedEvent[]) =>
    events.filter(({ type }) => type !== "realm_user" && type !== "invites_changed").map((
      { type, op, name: _, ...rest },
    ) => [type, op, rest]);
  const nobody = systemGroup(chat, "role:nobody");
  const moderators = systemGroup(chat, "role:moderators");
  const expected = (op: string, value: unknown, policy: [number, boolean]) => [
    ["user_group", op, { group_id: moderators, user_ids: [moderator.id] }],
    ["user_group", op, { group_id: group, user_ids: [moderator.id] }],
    ["user_group", "update", { group_id: group, data: { can_join_group: value } }],
    ["realm", "update_dict", { property: "default", data: { can_create_groups: value } }],
    ["stream", "update", { stream_id: channel, property: "can_send_message_group", value }],
    ["stream", "update", { stream_id: channel, property: "stream_post_policy", value: policy[0] }],
    ["stream", "update", { stream_id: channel, property: "is_announcement_only", value: policy[1] }],
  ];
  const deactivation = await receiveDuring(
    chat,
    admin,
    () => chat.call(owner, `DELETE /users/${moderator.id}`),
  );
  const status = { user_id: moderator.id, emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };
  assert.deepEqual(toParts(deactivation), [
    ...expected("remove_members", nobody, [2, true]),
    ["user_status", undefined, { ...status, status_text: "", away: false }],
  ]);
  const reactivation = await receiveDuring(
    chat,
    admin,
    () => chat.call(owner, `POST /users/${moderator.id}/reactivate`),
  );
  assert.deepEqual(toParts(reactivation), [
    ...expected("add_members", holder.new, [1, false]),
    ["user_status", undefined, { ...status, status_text: "here", away: false }],
  ]);
});

Deno.test("deactivation ends a user's event queues", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.member);
  assertSuccess(await chat.call(chat.owner, `DELETE /users/${chat.member.id}`));
  assertSuccess(await chat.call(chat.owner, `POST /users/${chat.member.id}/reactivate`));
  assert.equal(await client.receiveUnlessEnded(), null);
});

Deno.test("reactivation of a bot sends its new owner to administrators", async () => {
  await using chat = await startChat();
  assertSuccess(await chat.call(chat.owner, `DELETE /users/${chat.member.id}`));
  const events = await receiveDuring(
    chat,
    chat.admin,
    () => chat.call(chat.owner, `POST /users/${chat.bot.id}/reactivate`),
  );
  const owners = events.map(({ person, bot }) => person?.bot_owner_id ?? bot?.owner_id);
  assert.deepEqual(owners.filter((id) => id !== undefined), [chat.owner.id, chat.owner.id]);
});

Deno.test("a change of the waiting period sends the new full members", async () => {
  await using chat = await startChat();
  const group_id = systemGroup(chat, "role:fullmembers");
  const set = (days: number) => () =>
    chat.call(chat.owner, "PATCH /realm", { waiting_period_threshold: days });
  const expected = (events: ReceivedEvent[]) => events.filter(({ type }) => type === "user_group");
  const user_ids = [chat.member.id, chat.bot.id];
  assert.deepEqual(expected(await receiveDuring(chat, chat.guest, set(3))), [
    { type: "user_group", op: "remove_members", group_id, user_ids },
  ]);
  assert.deepEqual(expected(await receiveDuring(chat, chat.guest, set(0))), [
    { type: "user_group", op: "add_members", group_id, user_ids },
  ]);
});

Deno.test("demotion and deactivation of a user with the maximum number of bots each fit into one commit", async () => {
  await using chat = await startChat();
  const { owner, admin } = chat;
  const user_ids: number[] = [];
  for (let index = 0; index < ownedBots.max; index++) {
    const bot = { full_name: `Helper ${index}`, short_name: `helper${index}`, bot_type: 1 };
    user_ids.push((await chat.call(admin, "POST /bots", bot)).body.user_id);
  }
  for (let index = 0; index < 3; index++) await makeGroup(chat, owner, { members: [admin.id, ...user_ids] });
  for (let index = 0; index < 20; index++) {
    const holders = { direct_members: [admin.id, ...user_ids], direct_subgroups: [] };
    await createChannel(chat, owner, { can_send_message_group: holders, can_create_topic_group: holders });
  }
  assertSuccess(await chat.call(owner, `PATCH /users/${admin.id}`, { role: 600 }));
  assertSuccess(await chat.call(owner, `PATCH /users/${admin.id}`, { role: 200 }));
  await chat.events();
  assertSuccess(await chat.call(owner, `DELETE /users/${admin.id}`));
  const expected = (await chat.events()).filter(({ event }) => event.type === "stream");
  assert.equal(expected.length, 20 * 4);
  const members = (await chat.call(owner, "GET /users")).body.members;
  const active = members.filter((user: ReceivedEvent) =>
    user["is_active"] && user_ids.includes(user["user_id"])
  );
  assert.deepEqual(active, []);
});
