// GET /events: the form of events depends on the client.
import assert from "node:assert/strict";
import { contentsIn, registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { basic, startChat } from "@/tests/helpers/chat.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";

Deno.test("the event of an edit contains the new and the old content", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const id = await send(chat, chat.member, { to, content: "*old*" });
  const client = await registerClient(chat, chat.moderator, { event_types: ["update_message"] });
  await chat.call(chat.member, `PATCH /messages/${id}`, { content: "**new**" });
  const [event, ...others] = await client.receive();
  assert.deepEqual([event, others], [{
    id: client.last,
    type: "update_message",
    user_id: chat.member.id,
    edit_timestamp: chat.clock.time / 1000,
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    stream_id: to,
    stream_name: "roses",
    content: "**new**",
    rendered_content: "<p><strong>new</strong></p>",
    orig_content: "*old*",
    orig_rendered_content: "<p><em>old</em></p>",
    is_me_message: false,
    flags: [],
  }, []]);
});

Deno.test("the event of a move contains both topics; the empty one is named as the client's capabilities allow", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const id = await send(chat, chat.member, { to, topic: "", content: "one" });
  const event_types = ["update_message"];
  const older = await registerClient(chat, chat.moderator, { event_types });
  const client_capabilities = { empty_topic_name: true };
  const newer = await registerClient(chat, chat.moderator, { event_types, client_capabilities });
  const { status } = await chat.call(chat.owner, `PATCH /messages/${id}`, { topic: "tea" });
  assert.equal(status, 200);
  const [[old], [event]] = [await older.receive(), await newer.receive()];
  assert.deepEqual(event, {
    id: newer.last,
    type: "update_message",
    user_id: chat.owner.id,
    edit_timestamp: chat.clock.time / 1000,
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    propagate_mode: "change_one",
    stream_id: to,
    stream_name: "roses",
    orig_subject: "",
    subject: "tea",
    topic_links: [],
    flags: [],
  });
  assert.deepEqual(old, { ...event, orig_subject: "general chat" });
});

Deno.test("the event of a deletion lists ids or has one id, by the client's capabilities", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const id = await send(chat, chat.member, { to, content: "one" });
  const event_types = ["delete_message"];
  const older = await registerClient(chat, chat.member, { event_types });
  const client_capabilities = { bulk_message_deletion: true };
  const newer = await registerClient(chat, chat.member, { event_types, client_capabilities });
  await chat.call(chat.owner, `DELETE /messages/${id}`);
  const expected = { type: "delete_message", message_type: "stream", stream_id: to, topic: "plans" };
  assert.deepEqual(await older.receive(), [{ ...expected, id: older.last, message_id: id }]);
  assert.deepEqual(await newer.receive(), [{ ...expected, id: newer.last, message_ids: [id] }]);
});

Deno.test("the event of a mark as read lists message ids for a topic, a channel, everything and a sender", async () => {
  await using chat = await startChat();
  const [to, other] = [await makeChannel(chat, "roses"), await makeChannel(chat, "tulips")];
  const tea = await send(chat, chat.owner, { to, topic: "tea", content: "one" });
  const plans = await send(chat, chat.owner, { to, content: "two" });
  await send(chat, chat.owner, { to: other, topic: "tea", content: "three" });
  await sendDirect(chat, chat.owner, [chat.admin], "not for the member");
  const client = await registerClient(chat, chat.member, { event_types: ["update_message_flags"] });
  const readUpdates = async () => {
    const events = await client.receive();
    return events.map(({ id: _, type, op, operation, flag, ...rest }) => {
      assert.deepEqual([type, op, operation, flag], ["update_message_flags", "add", "add", "read"]);
      return rest;
    });
  };
  await chat.call(chat.member, "POST /mark_topic_as_read", { stream_id: to, topic_name: "tea" });
  assert.deepEqual(await readUpdates(), [{ messages: [tea], all: false }]);
  await chat.call(chat.member, "POST /mark_stream_as_read", { stream_id: to });
  const [inChannel] = await readUpdates();
  assert.deepEqual(inChannel?.messages.slice(-2), [tea, plans]);
  await chat.call(chat.member, "POST /mark_all_as_read");
  assert.deepEqual(await readUpdates(), [{ messages: [], all: true }]);
  await chat.call(chat.member, `POST /users/me/muted_users/${chat.owner.id}`);
  const [bySender] = await readUpdates();
  assert.deepEqual(bySender?.messages, [tea, plans, plans + 1]);
});

