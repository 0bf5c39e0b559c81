import { createFullMemberPromoter } from "@/lib/services/chat_workers.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { createChannel } from "@/tests/casts/channels_cast.ts";
import { type ReceivedEvent, registerClient } from "@/tests/casts/events_cast.ts";
import { assertSuccess, makeGroup } from "@/tests/casts/user_groups_cast.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

const SETTINGS = ["can_subscribe_group", "can_add_subscribers_group", "can_administer_channel_group"];

/** Creates a private channel that a group has metadata access to by a permission. */
async function createVisibleTo(chat: TestChat, group: number, setting: string): Promise<number> {
  return await createChannel(chat, chat.owner, { invite_only: true, [setting]: group });
}

function ofChannels(events: readonly ReceivedEvent[]): unknown[] {
  return events.filter(({ type }) => type === "stream" || type === "subscription")
    .map(({ op, streams }) => [op, ...streams.map((one: ReceivedEvent) => one["stream_id"])]);
}

Deno.test("users added to a group receive the private channels it has access to, removed users their deletion", async () => {
  await using chat = await startChat();
  const { owner, member, guest } = chat;
  const group = await makeGroup(chat, owner);
  const above = await makeGroup(chat, owner, { subgroups: [group] });
  const ids: number[] = [];
  for (const setting of SETTINGS) ids.push(await createVisibleTo(chat, above, setting));
  const subscribed = await createChannel(chat, owner, {
    invite_only: true,
    subscribers: [member.id],
    can_subscribe_group: group,
  });
  const clients = await Promise.all(
    [member, guest, chat.moderator].map((user) => registerClient(chat, user)),
  );
  const edit = async (path: string, params: object) => {
    assertSuccess(await chat.call(owner, `POST /user_groups/${group}/${path}`, { ...params }));
    return await Promise.all(clients.map(async (client) => ofChannels(await client.receive())));
  };
  const both = [member.id, guest.id];
  assert.deepEqual(await edit("members", { add: both }), [[["create", ...ids]], [], []]);
  assert.deepEqual(await edit("members", { delete: both }), [[["delete", ...ids]], [], []]);
  const below = await makeGroup(chat, owner, { members: both });
  assert.deepEqual(await edit("subgroups", { add: [below] }), [[["create", ...ids]], [], []]);
  assert.deepEqual(await edit("subgroups", { delete: [below] }), [[["delete", ...ids]], [], []]);
  assert.equal(ids.includes(subscribed), false);
});

Deno.test("a user with another role receives what the role can see, and the deletion of the rest", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, bot } = chat;
  const open = await createChannel(chat, owner, { is_default_stream: true });
  const hidden = await createChannel(chat, owner, { invite_only: true });
  const visibility = { email_address_visibility: 3 };
  assertSuccess(await chat.call(moderator, "PATCH /settings", visibility));
  const client = await registerClient(chat, member);
  const change = async (role: number) => {
    assertSuccess(await chat.call(owner, `PATCH /users/${member.id}`, { role }));
    const events = await client.receive();
    return events.filter(({ type }) => type !== "user_group").map((event) => [
      event.type,
      event.op,
      event["default_streams"] ?? event["stream_ids"] ?? event["person"] ?? event["bot"]?.user_id ??
        event["streams"].map(({ stream_id }: ReceivedEvent) => stream_id),
    ]);
  };
  const own = (role: number) => ["realm_user", "update", { user_id: member.id, role }];
  const address = (delivery_email: string | null) => [
    "realm_user",
    "update",
    { user_id: moderator.id, delivery_email },
  ];
  const foreign = await chat.add("helper", 400, 1);
  await client.receive();
  assert.deepEqual(await change(200), [
    own(200),
    ["stream", "create", [hidden]],
    ["realm_bot", "add", foreign.id],
    address(moderator.email),
  ]);
  assert.deepEqual(await change(600), [
    own(600),
    ["realm_user", "update", { user_id: bot.id, role: 600 }],
    // Their bot loses access to one of them as well.
    ["stream", "delete", [open]],
    ["stream", "delete", [hidden]],
    ["default_streams", undefined, []],
    ["realm_bot", "delete", foreign.id],
    address(null),
  ]);
  assert.deepEqual(await change(400), [
    own(400),
    ["stream", "create", [open]],
    ["default_streams", undefined, [open]],
  ]);
});

