import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

type Value = number | {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
};

async function allow(chat: TestChat, setting: string, value: Value): Promise<void> {
  const { status, body } = await chat.call(chat.owner, "PATCH /realm", { [setting]: { new: value } });
  assert.equal(status, 200, JSON.stringify(body));
}

const DAY_MS = 86_400_000;

Deno.test("the organization decides who moves messages between topics and channels and who resolves topics", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, realm } = chat;
  const users = [owner, admin, moderator, member, guest];
  const nobody = realm.first_system_group_id;
  const make = async (name: string, fields: object = {}): Promise<number> => {
    const sent = { name, subscribers: users.map(({ id }) => id), ...fields };
    return (await chat.call(owner, "POST /channels/create", sent)).body.id;
  };
  const garden = await make("garden");
  const shed = await make("shed");
  const edit = async (user: TestUser, change: object, { channel = garden, days = 0 }) => {
    const { body } = await chat.call(owner, "POST /messages", {
      ...{ type: "channel", to: channel, topic: "seeds", content: "hello" },
    });
    chat.clock.time += days * DAY_MS;
    return (await chat.call(user, `PATCH /messages/${body.id}`, { ...change })).status === 200;
  };
  const outcomes = async (change: object, where: { channel?: number; days?: number } = {}) => {
    const all: boolean[] = [];
    for (const user of users) all.push(await edit(user, change, where));
    return all;
  };
  const [topic, resolved, moved] = [{ topic: "plants" }, { topic: "✔ seeds" }, { stream_id: shed }];

  assert.deepEqual(await outcomes(topic), [true, true, true, true, false]);
  assert.deepEqual(await outcomes(topic, { days: 8 }), [true, true, true, false, false]);
  assert.deepEqual(await outcomes(resolved, { days: 8 }), [true, true, true, true, false]);
  assert.deepEqual(await outcomes(moved), [true, true, true, false, false]);

  const named = { direct_members: [guest.id], direct_subgroups: [] };
  await allow(chat, "can_move_messages_between_topics_group", named);
  await allow(chat, "can_resolve_topics_group", named);
  assert.deepEqual(await outcomes(topic), [false, false, false, false, true]);
  assert.deepEqual(await outcomes(resolved), [false, false, false, false, true]);
  const both = { ...named, direct_members: [member.id, guest.id] };
  await allow(chat, "can_move_messages_between_channels_group", both);
  assert.deepEqual(await outcomes(moved), [false, false, false, true, false], "guests never can");

  for (const name of ["topics", "channels"]) {
    await allow(chat, `can_move_messages_between_${name}_group`, nobody);
  }
  await allow(chat, "can_resolve_topics_group", nobody);
  for (const change of [topic, resolved, moved]) {
    assert.deepEqual(await outcomes(change), [false, false, false, false, false]);
  }
  const open = await make("open", {
    can_resolve_topics_group: named,
    can_move_messages_within_channel_group: named,
    can_move_messages_out_of_channel_group: named,
  });
  assert.deepEqual(await outcomes(topic, { channel: open, days: 30 }), [false, false, false, false, true]);
  assert.deepEqual(await outcomes(resolved, { channel: open }), [false, false, false, false, true]);
  assert.deepEqual(await outcomes(moved, { channel: open }), [false, false, false, false, true]);
});

Deno.test("the organization decides who starts direct messages and who takes part in them", async () => {
  await using chat = await startChat();
  const { owner, admin, member, guest, bot, realm } = chat;
  const [nobody, everyone] = [realm.first_system_group_id, realm.first_system_group_id + 6];
  const write = async (from: TestUser, ...to: readonly TestUser[]) => {
    const { status, body } = await chat.call(from, "POST /messages", {
      ...{ type: "direct", to: to.map(({ id }) => id), content: "hello" },
    });
    return status === 200 ? "sent" : body.msg;
  };
  const starting = "You do not have permission to start direct message conversations.";
  const authorizing = "This conversation does not include any users who can authorize it.";
  assert.equal(await write(guest, member), "sent");

  const named = (user: TestUser) => ({ direct_members: [user.id], direct_subgroups: [] });
  await allow(chat, "direct_message_initiator_group", named(member));
  assert.equal(await write(guest, member), "sent", "a conversation goes on");
  assert.equal(await write(guest, admin), starting);
  assert.equal(await write(guest, admin, member), starting, "another conversation");
  assert.equal(await write(member, admin), "sent");
  assert.equal(await write(admin, member), "sent", "everyone can reply");
  assert.equal(await write(guest, bot), "sent", "bots are written to freely");
  assert.equal(await write(guest, guest), "sent");
  assert.equal(await write(bot, guest), "sent");
  const scheduled = await chat.call(guest, "POST /scheduled_messages", {
    ...{ type: "direct", to: [admin.id], content: "later" },
    scheduled_delivery_timestamp: Math.floor(chat.clock.time / 1000) + 3600,
  });
  assert.equal(scheduled.body.msg, starting, "a scheduled message is refused at once");

  await allow(chat, "direct_message_initiator_group", everyone);
  await allow(chat, "direct_message_permission_group", named(owner));
  assert.equal(await write(guest, member), authorizing);
  assert.equal(await write(guest, member, owner), "sent");
  assert.equal(await write(owner, admin), "sent");
  assert.equal(await write(member, bot), "sent");

  await allow(chat, "direct_message_permission_group", nobody);
  assert.equal(await write(owner, admin), "Direct messages are disabled in this organization.");
  assert.equal(await write(owner, owner), "sent");
});

Deno.test("the organization decides who adds custom emoji", async () => {
  await using chat = await startChat();
  const named = { direct_members: [chat.moderator.id], direct_subgroups: [] };
  await allow(chat, "can_add_custom_emoji_group", named);
  const problems: string[] = [];
  for (const user of [chat.owner, chat.moderator, chat.member]) {
    problems.push((await chat.call(user, "POST /realm/emoji/our_rose")).body.msg);
  }
  const refused = "Insufficient permission";
  assert.deepEqual(problems, [refused, "You must upload exactly one file.", refused]);
});