Deno.test("the event of messages that are unread again contains their location", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const inTopic = await send(chat, chat.owner, { to, content: "one, @**Member**" });
  const direct = await sendDirect(chat, chat.owner, [chat.member], "two");
  await chat.call(chat.member, "POST /mark_all_as_read");
  const client = await registerClient(chat, chat.member, { event_types: ["update_message_flags"] });
  const messages = [inTopic, direct];
  await chat.call(chat.member, "POST /messages/flags", { messages, op: "remove", flag: "read" });
  assert.deepEqual(await client.receive(), [{
    id: client.last,
    ...{
      type: "update_message_flags",
      op: "remove",
      operation: "remove",
      flag: "read",
      messages,
      all: false,
    },
    message_details: {
      [inTopic]: { type: "stream", mentioned: true, stream_id: to, topic: "plans" },
      [direct]: { type: "private", user_ids: [chat.owner.id] },
    },
  }]);
});

Deno.test("the form of presence events depends on the client", async () => {
  await using chat = await startChat();
  const event_types = ["presence"];
  const older = await registerClient(chat, chat.owner, { event_types });
  const slim = await registerClient(chat, chat.owner, { event_types, slim_presence: true });
  const client_capabilities = { simplified_presence_events: true };
  const newer = await registerClient(chat, chat.owner, { event_types, client_capabilities });
  await chat.call(chat.member, "POST /users/me/presence", { status: "active", new_user_input: true });
  const [[old], [slimmer], [event]] = [await older.receive(), await slim.receive(), await newer.receive()];
  assert.deepEqual(Object.keys(old ?? {}).sort(), [
    ...["email", "id", "presence", "server_timestamp", "type", "user_id"],
  ]);
  assert.deepEqual(Object.keys(slimmer ?? {}).sort(), [
    ...["id", "presence", "server_timestamp", "type", "user_id"],
  ]);
  assert.deepEqual(Object.keys(event ?? {}).sort(), ["id", "presences", "type"]);
  assert.deepEqual(Object.keys(event?.presences), [String(chat.member.id)]);
});

Deno.test("typing in channels is sent to clients that know it", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const older = await registerClient(chat, chat.owner, { event_types: ["typing"] });
  const client_capabilities = { stream_typing_notifications: true };
  const newer = await registerClient(chat, chat.owner, { event_types: ["typing"], client_capabilities });
  const params = { type: "stream", op: "start", stream_id: to, topic: "tea" };
  assert.equal((await chat.call(chat.member, "POST /typing", params)).status, 200);
  await chat.call(chat.member, "POST /typing", { type: "direct", op: "start", to: [chat.owner.id] });
  assert.deepEqual((await older.receive()).map(({ message_type }) => message_type), ["direct"]);
  assert.deepEqual((await newer.receive()).map(({ topic }) => topic), ["tea", undefined]);
});

Deno.test("clients that do not know deactivated groups receive deactivation as removal and reactivation as addition", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    ...{ name: "pruners", description: "", members: [] },
  });
  const older = await registerClient(chat, chat.member, { event_types: ["user_group"] });
  const client_capabilities = { include_deactivated_groups: true };
  const newer = await registerClient(chat, chat.member, { event_types: ["user_group"], client_capabilities });
  await chat.call(chat.owner, `POST /user_groups/${body.group_id}/deactivate`);
  const expected = { type: "user_group", group_id: body.group_id };
  assert.deepEqual(await older.receive(), [{ id: older.last, ...expected, op: "remove" }]);
  assert.deepEqual(await newer.receive(), [
    { id: newer.last, ...expected, op: "update", data: { deactivated: true } },
  ]);
  await chat.call(chat.owner, `PATCH /user_groups/${body.group_id}`, { description: "resting" });
  await chat.call(chat.owner, `POST /user_groups/${body.group_id}/members`, { add: [chat.guest.id] });
  assert.deepEqual(await older.receive(), [], "events of a group that the client no longer knows");
  assert.deepEqual((await newer.receive()).map(({ op }) => op), ["update", "add_members"]);
  const changes = { deactivated: false, name: "cutters" };
  assert.equal((await chat.call(chat.owner, `PATCH /user_groups/${body.group_id}`, changes)).status, 200);
  const [back, ...others] = await older.receive();
  assert.deepEqual([back?.op, back?.group.name, back?.group.id, others], [
    "add",
    "cutters",
    body.group_id,
    [],
  ]);
  assert.deepEqual((await newer.receive()).map(({ op, data }) => [op, data]), [["update", changes]]);
});

