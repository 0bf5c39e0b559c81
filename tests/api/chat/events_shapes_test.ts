// What GET /events tells, by the client that asks.
import assert from "node:assert/strict";
import { basic, startChat } from "@/tests/helpers/chat.ts";
import { contentsIn, listen } from "./events_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

Deno.test("an edited message is told with what it says and said", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const id = await send(chat, chat.member, { to, content: "*old*" });
  const client = await listen(chat, chat.moderator, { event_types: ["update_message"] });
  await chat.call(chat.member, `PATCH /messages/${id}`, { content: "**new**" });
  const [event, ...others] = await client.hear();
  assert.deepEqual([event, others], [{
    id: client.last,
    type: "update_message",
    user_id: chat.member.id,
    edit_timestamp: chat.clock.time / 1000,
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    stream_id: to,
    content: "**new**",
    rendered_content: "<p><strong>new</strong></p>",
    orig_content: "*old*",
    orig_rendered_content: "<p><em>old</em></p>",
    is_me_message: false,
    flags: [],
  }, []]);
});

Deno.test("a moved message is told with its topics, as the client names the empty one", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const id = await send(chat, chat.member, { to, topic: "", content: "one" });
  const event_types = ["update_message"];
  const older = await listen(chat, chat.moderator, { event_types });
  const client_capabilities = { empty_topic_name: true };
  const newer = await listen(chat, chat.moderator, { event_types, client_capabilities });
  const { status } = await chat.call(chat.owner, `PATCH /messages/${id}`, { topic: "tea" });
  assert.equal(status, 200);
  const [[old], [event]] = [await older.hear(), await newer.hear()];
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
    orig_subject: "",
    subject: "tea",
    topic_links: [],
    flags: [],
  });
  assert.deepEqual(old, { ...event, orig_subject: "general chat" });
});

Deno.test("a removed message is told in the form that the client takes", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const id = await send(chat, chat.member, { to, content: "one" });
  const event_types = ["delete_message"];
  const older = await listen(chat, chat.member, { event_types });
  const client_capabilities = { bulk_message_deletion: true };
  const newer = await listen(chat, chat.member, { event_types, client_capabilities });
  await chat.call(chat.owner, `DELETE /messages/${id}`);
  const told = { type: "delete_message", message_type: "stream", stream_id: to, topic: "plans" };
  assert.deepEqual(await older.hear(), [{ ...told, id: older.last, message_id: id }]);
  assert.deepEqual(await newer.hear(), [{ ...told, id: newer.last, message_ids: [id] }]);
});

Deno.test("what was marked as read is told by its ids, in a topic, a channel, everywhere and by sender", async () => {
  await using chat = await startChat();
  const [to, other] = [await makeChannel(chat, "roses"), await makeChannel(chat, "tulips")];
  const tea = await send(chat, chat.owner, { to, topic: "tea", content: "one" });
  const plans = await send(chat, chat.owner, { to, content: "two" });
  await send(chat, chat.owner, { to: other, topic: "tea", content: "three" });
  await sendDirect(chat, chat.owner, [chat.admin], "not for the member");
  const client = await listen(chat, chat.member, { event_types: ["update_message_flags"] });
  const told = async () => {
    const events = await client.hear();
    return events.map(({ id: _, type, op, operation, flag, ...rest }) => {
      assert.deepEqual([type, op, operation, flag], ["update_message_flags", "add", "add", "read"]);
      return rest;
    });
  };
  await chat.call(chat.member, "POST /mark_topic_as_read", { stream_id: to, topic_name: "tea" });
  assert.deepEqual(await told(), [{ messages: [tea], all: false }]);
  await chat.call(chat.member, "POST /mark_stream_as_read", { stream_id: to });
  const [inChannel] = await told();
  assert.deepEqual(inChannel?.messages.slice(-2), [tea, plans]);
  await chat.call(chat.member, "POST /mark_all_as_read");
  assert.deepEqual(await told(), [{ messages: [], all: true }]);
  await chat.call(chat.member, `POST /users/me/muted_users/${chat.owner.id}`);
  const [bySender] = await told();
  assert.deepEqual(bySender?.messages, [tea, plans, plans + 1]);
});

