import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { alterSettings, realmOf } from "@/tests/helpers/realm.ts";
import { channelEvents, makeChannel, readChannel } from "./channels_cast.ts";
import { assertRefusal, assertSuccess } from "./user_groups_cast.ts";

// DELETE /streams/{stream_id}, PATCH /streams/{stream_id}

Deno.test("DELETE /streams/{stream_id} archives a channel and takes it off the defaults, once", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.admin, { name: "a", is_default_stream: true });
  await channelEvents(chat);
  const answer = await chat.call(chat.admin, `DELETE /streams/${id}`, { zebra: 1 });
  assertSuccess(answer, { ignored_parameters_unsupported: ["zebra"] });
  assert.equal((await readChannel(chat, id)).is_archived, true);
  const about = { type: "stream", op: "update", stream_id: id, name: "a" };
  assert.deepEqual(await channelEvents(chat), [
    { event: { type: "default_streams", default_streams: [] }, audience: "members" },
    { event: { ...about, property: "is_archived", value: true }, audience: "members" },
  ]);
  assertSuccess(await chat.call(chat.admin, `DELETE /streams/${id}`));
  assert.deepEqual(await channelEvents(chat), []);
});

Deno.test("PATCH /streams/{stream_id} takes an archived channel back as it was (A072, A073)", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.member, {
    name: "a",
    subscribers: [chat.member.id, chat.guest.id],
  });
  const call = (is_archived: boolean) => chat.call(chat.member, `PATCH /streams/${id}`, { is_archived });
  assertRefusal(await call(false), "Channel is not currently deactivated");
  // Archiving is not done this way, and that is no error.
  assertSuccess(await call(true));
  assert.equal((await readChannel(chat, id)).is_archived, false);
  const before = await readChannel(chat, id);
  assertSuccess(await chat.call(chat.member, `DELETE /streams/${id}`));
  await channelEvents(chat);
  assertSuccess(await call(false));
  assert.deepEqual(await readChannel(chat, id), before);
  const event = { type: "stream", op: "update", stream_id: id, name: "a" };
  const told = { ...event, property: "is_archived", value: false };
  // Clients that know of no archived channels are told of it as of a new one.
  const create = { type: "stream", op: "create", streams: [before], is_return: true };
  const subscriptions = [{ ...before, subscribers: [chat.member.id, chat.guest.id] }];
  assert.deepEqual(await channelEvents(chat), [
    { event: create, audience: "members" },
    { event: create, audience: [chat.guest.id] },
    {
      event: { type: "subscription", op: "add", subscriptions, is_return: true },
      audience: { channel: id },
    },
    { event: told, audience: "members" },
    { event: told, audience: [chat.guest.id] },
  ]);
});

Deno.test("PATCH /streams/{stream_id} leaves private channels archived that nobody is subscribed to", async () => {
  await using chat = await startChat();
  const empty = await makeChannel(chat, chat.owner, { invite_only: true });
  const open = await makeChannel(chat, chat.owner);
  const full = await makeChannel(chat, chat.owner, { invite_only: true, subscribers: [chat.guest.id] });
  for (const id of [empty, open, full]) assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  const call = (id: number) => chat.call(chat.owner, `PATCH /streams/${id}`, { is_archived: false });
  assertRefusal(await call(empty), "Channel is private and have no subscribers");
  assertSuccess(await call(open));
  assertSuccess(await call(full));
});

Deno.test("PATCH /streams/{stream_id} makes no archived channel a default one", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.owner);
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  const call = (sent: object) => chat.call(chat.owner, `PATCH /streams/${id}`, { ...sent });
  const refusal = "An archived channel cannot be a default channel.";
  assertRefusal(await call({ is_default_stream: true }), refusal);
  assertRefusal(await call({ is_default_stream: true, is_archived: true }), refusal);
  assertSuccess(await call({ is_default_stream: true, is_archived: false }));
});

Deno.test("DELETE /streams/{stream_id} ends announcements of new channels in it", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, chat.owner);
  await alterSettings(chat, { new_stream_announcements_stream_id: id });
  await channelEvents(chat);
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  assert.equal((await realmOf(chat)).settings.new_stream_announcements_stream_id, null);
  const data = { new_stream_announcements_stream_id: -1 };
  const event = { type: "realm", op: "update_dict", property: "default", data };
  assert.deepEqual((await channelEvents(chat))[0], { event, audience: "everyone" });
});
