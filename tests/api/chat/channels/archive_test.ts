import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { alterSettings, readStoredRealm } from "@/tests/helpers/realm.ts";
import { createChannel, readChannel, takeChannelEvents } from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess } from "@/tests/casts/user_groups_cast.ts";

// DELETE /streams/{stream_id}, PATCH /streams/{stream_id}

Deno.test("DELETE /streams/{stream_id} archives a channel once and removes it from the default channels", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.admin, { name: "a", is_default_stream: true });
  await takeChannelEvents(chat);
  const answer = await chat.call(chat.admin, `DELETE /streams/${id}`, { zebra: 1 });
  assertSuccess(answer, { ignored_parameters_unsupported: ["zebra"] });
  assert.equal((await readChannel(chat, id)).is_archived, true);
  const about = { type: "stream", op: "update", stream_id: id, name: "a" };
  assert.deepEqual(await takeChannelEvents(chat), [
    { event: { type: "default_streams", default_streams: [] }, audience: "members" },
    { event: { ...about, property: "is_archived", value: true }, audience: "members" },
  ]);
  assertSuccess(await chat.call(chat.admin, `DELETE /streams/${id}`));
  assert.deepEqual(await takeChannelEvents(chat), []);
});

Deno.test("PATCH /streams/{stream_id} unarchives a channel with all its properties (A072, A073)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, {
    name: "a",
    subscribers: [chat.member.id, chat.guest.id],
  });
  const call = (is_archived: boolean) => chat.call(chat.member, `PATCH /streams/${id}`, { is_archived });
  assertRefusal(await call(false), "Channel is not currently deactivated");
  // `is_archived=true` has no effect and is no error.
  assertSuccess(await call(true));
  assert.equal((await readChannel(chat, id)).is_archived, false);
  const before = await readChannel(chat, id);
  assertSuccess(await chat.call(chat.member, `DELETE /streams/${id}`));
  await takeChannelEvents(chat);
  assertSuccess(await call(false));
  assert.deepEqual(await readChannel(chat, id), before);
  const event = { type: "stream", op: "update", stream_id: id, name: "a" };
  const update = { ...event, property: "is_archived", value: false };
  // Clients that do not know archived channels receive it like a new one.
  const create = { type: "stream", op: "create", streams: [before], is_return: true };
  const subscriptions = [{ ...before, subscribers: [chat.member.id, chat.guest.id] }];
  assert.deepEqual(await takeChannelEvents(chat), [
    { event: create, audience: "members" },
    { event: create, audience: [chat.guest.id] },
    {
      event: { type: "subscription", op: "add", subscriptions, is_return: true },
      audience: { channel: id },
    },
    { event: update, audience: "members" },
    { event: update, audience: [chat.guest.id] },
  ]);
});

Deno.test("PATCH /streams/{stream_id} refuses to unarchive a private channel without subscribers", async () => {
  await using chat = await startChat();
  const empty = await createChannel(chat, chat.owner, { invite_only: true });
  const open = await createChannel(chat, chat.owner);
  const full = await createChannel(chat, chat.owner, { invite_only: true, subscribers: [chat.guest.id] });
  for (const id of [empty, open, full]) assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  const call = (id: number) => chat.call(chat.owner, `PATCH /streams/${id}`, { is_archived: false });
  assertRefusal(await call(empty), "Channel is private and have no subscribers");
  assertSuccess(await call(open));
  assertSuccess(await call(full));
});

Deno.test("PATCH /streams/{stream_id} refuses to make an archived channel a default one", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner);
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  const call = (sent: object) => chat.call(chat.owner, `PATCH /streams/${id}`, { ...sent });
  const refusal = "An archived channel cannot be a default channel.";
  assertRefusal(await call({ is_default_stream: true }), refusal);
  assertRefusal(await call({ is_default_stream: true, is_archived: true }), refusal);
  assertSuccess(await call({ is_default_stream: true, is_archived: false }));
});

Deno.test("DELETE /streams/{stream_id} clears the channel for announcements", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner);
  await alterSettings(chat, { new_stream_announcements_stream_id: id });
  await takeChannelEvents(chat);
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  assert.equal((await readStoredRealm(chat)).settings.new_stream_announcements_stream_id, null);
  const data = { new_stream_announcements_stream_id: -1 };
  const event = { type: "realm", op: "update_dict", property: "default", data };
  assert.deepEqual((await takeChannelEvents(chat))[0], { event, audience: "everyone" });
});