Deno.test("what is no longer read is told with where it is", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const inTopic = await send(chat, chat.owner, { to, content: "one, @**Member**" });
  const direct = await sendDirect(chat, chat.owner, [chat.member], "two");
  await chat.call(chat.member, "POST /mark_all_as_read");
  const client = await listen(chat, chat.member, { event_types: ["update_message_flags"] });
  const messages = [inTopic, direct];
  await chat.call(chat.member, "POST /messages/flags", { messages, op: "remove", flag: "read" });
  assert.deepEqual(await client.hear(), [{
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

Deno.test("presence is told in the form that the client takes", async () => {
  await using chat = await startChat();
  const event_types = ["presence"];
  const older = await listen(chat, chat.owner, { event_types });
  const slim = await listen(chat, chat.owner, { event_types, slim_presence: true });
  const client_capabilities = { simplified_presence_events: true };
  const newer = await listen(chat, chat.owner, { event_types, client_capabilities });
  await chat.call(chat.member, "POST /users/me/presence", { status: "active", new_user_input: true });
  const [[old], [slimmer], [event]] = [await older.hear(), await slim.hear(), await newer.hear()];
  assert.deepEqual(Object.keys(old ?? {}).sort(), [
    ...["email", "id", "presence", "server_timestamp", "type", "user_id"],
  ]);
  assert.deepEqual(Object.keys(slimmer ?? {}).sort(), [
    ...["id", "presence", "server_timestamp", "type", "user_id"],
  ]);
  assert.deepEqual(Object.keys(event ?? {}).sort(), ["id", "presences", "type"]);
  assert.deepEqual(Object.keys(event?.presences), [String(chat.member.id)]);
});

Deno.test("who is writing in a channel is told to clients that know of that", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const older = await listen(chat, chat.owner, { event_types: ["typing"] });
  const client_capabilities = { stream_typing_notifications: true };
  const newer = await listen(chat, chat.owner, { event_types: ["typing"], client_capabilities });
  const params = { type: "stream", op: "start", stream_id: to, topic: "tea" };
  assert.equal((await chat.call(chat.member, "POST /typing", params)).status, 200);
  await chat.call(chat.member, "POST /typing", { type: "direct", op: "start", to: [chat.owner.id] });
  assert.deepEqual((await older.hear()).map(({ message_type }) => message_type), ["direct"]);
  assert.deepEqual((await newer.hear()).map(({ topic }) => topic), ["tea", undefined]);
});

Deno.test("a deactivated group is gone for clients that know of none, and new when it comes back", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    ...{ name: "pruners", description: "", members: [] },
  });
  const older = await listen(chat, chat.member, { event_types: ["user_group"] });
  const client_capabilities = { include_deactivated_groups: true };
  const newer = await listen(chat, chat.member, { event_types: ["user_group"], client_capabilities });
  await chat.call(chat.owner, `POST /user_groups/${body.group_id}/deactivate`);
  const told = { type: "user_group", group_id: body.group_id };
  assert.deepEqual(await older.hear(), [{ id: older.last, ...told, op: "remove" }]);
  assert.deepEqual(await newer.hear(), [
    { id: newer.last, ...told, op: "update", data: { deactivated: true } },
  ]);
  const changes = { deactivated: false, name: "cutters" };
  assert.equal((await chat.call(chat.owner, `PATCH /user_groups/${body.group_id}`, changes)).status, 200);
  const [back, ...others] = await older.hear();
  assert.deepEqual([back?.op, back?.group.name, back?.group.id, others], [
    "add",
    "cutters",
    body.group_id,
    [],
  ]);
  assert.deepEqual((await newer.hear()).map(({ op, data }) => [op, data]), [["update", changes]]);
});

