import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  allowSpectators,
  createChannel,
  listChannelNames,
  readChannel,
  takeChannelEvents,
} from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess, setActive, systemGroup } from "@/tests/casts/user_groups_cast.ts";

// POST /channels/create

const CREATE = "POST /channels/create";

Deno.test("POST /channels/create creates a public channel with default properties (A103)", async () => {
  await using chat = await startChat();
  const answer = await chat.call(chat.member, CREATE, { name: "  dflt ", subscribers: [], zebra: 1 });
  const { id } = answer.body;
  assertSuccess(answer, { id, ignored_parameters_unsupported: ["zebra"] });
  const [everyone, nobody] = [systemGroup(chat, "role:everyone"), systemGroup(chat, "role:nobody")];
  assert.deepEqual(await readChannel(chat, id), {
    stream_id: id,
    name: "dflt",
    description: "",
    rendered_description: "",
    creator_id: chat.member.id,
    date_created: chat.clock.time / 1000,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    message_retention_days: null,
    first_message_id: null,
    folder_id: null,
    is_archived: false,
    is_recently_active: true,
    subscriber_count: 0,
    stream_weekly_traffic: null,
    topics_policy: "inherit",
    can_add_subscribers_group: nobody,
    can_administer_channel_group: { direct_members: [chat.member.id], direct_subgroups: [] },
    can_create_topic_group: everyone,
    can_delete_any_message_group: nobody,
    can_delete_own_message_group: nobody,
    can_move_messages_out_of_channel_group: nobody,
    can_move_messages_within_channel_group: nobody,
    can_remove_subscribers_group: systemGroup(chat, "role:administrators"),
    can_resolve_topics_group: nobody,
    can_send_message_group: everyone,
    can_subscribe_group: nobody,
    stream_post_policy: 1,
    is_announcement_only: false,
  });
});

Deno.test("POST /channels/create stores every parameter", async () => {
  await using chat = await startChat();
  const admins = systemGroup(chat, "role:administrators");
  const sent = {
    name: "wholly",
    description: 'a\nb <b> & "c"',
    subscribers: [chat.guest.id, chat.bot.id, chat.guest.id],
    announce: true,
    is_default_stream: true,
    topics_policy: '"disable_empty_topic"',
    history_public_to_subscribers: false,
    message_retention_days: 30,
    can_send_message_group: admins,
    can_delete_own_message_group: { direct_members: [chat.member.id], direct_subgroups: [] },
  };
  const channel = await readChannel(chat, await createChannel(chat, chat.owner, sent));
  assert.equal(channel.description, 'a b <b> & "c"');
  assert.equal(channel.rendered_description, '<p>a b &lt;b&gt; &amp; "c"</p>');
  assert.equal(channel.subscriber_count, 2);
  assert.equal(channel.topics_policy, "disable_empty_topic");
  // A public channel's history is public whatever was sent.
  assert.equal(channel.history_public_to_subscribers, true);
  assert.equal(channel.message_retention_days, 30);
  assert.deepEqual([channel.stream_post_policy, channel.is_announcement_only], [2, true]);
  assert.deepEqual(channel.can_delete_own_message_group, {
    direct_members: [chat.member.id],
    direct_subgroups: [],
  });
  const raw = await createChannel(chat, chat.owner, {
    topics_policy: "empty_topic_only",
    message_retention_days: "unlimited",
  });
  const { topics_policy, message_retention_days } = await readChannel(chat, raw);
  assert.deepEqual([topics_policy, message_retention_days], ["empty_topic_only", -1]);
});

Deno.test("POST /channels/create protects the history of private channels by default (A092)", async () => {
  await using chat = await startChat();
  const sent = { invite_only: true, subscribers: [chat.admin.id, chat.guest.id] };
  const closed = await readChannel(chat, await createChannel(chat, chat.member, sent));
  assert.deepEqual([closed.invite_only, closed.history_public_to_subscribers], [true, false]);
  assert.equal(closed.subscriber_count, 2);
  const shared = await createChannel(chat, chat.member, { ...sent, history_public_to_subscribers: true });
  assert.equal((await readChannel(chat, shared)).history_public_to_subscribers, true);
  // The creator is subscribed only if listed, but administers the channel.
  assertSuccess(await chat.call(chat.member, `PATCH /streams/${shared}`, { description: "mine" }));
});

