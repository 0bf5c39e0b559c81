import assert from "node:assert/strict";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  allowInRealm,
  createChannel,
  INVALID_CHANNEL,
  listChannelNames,
  readChannel,
  takeChannelEvents,
} from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess, makeGroup, systemGroup } from "@/tests/casts/user_groups_cast.ts";

// PATCH /streams/{stream_id}

Deno.test("PATCH /streams/{stream_id} lets the creator update their channel, and sends the events (A056, A064)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, { name: "old", subscribers: [chat.guest.id] });
  await takeChannelEvents(chat);
  const sent = { description: "a\nb\r\nc", new_name: " new ", zebra: 1 };
  const answer = await chat.call(chat.member, `PATCH /streams/${id}`, sent);
  assertSuccess(answer, { ignored_parameters_unsupported: ["zebra"] });
  const { name, description, rendered_description } = await readChannel(chat, id);
  assert.deepEqual([name, description, rendered_description], ["new", "a b c", "<p>a b c</p>"]);
  const about = { type: "stream", op: "update", stream_id: id, name: "old" };
  const named = { ...about, property: "name", value: "new" };
  const described = {
    ...about,
    property: "description",
    value: "a b c",
    rendered_description: "<p>a b c</p>",
  };
  assert.deepEqual(await takeChannelEvents(chat), [
    { event: named, audience: "members" },
    { event: named, audience: [chat.guest.id] },
    { event: described, audience: "members" },
    { event: described, audience: [chat.guest.id] },
  ]);
  // The old name is free again; without changes or parameters, there is no event.
  await createChannel(chat, chat.member, { name: "OLD" });
  await takeChannelEvents(chat);
  assertSuccess(await chat.call(chat.member, `PATCH /streams/${id}`, { description: "a b c" }));
  assertSuccess(await chat.call(chat.member, `PATCH /streams/${id}`));
  assert.deepEqual(await takeChannelEvents(chat), []);
});

Deno.test("PATCH /streams/{stream_id} checks its parameters before the channel (A049)", async () => {
  await using chat = await startChat();
  for (const id of [999999, "99999999999999999999"]) {
    assertRefusal(await chat.call(chat.admin, `PATCH /streams/${id}`, { description: "x" }), INVALID_CHANNEL);
  }
  const call = (sent: object) => chat.call(chat.admin, "PATCH /streams/999999", { ...sent });
  const refusals: [object, string][] = [
    [{ description: "d".repeat(1025) }, "description is too long (limit: 1024 characters)"],
    [{ is_private: 1 }, "is_private is not a boolean"],
    [{ is_web_public: "True" }, "is_web_public is not valid JSON"],
    [{ history_public_to_subscribers: 1 }, "history_public_to_subscribers is not a boolean"],
    [{ is_default_stream: 1 }, "is_default_stream is not a boolean"],
    [{ is_archived: 1 }, "is_archived is not a boolean"],
    [{ folder_id: '"1"' }, "folder_id is not an integer"],
    [{ topics_policy: "bogus" }, "Invalid topics_policy"],
    [{ can_send_message_group: 5 }, "can_send_message_group is not a dict"],
    [{ can_send_message_group: {} }, 'can_send_message_group["new"] field is missing: Field required'],
  ];
  for (const [sent, msg] of refusals) assertRefusal(await call(sent), msg);
  for (const path of ["/streams/abc", "/streams/-1"]) {
    assert.equal((await chat.call(chat.admin, `PATCH ${path}`, { description: "x" })).status, 404);
  }
  assert.equal((await chat.call(chat.admin, "POST /streams/1")).status, 405);
  assert.equal((await chat.call(null, "PATCH /streams/1")).status, 401);
});