Deno.test("a client that requests all public channels receives messages of channels without a subscription", async () => {
  await using chat = await startChat();
  const [open, closed] = [
    await makeChannel(chat, "roses"),
    await makeChannel(chat, "secrets", { invite_only: true }),
  ];
  const event_types = ["message"];
  const all = await registerClient(chat, chat.admin, { event_types, all_public_streams: true });
  const own = await registerClient(chat, chat.admin, { event_types });
  await send(chat, chat.owner, { to: open, content: "for all" });
  await send(chat, chat.owner, { to: closed, content: "for few" });
  const received = await all.receive();
  assert.deepEqual([contentsIn(received), received[0]?.flags], [["for all"], ["read", "historical"]]);
  assert.deepEqual(await own.receive(), []);
});

Deno.test("a narrow filters messages, and no other events", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const narrow = [["stream", "roses"], { operator: "topic", operand: "tea", negated: true }];
  const client_capabilities = { user_settings_object: true };
  const client = await registerClient(chat, chat.member, { narrow, client_capabilities });
  const nowhere = await registerClient(chat, chat.member, {
    narrow: [["stream", "nowhere"]],
    client_capabilities,
  });
  await send(chat, chat.owner, { to, content: "one" });
  await send(chat, chat.owner, { to, topic: "tea", content: "two" });
  await sendDirect(chat, chat.owner, [chat.member], "three");
  await chat.call(chat.member, "PATCH /settings", { color_scheme: 2 });
  const received = await client.receive();
  assert.deepEqual([contentsIn(received), received.at(-1)?.type], [["one"], "user_settings"]);
  assert.deepEqual((await nowhere.receive()).map(({ type }) => type), ["user_settings"]);
});

Deno.test("guests receive no events about users that they cannot access", async () => {
  await using chat = await startChat();
  const event_types = ["realm_user", "presence", "user_status"];
  const can_access_all_users_group = { new: chat.realm.first_system_group_id + 5 };
  const { status, body } = await chat.call(chat.owner, "PATCH /realm", { can_access_all_users_group });
  assert.equal(status, 200, JSON.stringify(body));
  const [guest, member] = [
    await registerClient(chat, chat.guest, { event_types }),
    await registerClient(chat, chat.member, { event_types }),
  ];
  await chat.call(chat.member, "POST /users/me/presence", { status: "active", new_user_input: true });
  await chat.call(chat.member, "POST /users/me/status", { status_text: "away" });
  await chat.call(chat.guest, "PATCH /settings", { full_name: "Gustav" });
  assert.deepEqual((await guest.receive()).map(({ person }) => person?.full_name), ["Gustav"]);
  assert.deepEqual((await member.receive()).map(({ type }) => type), [
    "presence",
    "user_status",
    "realm_user",
  ]);
});

Deno.test("a user receives no more events of a private channel after they unsubscribed", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses", { invite_only: true });
  const event_types = ["message", "reaction"];
  const client = await registerClient(chat, chat.member, { event_types });
  const id = await send(chat, chat.owner, { to, content: "one" });
  const emoji = { emoji_name: "tada" };
  assert.equal((await chat.call(chat.owner, `POST /messages/${id}/reactions`, emoji)).status, 200);
  const [message, reaction] = await client.receive();
  assert.deepEqual([message?.message.content, reaction?.emoji_name], ["one", "tada"]);
  assert.deepEqual(reaction?.["user"], {
    user_id: chat.owner.id,
    email: chat.owner.email,
    full_name: "Owner",
    is_mirror_dummy: false,
  });
  await chat.call(chat.owner, "DELETE /users/me/subscriptions", {
    subscriptions: ["roses"],
    principals: [chat.member.id],
  });
  await send(chat, chat.owner, { to, content: "two" });
  await chat.call(chat.moderator, `POST /messages/${id}/reactions`, emoji);
  assert.deepEqual(await client.receive(), []);
});

Deno.test("the event of a custom emoji contains the current list", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.guest, { event_types: ["realm_emoji"] });
  const body = new FormData();
  body.append("file", file(PNG), "rose.png");
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const answer = await chat.request("/api/v1/realm/emoji/thorny_rose", { method: "POST", body, headers });
  assert.equal(answer.status, 200, await answer.text());
  const { emoji } = (await chat.call(chat.guest, "GET /realm/emoji")).body;
  assert.equal(Object.keys(emoji).length, 1);
  assert.deepEqual(await client.receive(), [
    { id: client.last, type: "realm_emoji", op: "update", realm_emoji: emoji },
  ]);
});