Deno.test("POST /channels/create checks the presence and types of its parameters (A084, A085, A086)", async () => {
  await using chat = await startChat();
  const call = (sent: Record<string, unknown>) => chat.call(chat.member, CREATE, sent);
  for (const [sent, name] of [[{ subscribers: [] }, "name"], [{ name: "m2" }, "subscribers"]] as const) {
    const { status, body } = await call(sent);
    assert.deepEqual([status, body.code, body.msg, body.var_name], [
      400,
      "REQUEST_VARIABLE_MISSING",
      `Missing '${name}' argument`,
      name,
    ]);
  }
  const good = { name: "c", subscribers: [] };
  const refusals: [Record<string, unknown>, string][] = [
    [{ name: "   " }, "name cannot be blank"],
    [{ subscribers: "x" }, "subscribers is not valid JSON"],
    [{ subscribers: 5 }, "subscribers is not a list"],
    [{ subscribers: ["5"] }, "subscribers[0] is not an integer"],
    [{ description: "d".repeat(1025) }, "description is too long (limit: 1024 characters)"],
    [{ announce: 1 }, "announce is not a boolean"],
    [{ invite_only: "yes" }, "invite_only is not valid JSON"],
    [{ is_web_public: 0 }, "is_web_public is not a boolean"],
    [{ is_default_stream: 0 }, "is_default_stream is not a boolean"],
    [{ history_public_to_subscribers: 0 }, "history_public_to_subscribers is not a boolean"],
    [{ folder_id: '"5"' }, "folder_id is not an integer"],
    [{ topics_policy: "bogus" }, "Invalid topics_policy"],
    [{ topics_policy: '"bogus"' }, "Invalid topics_policy"],
    [{ can_send_message_group: '"5"' }, "can_send_message_group is not an integer"],
  ];
  for (const [sent, msg] of refusals) assertRefusal(await call({ ...good, ...sent }), msg);
  assert.deepEqual(await listChannelNames(chat), []);
});

Deno.test("POST /channels/create refuses invalid names (A104)", async () => {
  await using chat = await startChat();
  const call = (name: string) => chat.call(chat.member, CREATE, { name, subscribers: [] });
  const refusals = [
    ["bad\u0000name", "Invalid character in channel name, at position 4."],
    ["😀\u{1FFFE}", "Invalid character in channel name, at position 2."],
    ["a\u0085b", "Invalid character in channel name, at position 2."],
    ["x".repeat(61), "Channel name too long (limit: 60 characters)."],
  ] as const;
  for (const [name, msg] of refusals) assertRefusal(await call(name), msg);
  assert.equal((await call("😀".repeat(60))).status, 200);
});

