import { MAX_BOTS } from "@/lib/chat/users/bots_of.ts";
import assert from "node:assert/strict";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { makeChannel } from "./channels_cast.ts";
import { type Heard, listen } from "./events_cast.ts";
import { assertSuccess, makeGroup, systemGroup } from "./user_groups_cast.ts";

const named = ({ id }: Person) => ({ new: { direct_members: [id], direct_subgroups: [] } });

async function heardBy(chat: TestChat, who: Person, work: () => Promise<unknown>): Promise<Heard[]> {
  const client = await listen(chat, who);
  await work();
  return (await client.hear()).map(({ id: _, ...event }) => event);
}

Deno.test("whoever goes out of use leaves groups, permissions and his status, and has them again when he comes back", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator } = chat;
  const channel = await makeChannel(chat, owner);
  const group = await makeGroup(chat, owner, { members: [moderator.id, owner.id] });
  const holder = named(moderator);
  assertSuccess(await chat.call(owner, `PATCH /streams/${channel}`, { can_send_message_group: holder }));
  assertSuccess(await chat.call(owner, `PATCH /user_groups/${group}`, { can_join_group: holder }));
  assertSuccess(await chat.call(owner, "PATCH /realm", { can_create_groups: holder }));
  assertSuccess(await chat.call(moderator, "POST /users/me/status", { status_text: "here" }));
  const parts = (events: readonly Heard[]) =>
    events.filter(({ type }) => type !== "realm_user" && type !== "invites_changed").map((
      { type, op, name: _, ...rest },
    ) => [type, op, rest]);
  const nobody = systemGroup(chat, "role:nobody");
  const moderators = systemGroup(chat, "role:moderators");
  const told = (op: string, value: unknown, policy: [number, boolean]) => [
    ["user_group", op, { group_id: moderators, user_ids: [moderator.id] }],
    ["user_group", op, { group_id: group, user_ids: [moderator.id] }],
    ["user_group", "update", { group_id: group, data: { can_join_group: value } }],
    ["realm", "update_dict", { property: "default", data: { can_create_groups: value } }],
    ["stream", "update", { stream_id: channel, property: "can_send_message_group", value }],
    ["stream", "update", { stream_id: channel, property: "stream_post_policy", value: policy[0] }],
    ["stream", "update", { stream_id: channel, property: "is_announcement_only", value: policy[1] }],
  ];
  const gone = await heardBy(chat, admin, () => chat.call(owner, `DELETE /users/${moderator.id}`));
  const status = { user_id: moderator.id, emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };
  assert.deepEqual(parts(gone), [
    ...told("remove_members", nobody, [2, true]),
    ["user_status", undefined, { ...status, status_text: "", away: false }],
  ]);
  const back = await heardBy(chat, admin, () => chat.call(owner, `POST /users/${moderator.id}/reactivate`));
  assert.deepEqual(parts(back), [
    ...told("add_members", holder.new, [1, false]),
    ["user_status", undefined, { ...status, status_text: "here", away: false }],
  ]);
});

Deno.test("a client of an account that was out of use begins anew when it is back", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.member);
  assertSuccess(await chat.call(chat.owner, `DELETE /users/${chat.member.id}`));
  assertSuccess(await chat.call(chat.owner, `POST /users/${chat.member.id}/reactivate`));
  assert.equal(await client.hearUnlessEnded(), null);
});

Deno.test("who administers is told of the bot's owner where that one is another after it came back", async () => {
  await using chat = await startChat();
  assertSuccess(await chat.call(chat.owner, `DELETE /users/${chat.member.id}`));
  const events = await heardBy(
    chat,
    chat.admin,
    () => chat.call(chat.owner, `POST /users/${chat.bot.id}/reactivate`),
  );
  const owners = events.map(({ person, bot }) => person?.bot_owner_id ?? bot?.owner_id);
  assert.deepEqual(owners.filter((id) => id !== undefined), [chat.owner.id, chat.owner.id]);
});

Deno.test("another waiting period tells who is a full member now", async () => {
  await using chat = await startChat();
  const group_id = systemGroup(chat, "role:fullmembers");
  const set = (days: number) => () =>
    chat.call(chat.owner, "PATCH /realm", { waiting_period_threshold: days });
  const told = (events: Heard[]) => events.filter(({ type }) => type === "user_group");
  const user_ids = [chat.member.id, chat.bot.id];
  assert.deepEqual(told(await heardBy(chat, chat.guest, set(3))), [
    { type: "user_group", op: "remove_members", group_id, user_ids },
  ]);
  assert.deepEqual(told(await heardBy(chat, chat.guest, set(0))), [
    { type: "user_group", op: "add_members", group_id, user_ids },
  ]);
});

Deno.test("an account with as many bots as one may have goes out of use, lowers them and loses sight in one commit each", async () => {
  await using chat = await startChat();
  const { owner, admin } = chat;
  const user_ids: number[] = [];
  for (let at = 0; at < MAX_BOTS; at++) {
    const bot = { full_name: `Helper ${at}`, short_name: `helper${at}`, bot_type: 1 };
    user_ids.push((await chat.call(admin, "POST /bots", bot)).body.user_id);
  }
  for (let at = 0; at < 3; at++) await makeGroup(chat, owner, { members: [admin.id, ...user_ids] });
  for (let at = 0; at < 20; at++) {
    const holders = { direct_members: [admin.id, ...user_ids], direct_subgroups: [] };
    await makeChannel(chat, owner, { can_send_message_group: holders, can_create_topic_group: holders });
  }
  assertSuccess(await chat.call(owner, `PATCH /users/${admin.id}`, { role: 600 }));
  assertSuccess(await chat.call(owner, `PATCH /users/${admin.id}`, { role: 200 }));
  await chat.events();
  assertSuccess(await chat.call(owner, `DELETE /users/${admin.id}`));
  const told = (await chat.events()).filter(({ event }) => event.type === "stream");
  assert.equal(told.length, 20 * 4);
  const members = (await chat.call(owner, "GET /users")).body.members;
  const active = members.filter((one: Heard) => one["is_active"] && user_ids.includes(one["user_id"]));
  assert.deepEqual(active, []);
});
