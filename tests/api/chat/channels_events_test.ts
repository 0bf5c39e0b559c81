import assert from "node:assert/strict";
import type { StoredEvent } from "@/lib/chat/events/emit.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { allowSpectators, channelEvents, makeChannel, readChannel } from "./channels_cast.ts";
import { assertSuccess } from "./user_groups_cast.ts";

// POST /channels/create, PATCH /streams/{stream_id}, DELETE /streams/{stream_id}: who is told

/** Events as kind and audience, and their contents by kind. */
function sort(events: readonly StoredEvent[]) {
  const told = events.map(({ event, audience }) => [`${event.type} ${event.op}`, audience]);
  const find = (name: string) => events.find(({ event }) => `${event.type} ${event.op}` === name)?.event;
  return { told, find };
}

Deno.test("POST /channels/create tells all but guests of a public channel, and the guests in it", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.member, { subscribers: [chat.member.id, chat.guest.id] });
  const { told, find } = sort(await channelEvents(chat));
  assert.deepEqual(told, [
    ["stream create", "members"],
    ["stream create", [chat.guest.id]],
    ["subscription add", [chat.member.id, chat.guest.id]],
    ["subscription peer_add", "members"],
    ["subscription peer_add", [chat.guest.id]],
  ]);
  const shown = await readChannel(chat, id);
  // Whoever counts the subscribers that are told next must not count them twice.
  assert.deepEqual(find("stream create")?.["streams"], [{ ...shown, subscriber_count: 0 }]);
  const [subscription] = Object(find("subscription add")).subscriptions;
  const { color, ...rest } = subscription;
  assert.match(color, /^#[0-9a-f]{6}$/);
  assert.deepEqual(rest, {
    ...shown,
    subscribers: [chat.member.id, chat.guest.id],
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  });
  assert.deepEqual(find("subscription peer_add"), {
    ...{ type: "subscription", op: "peer_add" },
    ...{ stream_ids: [id], user_ids: [chat.member.id, chat.guest.id] },
  });
});

Deno.test("POST /channels/create tells exactly those of a private channel who may know of it", async () => {
  await using chat = await startChat();
  const reader = await chat.add("reader");
  const named = { direct_members: [reader.id, chat.guest.id], direct_subgroups: [] };
  const sent = { invite_only: true, subscribers: [chat.moderator.id], can_subscribe_group: named };
  await makeChannel(chat, chat.member, sent);
  const knowers = [chat.owner.id, chat.member.id, chat.admin.id, chat.moderator.id, reader.id]
    .sort((one, other) => one - other);
  const { told } = sort(await channelEvents(chat));
  assert.deepEqual(told, [
    ["stream create", knowers],
    ["subscription add", [chat.moderator.id]],
    ["subscription peer_add", knowers],
  ]);
});

Deno.test("POST /channels/create tells everyone of a channel that is open to the web", async () => {
  await using chat = await startChat();
  await allowSpectators(chat);
  await channelEvents(chat);
  await makeChannel(chat, chat.owner, { is_web_public: true });
  assert.deepEqual(sort(await channelEvents(chat)).told, [["stream create", "everyone"]]);
});

Deno.test("PATCH /streams/{stream_id} tells who loses sight of a channel, and who gains it", async () => {
  await using chat = await startChat();
  const subscribers = [chat.owner.id, chat.guest.id];
  const id = await makeChannel(chat, chat.owner, { subscribers });
  const { name } = await readChannel(chat, id);
  const call = (sent: object) => chat.call(chat.owner, `PATCH /streams/${id}`, { ...sent });
  const staying = [chat.owner.id, chat.admin.id, chat.guest.id].sort((one, other) => one - other);
  const others = [chat.member.id, chat.moderator.id, chat.bot.id].sort((one, other) => one - other);
  await channelEvents(chat);
  assertSuccess(await call({ is_private: true }));
  const update = { type: "stream", op: "update", stream_id: id, name, property: "invite_only" };
  const closed = { value: true, is_web_public: false, history_public_to_subscribers: false };
  const gone = { type: "stream", op: "delete", streams: [{ stream_id: id }], stream_ids: [id] };
  assert.deepEqual(await channelEvents(chat), [
    { event: { ...update, ...closed }, audience: staying },
    { event: gone, audience: others },
  ]);
  assertSuccess(await call({ is_private: false }));
  const open = { value: false, is_web_public: false, history_public_to_subscribers: true };
  const streams = [await readChannel(chat, id)];
  assert.deepEqual(await channelEvents(chat), [
    { event: { ...update, ...open }, audience: staying },
    { event: { type: "stream", op: "create", streams }, audience: others },
  ]);
});

Deno.test("PATCH /streams/{stream_id} tells who comes to know of a private channel by a permission", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.owner, { invite_only: true, subscribers: [chat.owner.id] });
  const named = (ids: number[]) => ({ new: { direct_members: ids, direct_subgroups: [] } });
  const call = (ids: number[]) =>
    chat.call(chat.owner, `PATCH /streams/${id}`, { can_administer_channel_group: named(ids) });
  const knowers = [chat.owner.id, chat.admin.id].sort((one, other) => one - other);
  await channelEvents(chat);
  assertSuccess(await call([chat.member.id, chat.guest.id]));
  assert.deepEqual(sort(await channelEvents(chat)).told, [
    ["stream update", knowers],
    ["stream create", [chat.member.id]],
  ]);
  assertSuccess(await call([chat.owner.id]));
  assert.deepEqual(sort(await channelEvents(chat)).told, [
    ["stream update", knowers],
    ["stream delete", [chat.member.id]],
  ]);
});

Deno.test("DELETE /streams/{stream_id} tells of a private channel to who may know of it", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.member, { invite_only: true, subscribers: [chat.guest.id] });
  await channelEvents(chat);
  assertSuccess(await chat.call(chat.member, `DELETE /streams/${id}`));
  const knowers = [chat.owner.id, chat.member.id, chat.admin.id, chat.guest.id]
    .sort((one, other) => one - other);
  assert.deepEqual(sort(await channelEvents(chat)).told, [["stream update", knowers]]);
});