Deno.test("POST /channels/create refuses a taken name in any letter case before it checks permissions", async () => {
  await using chat = await startChat();
  const secret = await createChannel(chat, chat.owner, { name: "Secret", invite_only: true });
  await createChannel(chat, chat.owner, { name: "Größe" });
  for (const [name, user] of [["sEcReT", chat.member], [" GRÖßE", chat.member]] as const) {
    const { status, body } = await chat.call(user, CREATE, { name, subscribers: [] });
    const taken = name.trim();
    assert.deepEqual([status, body], [409, {
      result: "error",
      msg: `Channel '${taken}' already exists`,
      code: "CHANNEL_ALREADY_EXISTS",
      channel_name: taken,
    }]);
  }
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${secret}`));
  const sent = { name: "secret", subscribers: [999999], is_default_stream: true, folder_id: 999999 };
  assert.equal((await chat.call(chat.member, CREATE, sent)).status, 409);
  // Another organization has its own names.
  assert.equal((await chat.call(chat.outsider, CREATE, { name: "secret", subscribers: [] })).status, 200);
});

Deno.test("POST /channels/create allows members with the permission, never guests (A089)", async () => {
  await using chat = await startChat();
  const call = (user: Parameters<typeof chat.call>[0], sent: object = {}) =>
    chat.call(user, CREATE, { name: crypto.randomUUID(), subscribers: [], ...sent });
  for (const caller of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
    assert.equal((await call(caller)).status, 200);
  }
  assertRefusal(await call(chat.guest), "Not allowed for guest users");
  assert.equal((await call(null)).status, 401);
  const moderators = { new: systemGroup(chat, "role:moderators") };
  await chat.call(chat.owner, "PATCH /realm", { can_create_public_channel_group: moderators });
  assertRefusal(await call(chat.member), "Insufficient permission");
  assert.equal((await call(chat.member, { invite_only: true })).status, 200);
  await chat.call(chat.owner, "PATCH /realm", { can_create_private_channel_group: moderators });
  assertRefusal(await call(chat.member, { invite_only: true }), "Insufficient permission");
  assert.equal((await call(chat.moderator, { invite_only: true })).status, 200);
});

Deno.test("POST /channels/create refuses properties that the caller may not set (A094, A095, A096, A098, A102)", async () => {
  await using chat = await startChat();
  const call = (user: typeof chat.member, sent: object) =>
    chat.call(user, CREATE, { name: "c", subscribers: [], ...sent });
  const members = systemGroup(chat, "role:members");
  const mayNot = "Insufficient permission";
  assertRefusal(await call(chat.member, { is_default_stream: true }), mayNot);
  const both = { is_default_stream: true, invite_only: true };
  assertRefusal(await call(chat.admin, both), "A default channel cannot be private.");
  assertRefusal(await call(chat.member, both), mayNot);
  assertRefusal(await call(chat.member, { folder_id: 99999 }), "Invalid channel folder ID");
  assertRefusal(await call(chat.member, { can_delete_any_message_group: members }), mayNot);
  assertRefusal(await call(chat.member, { can_delete_own_message_group: members }), mayNot);
  const nobody = systemGroup(chat, "role:nobody");
  const owner = "Must be an organization owner";
  assertRefusal(await call(chat.member, { message_retention_days: 10 }), owner, "UNAUTHORIZED_PRINCIPAL");
  assertRefusal(
    await call(chat.admin, { message_retention_days: "unlimited" }),
    owner,
    "UNAUTHORIZED_PRINCIPAL",
  );
  await chat.call(chat.owner, "PATCH /realm", { can_set_topics_policy_group: { new: nobody } });
  assertRefusal(await call(chat.owner, { topics_policy: "allow_empty_topic" }), mayNot);
  const bad = await call(chat.member, { message_retention_days: 0 });
  assert.deepEqual([bad.body.code, bad.body.msg, bad.body.var_name, bad.body.bad_value], [
    "REQUEST_VARIABLE_INVALID",
    "Bad value for 'message_retention_days': 0",
    "message_retention_days",
    0,
  ]);
  assert.deepEqual(await listChannelNames(chat), []);
  const inherits = { topics_policy: "inherit", can_delete_any_message_group: nobody };
  assert.equal(
    (await call(chat.member, { ...inherits, message_retention_days: "realm_default" })).status,
    200,
  );
});

Deno.test("POST /channels/create creates web-public channels if server, organization and permissions allow it (A097)", async () => {
  const web = { name: "web1", subscribers: [], is_web_public: true };
  const off = "Web-public channels are not enabled.";
  {
    await using chat = await startChat({ env: { WEB_PUBLIC_STREAMS_ENABLED: "false" } });
    await allowSpectators(chat);
    assertRefusal(await chat.call(chat.owner, CREATE, web), off);
  }
  await using chat = await startChat({ env: { WEB_PUBLIC_STREAMS_ENABLED: "true" } });
  assertRefusal(await chat.call(chat.owner, CREATE, web), off);
  await allowSpectators(chat);
  assertRefusal(await chat.call(chat.admin, CREATE, web), "Insufficient permission");
  assertRefusal(await chat.call(chat.owner, CREATE, { ...web, invite_only: true }), "Invalid parameters");
  const { is_web_public } = await readChannel(chat, await createChannel(chat, chat.owner, web));
  assert.equal(is_web_public, true);
});

Deno.test("POST /channels/create checks the values of a new channel's permissions", async () => {
  await using chat = await startChat();
  const call = (sent: object) => chat.call(chat.owner, CREATE, { name: "c", subscribers: [], ...sent });
  const [members, everyone] = [systemGroup(chat, "role:members"), systemGroup(chat, "role:everyone")];
  const private_ = { invite_only: true, can_create_topic_group: members };
  const { body } = await call(private_);
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  assert.deepEqual([body.code, body.msg, body.parameters], [
    "BAD_REQUEST",
    `Unsupported parameter combination: ${parameters}`,
    parameters,
  ]);
  const refused = "'can_administer_channel_group' setting cannot be set to 'role:everyone' group.";
  assertRefusal(await call({ can_administer_channel_group: everyone }), refused);
  assertRefusal(await call({ can_send_message_group: 999999 }), "Invalid user group");
  const nobody = { direct_members: [999999], direct_subgroups: [] };
  assertRefusal(await call({ can_subscribe_group: nobody }), "Invalid user ID: 999999");
  const many = Array.from({ length: 1001 }, (_, at) => at);
  assertRefusal(
    await call({ can_subscribe_group: { direct_members: many, direct_subgroups: [] } }),
    "A setting can name 1000 users at most.",
  );
  assert.deepEqual(await listChannelNames(chat), []);
  assert.equal((await call({ ...private_, history_public_to_subscribers: true })).status, 200);
});

Deno.test("POST /channels/create creates nothing if a subscriber is unknown or deactivated (A091)", async () => {
  await using chat = await startChat();
  await setActive(chat, chat.moderator, false);
  await takeChannelEvents(chat);
  const call = (subscribers: number[]) => chat.call(chat.member, CREATE, { name: "badsub", subscribers });
  assertRefusal(await call([chat.guest.id, 999999, chat.moderator.id]), "No such user");
  assertRefusal(await call([chat.moderator.id, 999999]), "User is deactivated");
  assertRefusal(await call([chat.outsider.id]), "No such user");
  assert.deepEqual(await listChannelNames(chat), []);
  assert.deepEqual(await takeChannelEvents(chat), []);
});