Deno.test("PATCH /streams/{stream_id} refuses bad, same and taken names (A058, A061, A062)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner, { name: "alpha" });
  const gone = await createChannel(chat, chat.owner, { name: "Gone", invite_only: true });
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${gone}`));
  const call = (new_name: string) =>
    chat.call(chat.admin, `PATCH /streams/${id}`, { description: "changed", new_name });
  const refusals = [
    [" alpha ", "Channel already has that name."],
    ["x".repeat(61), "Channel name too long (limit: 60 characters)."],
    ["  ", "Channel name can't be empty."],
    ["a\u0007", "Invalid character in channel name, at position 2."],
  ] as const;
  for (const [name, msg] of refusals) assertRefusal(await call(name), msg);
  const { status, body } = await call("gone");
  assert.deepEqual([status, body.code, body.msg, body.channel_name], [
    409,
    "CHANNEL_ALREADY_EXISTS",
    "Channel 'gone' already exists",
    "gone",
  ]);
  // An error rolls everything back.
  assert.equal((await readChannel(chat, id)).description, "");
  assertSuccess(await call("ALPHA"));
  assert.deepEqual(await listChannelNames(chat), ["ALPHA", "Gone"]);
  const twin = await chat.call(chat.member, "POST /channels/create", { name: "alpha", subscribers: [] });
  assert.equal(twin.status, 409);
});

Deno.test("PATCH /streams/{stream_id} moves channels between folders (A075, A076)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member);
  const folder = await chat.call(chat.admin, "POST /channel_folders/create", { name: "F", description: "" });
  const folder_id: number = folder.body.channel_folder_id;
  const call = (folder: unknown) => chat.call(chat.member, `PATCH /streams/${id}`, { folder_id: folder });
  assertRefusal(await call(999999), "Invalid channel folder ID");
  await takeChannelEvents(chat);
  assertSuccess(await call(folder_id));
  assert.equal((await readChannel(chat, id)).folder_id, folder_id);
  const event = {
    ...{ type: "stream", op: "update", stream_id: id, name: (await readChannel(chat, id)).name },
    ...{ property: "folder_id", value: folder_id },
  };
  assert.deepEqual(await takeChannelEvents(chat), [{ event, audience: "members" }]);
  const archive = () => chat.call(chat.admin, `PATCH /channel_folders/${folder_id}`, { is_archived: true });
  const full = "You need to remove all the channels from this folder to archive it.";
  assertRefusal(await archive(), full);
  assertSuccess(await call(null));
  assert.equal((await readChannel(chat, id)).folder_id, null);
  assertSuccess(await archive());
  assertRefusal(await call(folder_id), "Invalid channel folder ID");
  const refused = await chat.call(chat.member, "POST /channels/create", {
    name: "c",
    subscribers: [],
    folder_id,
  });
  assertRefusal(refused, "Invalid channel folder ID");
});

Deno.test("PATCH /streams/{stream_id} lets only owners change the retention (A071)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.admin);
  const call = (days: unknown, user = chat.owner) =>
    chat.call(user, `PATCH /streams/${id}`, { message_retention_days: days });
  const mustOwn = "Must be an organization owner";
  // Everyone but owners is refused before the value is checked.
  assertRefusal(await call(-5, chat.admin), mustOwn, "UNAUTHORIZED_PRINCIPAL");
  for (const bad of [-5, 0, "-5", "forever", '"5"', "true", ""]) {
    const { status, body } = await call(bad);
    const shown = typeof bad === "string" ? bad.replaceAll('"', "") : bad;
    assert.deepEqual([status, body.code, body.var_name, String(body.bad_value)], [
      400,
      "REQUEST_VARIABLE_INVALID",
      "message_retention_days",
      String(shown),
    ]);
    assert.equal(body.msg, `Bad value for 'message_retention_days': ${shown}`);
  }
  assertRefusal(await call(4.5), "message_retention_days is not an integer");
  for (const [sent, kept] of [[7, 7], ["unlimited", -1], ['"realm_default"', null], ['"unlimited"', -1]]) {
    assertSuccess(await call(sent));
    assert.equal((await readChannel(chat, id)).message_retention_days, kept);
  }
});

Deno.test("PATCH /streams/{stream_id} sets the topics policy, raw or as JSON (A077, A078)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member);
  const call = (topics_policy: string, user = chat.member) =>
    chat.call(user, `PATCH /streams/${id}`, { topics_policy });
  for (const policy of ["empty_topic_only", "allow_empty_topic", '"disable_empty_topic"', "inherit"]) {
    assertSuccess(await call(policy));
    assert.equal((await readChannel(chat, id)).topics_policy, policy.replaceAll('"', ""));
  }
  assertRefusal(await call("bogus"), "Invalid topics_policy");
  assertSuccess(await call("inherit"));
  await chat.services.store.kv.atomic().sum(channelKeys.namedTopicCount(chat.realm.id, id), 1n).commit();
  const { body } = await call("empty_topic_only");
  assert.deepEqual([body.code, body.empty_topic_display_name, body.msg], [
    "BAD_REQUEST",
    "general chat",
    "To enable this configuration, all messages in this channel must be in the general chat topic. " +
    "Consider renaming or deleting other topics.",
  ]);
  assert.equal((await readChannel(chat, id)).topics_policy, "inherit");
  await allowInRealm(chat, "can_set_topics_policy_group", systemGroup(chat, "role:moderators"));
  assertRefusal(await call("allow_empty_topic"), "Insufficient permission");
  assertSuccess(await call("inherit"));
  assertSuccess(await call("allow_empty_topic", chat.admin));
});

Deno.test("PATCH /streams/{stream_id} lets only administrators change default channels (A069)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member);
  const call = (user: typeof chat.member, isDefault: boolean) =>
    chat.call(user, `PATCH /streams/${id}`, { is_default_stream: isDefault });
  const refusal = "You do not have permission to change default channels.";
  assertRefusal(await call(chat.member, true), refusal);
  assertRefusal(await call(chat.member, false), refusal);
  await takeChannelEvents(chat);
  assertSuccess(await call(chat.admin, true));
  assertSuccess(await call(chat.admin, true));
  const toEvent = (ids: number[]) => ({
    event: { type: "default_streams", default_streams: ids },
    audience: "members",
  });
  assert.deepEqual(await takeChannelEvents(chat), [toEvent([id])]);
  assertSuccess(await call(chat.admin, false));
  assert.deepEqual(await takeChannelEvents(chat), [toEvent([])]);
});

Deno.test("PATCH /streams/{stream_id} changes nothing and sends no event if its last check fails", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner);
  const before = await readChannel(chat, id);
  await takeChannelEvents(chat);
  const sent = {
    is_private: false,
    topics_policy: "disable_empty_topic",
    is_default_stream: true,
    message_retention_days: 9,
    description: "d",
    new_name: "n",
    can_send_message_group: { new: systemGroup(chat, "role:members") },
    can_subscribe_group: { new: systemGroup(chat, "role:everyone") },
  };
  assert.equal((await chat.call(chat.owner, `PATCH /streams/${id}`, sent)).status, 400);
  assert.deepEqual(await readChannel(chat, id), before);
  assert.deepEqual(await takeChannelEvents(chat), []);
  const { body } = await chat.call(chat.owner, "GET /streams", { include_default: true });
  assert.deepEqual(body.streams, [{ ...before, is_default: false }]);
  await createChannel(chat, chat.owner, { name: "n" });
});

Deno.test("PATCH /streams/{stream_id} changes permissions by update objects (A081, A082)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member);
  const call = (sent: object, user = chat.admin) => chat.call(user, `PATCH /streams/${id}`, { ...sent });
  const [everyone, members] = [systemGroup(chat, "role:everyone"), systemGroup(chat, "role:members")];
  const internet = systemGroup(chat, "role:internet");
  assertRefusal(
    await call({ can_administer_channel_group: { new: everyone } }),
    "'can_administer_channel_group' setting cannot be set to 'role:everyone' group.",
  );
  assertRefusal(
    await call({ can_send_message_group: { new: internet } }),
    "'can_send_message_group' setting cannot be set to 'role:internet' group.",
  );
  const stale = { can_send_message_group: { new: members, old: members } };
  assertRefusal(await call(stale), "'old' value does not match the expected value.", "EXPECTATION_MISMATCH");
  await takeChannelEvents(chat);
  assertSuccess(await call({ can_send_message_group: { new: members, old: everyone } }));
  const channel = await readChannel(chat, id);
  assert.equal(channel.can_send_message_group, members);
  const event = { type: "stream", op: "update", stream_id: id, name: channel.name };
  const update = { ...event, property: "can_send_message_group", value: members };
  assert.deepEqual(await takeChannelEvents(chat), [{ event: update, audience: "members" }]);
  const owners = systemGroup(chat, "role:owners");
  assertSuccess(await call({ can_send_message_group: { new: owners } }));
  assert.deepEqual((await takeChannelEvents(chat)).map(({ event }) => [event["property"], event["value"]]), [
    ["can_send_message_group", owners],
    ["stream_post_policy", 2],
    ["is_announcement_only", true],
  ]);
  const delete_ = { can_delete_own_message_group: { new: everyone } };
  assertRefusal(await call(delete_, chat.member), "Insufficient permission");
  assertSuccess(await call(delete_));
});

Deno.test("PATCH /streams/{stream_id} records the groups that an unarchived channel uses", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner);
  const group = await makeGroup(chat, chat.owner);
  const senders = { new: { direct_members: [], direct_subgroups: [group] } };
  assertSuccess(await chat.call(chat.owner, `PATCH /streams/${id}`, { can_send_message_group: senders }));
  const end = () => chat.call(chat.owner, `POST /user_groups/${group}/deactivate`);
  assert.deepEqual((await end()).body.objections, [
    { type: "channel", channel_id: id, settings: ["can_send_message_group"] },
  ]);
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  // While it is archived, its permissions do not count as uses of groups.
  const both = { can_send_message_group: { new: chat.realm.first_system_group_id } };
  assertSuccess(await chat.call(chat.owner, `PATCH /streams/${id}`, both));
  assertSuccess(await chat.call(chat.owner, `PATCH /streams/${id}`, { can_send_message_group: senders }));
  assertSuccess(await chat.call(chat.owner, `PATCH /streams/${id}`, { is_archived: false }));
  assert.equal((await end()).body.code, "CANNOT_DEACTIVATE_GROUP_IN_USE");
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${id}`));
  assertSuccess(await end());
});