Deno.test("a client that wants all public channels is told of what was not sent to it", async () => {
  await using chat = await startChat();
  const [open, closed] = [
    await makeChannel(chat, "roses"),
    await makeChannel(chat, "secrets", { invite_only: true }),
  ];
  const event_types = ["message"];
  const all = await listen(chat, chat.admin, { event_types, all_public_streams: true });
  const own = await listen(chat, chat.admin, { event_types });
  await send(chat, chat.owner, { to: open, content: "for all" });
  await send(chat, chat.owner, { to: closed, content: "for few" });
  const heard = await all.hear();
  assert.deepEqual([contentsIn(heard), heard[0]?.flags], [["for all"], ["read", "historical"]]);
  assert.deepEqual(await own.hear(), []);
});

Deno.test("a narrow leaves the messages that satisfy it, and everything that is no message", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const narrow = [["stream", "roses"], { operator: "topic", operand: "tea", negated: true }];
  const client_capabilities = { user_settings_object: true };
  const client = await listen(chat, chat.member, { narrow, client_capabilities });
  const nowhere = await listen(chat, chat.member, { narrow: [["stream", "nowhere"]], client_capabilities });
  await send(chat, chat.owner, { to, content: "one" });
  await send(chat, chat.owner, { to, topic: "tea", content: "two" });
  await sendDirect(chat, chat.owner, [chat.member], "three");
  await chat.call(chat.member, "PATCH /settings", { color_scheme: 2 });
  const heard = await client.hear();
  assert.deepEqual([contentsIn(heard), heard.at(-1)?.type], [["one"], "user_settings"]);
  assert.deepEqual((await nowhere.hear()).map(({ type }) => type), ["user_settings"]);
});

Deno.test("guests who may not know of everybody are told nothing about them", async () => {
  await using chat = await startChat();
  const event_types = ["realm_user", "presence", "user_status"];
  const can_access_all_users_group = { new: chat.realm.first_system_group_id + 5 };
  const { status, body } = await chat.call(chat.owner, "PATCH /realm", { can_access_all_users_group });
  assert.equal(status, 200, JSON.stringify(body));
  const [guest, member] = [
    await listen(chat, chat.guest, { event_types }),
    await listen(chat, chat.member, { event_types }),
  ];
  await chat.call(chat.member, "POST /users/me/presence", { status: "active", new_user_input: true });
  await chat.call(chat.member, "POST /users/me/status", { status_text: "away" });
  await chat.call(chat.guest, "PATCH /settings", { full_name: "Gustav" });
  assert.deepEqual((await guest.hear()).map(({ person }) => person?.full_name), ["Gustav"]);
  assert.deepEqual((await member.hear()).map(({ type }) => type), ["presence", "user_status", "realm_user"]);
});

Deno.test("who is subscribed no longer is told nothing more of a private channel", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses", { invite_only: true });
  const event_types = ["message", "reaction"];
  const client = await listen(chat, chat.member, { event_types });
  const id = await send(chat, chat.owner, { to, content: "one" });
  const emoji = { emoji_name: "tada" };
  assert.equal((await chat.call(chat.owner, `POST /messages/${id}/reactions`, emoji)).status, 200);
  const [message, reaction] = await client.hear();
  assert.deepEqual([message?.message.content, reaction?.emoji_name], ["one", "tada"]);
  await chat.call(chat.owner, "DELETE /users/me/subscriptions", {
    subscriptions: ["roses"],
    principals: [chat.member.id],
  });
  await send(chat, chat.owner, { to, content: "two" });
  await chat.call(chat.moderator, `POST /messages/${id}/reactions`, emoji);
  assert.deepEqual(await client.hear(), []);
});

Deno.test("custom emoji are told as the list that they are now", async () => {
  await using chat = await startChat();
  const client = await listen(chat, chat.guest, { event_types: ["realm_emoji"] });
  const body = new FormData();
  const png = new Uint8Array(200);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  body.append("file", new Blob([png]), "rose.png");
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const answer = await chat.request("/api/v1/realm/emoji/thorny_rose", { method: "POST", body, headers });
  assert.equal(answer.status, 200, await answer.text());
  const { emoji } = (await chat.call(chat.guest, "GET /realm/emoji")).body;
  assert.equal(Object.keys(emoji).length, 1);
  assert.deepEqual(await client.hear(), [
    { id: client.last, type: "realm_emoji", op: "update", realm_emoji: emoji },
  ]);
});
