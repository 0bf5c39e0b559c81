import assert from "node:assert/strict";
import type { StoredEvent } from "@/lib/chat/organization/events/model.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  allowSpectators,
  createChannel,
  readChannel,
  takeChannelEvents,
} from "@/tests/casts/channels_cast.ts";
import { assertSuccess } from "@/tests/casts/user_groups_cast.ts";

// POST /channels/create, PATCH /streams/{stream_id}, DELETE /streams/{stream_id}: events and audiences

/** Returns type and audience of each event, and a lookup of events by type. */
function summarize(events: readonly StoredEvent[]) {
  const sent = events.map(({ event, audience }) => [`${event.type} ${event.op}`, audience]);
  const find = (name: string) => events.find(({ event }) => `${event.type} ${event.op}` === name)?.event;
  return { sent, find };
}

Deno.test("POST /channels/create sends a public channel to all but guests, and to subscribed guests", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, { subscribers: [chat.member.id, chat.guest.id] });
  const { sent, find } = summarize(await takeChannelEvents(chat));
  assert.deepEqual(sent, [
    ["stream create", "members"],
    ["stream create", [chat.guest.id]],
    ["subscription add", [chat.member.id, chat.guest.id]],
    ["subscription peer_add", "members"],
    ["subscription peer_add", [chat.guest.id]],
  ]);
  const shown = await readChannel(chat, id);
  // Clients add the subscribers of the next events to this count.
  assert.deepEqual(find("stream create")?.["streams"], [{ ...shown, subscriber_count: 0 }]);
  const [subscription] = Object(find("subscription add")).subscriptions;
  const { color, ...rest } = subscription;
  assert.match(color, /^#[0-9a-f]{6}$/);
  assert.deepEqual(rest, {
    ...shown,
    subscribers: [chat.member.id, chat.guest.id],
    is_muted: false,
    in_home_view: true,
    email_address: "",
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

Deno.test("POST /channels/create sends a private channel to exactly the users with metadata access", async () => {
  await using chat = await startChat();
  const reader = await chat.add("reader");
  const named = { direct_members: [reader.id, chat.guest.id], direct_subgroups: [] };
  const params = { invite_only: true, subscribers: [chat.moderator.id], can_subscribe_group: named };
  await createChannel(chat, chat.member, params);
  const audience = [chat.owner.id, chat.member.id, chat.admin.id, chat.moderator.id, reader.id]
    .sort((one, other) => one - other);
  const { sent } = summarize(await takeChannelEvents(chat));
  assert.deepEqual(sent, [
    ["stream create", audience],
    ["subscription add", [chat.moderator.id]],
    ["subscription peer_add", audience],
  ]);
});

Deno.test("POST /channels/create sends a web-public channel to everyone", async () => {
  await using chat = await startChat();
  await allowSpectators(chat);
  await takeChannelEvents(chat);
  await createChannel(chat, chat.owner, { is_web_public: true });
  assert.deepEqual(summarize(await takeChannelEvents(chat)).sent, [["stream create", "everyone"]]);
});

Deno.test("PATCH /streams/{stream_id} sends events to users who lose or gain metadata access", async () => {
  await using chat = await startChat();
  const subscribers = [chat.owner.id, chat.guest.id];
  const id = await createChannel(chat, chat.owner, { subscribers });
  const { name } = await readChannel(chat, id);
  const call = (sent: object) => chat.call(chat.owner, `PATCH /streams/${id}`, { ...sent });
  const staying = [chat.owner.id, chat.admin.id, chat.guest.id].sort((one, other) => one - other);
  const others = [chat.member.id, chat.moderator.id, chat.bot.id].sort((one, other) => one - other);
  await takeChannelEvents(chat);
  assertSuccess(await call({ is_private: true }));
  const update = { type: "stream", op: "update", stream_id: id, name, property: "invite_only" };
  const closed = { value: true, is_web_public: false, history_public_to_subscribers: false };
  const gone = { type: "stream", op: "delete", streams: [{ stream_id: id }], stream_ids: [id] };
  assert.deepEqual(await takeChannelEvents(chat), [
    { event: { ...update, ...closed }, audience: staying },
    { event: gone, audience: others },
  ]);
  assertSuccess(await call({ is_private: false }));
  const open = { value: false, is_web_public: false, history_public_to_subscribers: true };
  const streams = [await readChannel(chat, id)];
  assert.deepEqual(await takeChannelEvents(chat), [
    { event: { ...update, ...open }, audience: staying },
    { event: { type: "stream", op: "create", streams }, audience: others },
  ]);
});

Deno.test("PATCH /streams/{stream_id} sends a private channel to users who gain metadata access by a permission", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner, { invite_only: true, subscribers: [chat.owner.id] });
  const named = (ids: number[]) => ({ new: { direct_members: ids, direct_subgroups: [] } });
  const call = (ids: number[]) =>
    chat.call(chat.owner, `PATCH /streams/${id}`, { can_administer_channel_group: named(ids) });
  const audience = [chat.owner.id, chat.admin.id].sort((one, other) => one - other);
  await takeChannelEvents(chat);
  assertSuccess(await call([chat.member.id, chat.guest.id]));
  assert.deepEqual(summarize(await takeChannelEvents(chat)).sent, [
    ["stream update", audience],
    ["stream create", [chat.member.id]],
  ]);
  assertSuccess(await call([chat.owner.id]));
  assert.deepEqual(summarize(await takeChannelEvents(chat)).sent, [
    ["stream update", audience],
    ["stream delete", [chat.member.id]],
  ]);
});

Deno.test("DELETE /streams/{stream_id} sends a private channel's event to users with metadata access", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, { invite_only: true, subscribers: [chat.guest.id] });
  await takeChannelEvents(chat);
  assertSuccess(await chat.call(chat.member, `DELETE /streams/${id}`));
  const audience = [chat.owner.id, chat.member.id, chat.admin.id, chat.guest.id]
    .sort((one, other) => one - other);
  assert.deepEqual(summarize(await takeChannelEvents(chat)).sent, [["stream update", audience]]);
});
