import assert from "node:assert/strict";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { updateChannel } from "@/lib/chat/channels/update_channel.ts";
import { readRecord } from "@/lib/store/key.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import {
  createChannel,
  listChannelNames,
  readChannel,
  takeChannelEvents,
} from "@/tests/casts/channels_cast.ts";
import { asOtherProcess, assertRefusal, callerOf } from "@/tests/casts/user_groups_cast.ts";

// POST /channels/create, PATCH /streams/{stream_id}

async function addUsers(chat: TestChat, count: number): Promise<number[]> {
  const users = [];
  for (let at = 0; at < count; at++) users.push(await chat.add(`person${at}`));
  return users.map(({ id }) => id);
}

Deno.test("POST /channels/create creates one channel of concurrent requests with one name", async () => {
  await using chat = await startChat();
  const names = ["Same", "same", "SAME", " same "];
  const answers = await Promise.all(
    names.map((name) => chat.call(chat.member, "POST /channels/create", { name, subscribers: [] })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  assert.equal((await listChannelNames(chat)).length, 1);
});

Deno.test("PATCH /streams/{stream_id} keeps concurrent changes, also of another process", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner);
  const other = asOtherProcess(chat);
  const caller = await callerOf(chat, chat.owner);
  const none = {
    ...{ description: undefined, new_name: undefined, is_private: undefined, is_web_public: undefined },
    ...{ history_public_to_subscribers: undefined, is_default_stream: undefined, is_archived: undefined },
    ...{ message_retention_days: undefined, folder_id: undefined, topics_policy: undefined },
    ...{ can_add_subscribers_group: undefined, can_administer_channel_group: undefined },
    ...{ can_create_topic_group: undefined, can_delete_any_message_group: undefined },
    ...{ can_delete_own_message_group: undefined, can_move_messages_out_of_channel_group: undefined },
    ...{ can_move_messages_within_channel_group: undefined, can_remove_subscribers_group: undefined },
    ...{ can_resolve_topics_group: undefined, can_send_message_group: undefined },
    can_subscribe_group: undefined,
  };
  await Promise.all([
    chat.call(chat.owner, `PATCH /streams/${id}`, { description: "d" }),
    updateChannel(other, caller, { channelId: id, changes: { ...none, new_name: "n" } }),
    chat.call(chat.owner, `PATCH /streams/${id}`, { message_retention_days: 5 }),
    updateChannel(other, caller, { channelId: id, changes: { ...none, is_private: true } }).catch(() => {}),
  ]);
  const { description, name, message_retention_days } = await readChannel(chat, id);
  assert.deepEqual([description, name, message_retention_days], ["d", "n", 5]);
});

Deno.test("POST /channels/create subscribes more users than one commit holds, and counts each once", async () => {
  await using chat = await startChat();
  const ids = await addUsers(chat, 400);
  await takeChannelEvents(chat);
  const subscribers = [...ids, chat.guest.id, ...ids];
  const id = await createChannel(chat, chat.owner, { subscribers });
  const { kv } = chat.services.store;
  const wanted = [...ids, chat.guest.id].sort((one, other) => one - other);
  assert.deepEqual(await listSubscriberIds(chat.services.chat, chat.realm.id, id), wanted);
  assert.equal((await readChannel(chat, id)).subscriber_count, 401);
  for (const userId of [ids[0] ?? 0, ids[399] ?? 0, chat.guest.id]) {
    const key = channelKeys.subscription(chat.realm.id, userId, id);
    assert.equal((await readRecord<{ is_active: boolean }>(kv, key))?.is_active, true);
  }
  const events = await takeChannelEvents(chat);
  const added = events.filter(({ event }) => event.op === "add")
    .flatMap(({ audience }) => Array.isArray(audience) ? audience.map(Number) : []);
  assert.deepEqual(added.sort((one, other) => one - other), wanted);
  // The guest, in the last batch, receives the channel before the subscription.
  const forGuest = events.filter(({ audience }) =>
    Array.isArray(audience) && audience.includes(chat.guest.id)
  );
  assert.deepEqual(forGuest.map(({ event }) => event.op).slice(0, 2), ["create", "add"]);
});

Deno.test("POST /channels/create checks all subscribers before it creates anything", async () => {
  await using chat = await startChat();
  const ids = await addUsers(chat, 305);
  const sent = { name: "c", subscribers: [...ids, 999999] };
  assertRefusal(await chat.call(chat.owner, "POST /channels/create", sent), "No such user");
  assert.deepEqual(await listChannelNames(chat), []);
});

Deno.test("PATCH /streams/{stream_id} accepts the maximum number of users in all permissions, and sends them", async () => {
  await using chat = await startChat();
  const direct_members = await addUsers(chat, 1000);
  const id = await createChannel(chat, chat.owner, { subscribers: [chat.owner.id] });
  const value = { new: { direct_members, direct_subgroups: [] } };
  const sent = Object.fromEntries(permissionRules("channel").map(({ setting }) => [setting, value]));
  assert.equal((await chat.call(chat.owner, `PATCH /streams/${id}`, sent)).status, 200);
  const channel = await readChannel(chat, id);
  for (const { setting } of permissionRules("channel")) assert.deepEqual(channel[setting], value.new);
  // Guests receive all of it in one event.
  await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: true });
  await takeChannelEvents(chat);
  const open = await chat.call(chat.owner, `PATCH /streams/${id}`, { is_web_public: true });
  assert.deepEqual([open.status, open.body.msg], [200, ""]);
  const operations = new Set((await takeChannelEvents(chat)).map(({ event }) => event.op));
  assert.deepEqual(operations, new Set(["update", "create"]));
});