Deno.test("a change of the waiting period sends full members the private channels they gain or lose", async () => {
  await using chat = await startChat();
  const fullMembers = chat.realm.first_system_group_id + 4;
  const id = await createVisibleTo(chat, fullMembers, "can_subscribe_group");
  const client = await registerClient(chat, chat.member);
  for (const [days, op] of [[3, "delete"], [0, "create"]] as const) {
    assertSuccess(await chat.call(chat.owner, "PATCH /realm", { waiting_period_threshold: days }));
    assert.deepEqual(ofChannels(await client.receive()), [[op, id]]);
  }
});

Deno.test("a change of access to users ends the event queues of guests, and no others", async () => {
  await using chat = await startChat();
  const members = chat.realm.first_system_group_id + 5;
  const clients = await Promise.all([
    registerClient(chat, chat.guest),
    registerClient(chat, chat.guest, { event_types: ["stream"] }),
    registerClient(chat, chat.member),
  ]);
  const sent = { can_access_all_users_group: { new: members } };
  assertSuccess(await chat.call(chat.owner, "PATCH /realm", sent));
  const received = await Promise.all(clients.map((client) => client.receiveUnlessEnded()));
  assert.deepEqual(received.map((events) => events?.map(({ type }) => type)), [undefined, [], ["realm"]]);
});

Deno.test("a guest without access to users who becomes a member gets a new event queue", async () => {
  await using chat = await startChat();
  const members = chat.realm.first_system_group_id + 5;
  await chat.call(chat.owner, "PATCH /realm", { can_access_all_users_group: { new: members } });
  const [guest, member] = await Promise.all([
    registerClient(chat, chat.guest),
    registerClient(chat, chat.member),
  ]);
  assertSuccess(await chat.call(chat.owner, `PATCH /users/${chat.guest.id}`, { role: 400 }));
  assert.equal(await guest.receiveUnlessEnded(), null);
  assert.ok(await member.receiveUnlessEnded());
});

Deno.test("a user whose waiting period ends receives the membership and the channels once", async () => {
  await using chat = await startChat();
  const group_id = chat.realm.first_system_group_id + 4;
  const sweep = () =>
    createFullMemberPromoter(chat.services.chat, (error) => assert.fail(String(error))).sweep();
  assert.equal(await sweep(), 0);
  assertSuccess(await chat.call(chat.owner, "PATCH /realm", { waiting_period_threshold: 3 }));
  const id = await createVisibleTo(chat, group_id, "can_subscribe_group");
  const client = await registerClient(chat, chat.member, { idle_queue_timeout: 7 * 86400 });
  const pass = async (hours: number) => {
    for (let half = 0; half < 2 * hours; half++) {
      chat.clock.time += 1_800_000;
      await client.receive();
    }
  };
  await pass(71);
  assert.equal(await sweep(), 0);
  await pass(1);
  const user_ids = [chat.member.id, chat.bot.id];
  assert.equal(await sweep(), user_ids.length);
  assert.equal(await sweep(), 0);
  const [group, channel, ...others] = await client.receive();
  assert.deepEqual([group?.["op"], group?.["group_id"], group?.["user_ids"]], [
    "add_members",
    group_id,
    user_ids,
  ]);
  assert.deepEqual(ofChannels([channel ?? {}]), [["create", id]]);
  assert.deepEqual(others, []);
});

Deno.test("very many users added to a group with very many channels get new event queues", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const { kv } = chat.services.store;
  const realmId = chat.realm.id;
  const group = await makeGroup(chat, owner);
  const channelId = await createVisibleTo(chat, group, "can_subscribe_group");
  const channel = await readRecord<ChannelRecord>(kv, channelKeys.channel(realmId, channelId));
  const user = await readRecord<UserRecord>(kv, userKeys.user(realmId, member.id));
  const ids = Array.from({ length: 150 }, (_, at) => 1000 + at);
  await writeRows(
    chat.services.store,
    ids.flatMap((id) => [
      [channelKeys.channel(realmId, id), { ...channel, id }] as const,
      [userKeys.user(realmId, id), { ...user, id }] as const,
    ]),
  );
  await chat.events();
  assertSuccess(await chat.call(owner, `POST /user_groups/${group}/members`, { add: ids.slice(1) }));
  const events = (await chat.events()).filter(({ event }) => event.type !== "message");
  const sent = events.map(({ event, audience }) => [event.type, event["types"], audience]);
  assert.deepEqual(sent, [["user_group", undefined, "everyone"], ["queue_end", ["stream"], ids.slice(1)]]);
});
