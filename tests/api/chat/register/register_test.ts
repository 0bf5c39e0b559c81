// POST /register
import assert from "node:assert/strict";
import { registerSchema } from "@/lib/chat/register/register.ts";
import { isRequested } from "@/lib/chat/register/model.ts";
import { STATE_PARTS } from "@/lib/chat/register/parts.ts";
import { queueKeys, type QueueRecord } from "@/lib/chat/register/events/queues.ts";
import { readRecord } from "@/lib/store/key.ts";
import { type ApiResponse, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const ALWAYS = [
  "event_queue_longpoll_timeout_seconds",
  "last_event_id",
  "msg",
  "queue_id",
  "result",
  "service_feature_level",
  "service_merge_base",
  "service_version",
];

function register(chat: TestChat, user: TestUser | null, params = {}): Promise<ApiResponse> {
  return chat.call(user, "POST /register", params);
}

async function readQueue(chat: TestChat, { body }: ApiResponse): Promise<QueueRecord> {
  const { kv } = chat.services.store;
  const queue = await readRecord<QueueRecord>(kv, queueKeys.queue(chat.realm.id, body.queue_id));
  assert.ok(queue !== null);
  return queue;
}

Deno.test("POST /register returns every part, as documented", async () => {
  await using chat = await startChat();
  const { status, body } = await register(chat, chat.member);
  assert.equal(status, 200, JSON.stringify(body));
  const { result, msg, ...fields } = body;
  assert.deepEqual([result, msg], ["success", ""]);
  registerSchema.strict().required().parse(fields);
  assert.deepEqual(Object.keys(fields).sort(), Object.keys(registerSchema.shape).sort());
  assert.deepEqual([fields.last_event_id, fields.max_message_id], [-1, -1]);
  assert.deepEqual([fields.service_feature_level, fields.service_merge_base], [500, ""]);
  assert.equal(fields.server_timestamp, chat.clock.time / 1000);
  assert.equal(fields.event_queue_longpoll_timeout_seconds, 90);
});

Deno.test("POST /register requires an account", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  for (const user of [owner, admin, moderator, member, guest, bot, outsider]) {
    const { status, body } = await register(chat, user);
    assert.deepEqual([status, body.user_id, body.email], [200, user.id, user.email]);
    assert.equal(body.realm_name, user === outsider ? "Others" : "Gardeners");
  }
  const { status, body } = await register(chat, null);
  assert.deepEqual([status, body.code], [401, "UNAUTHORIZED"]);
});

Deno.test("POST /register returns the limits, the permissions and the name of the empty topic", async () => {
  await using chat = await startChat({ env: { UPLOAD_MAX_MIB: "7" } });
  const { body } = await register(chat, chat.guest, { fetch_event_types: ["realm"] });
  const limits = Object.entries(body).filter(([name]) => name.startsWith("max_"));
  assert.deepEqual(Object.fromEntries(limits), {
    max_stream_name_length: 60,
    max_stream_description_length: 1024,
    max_topic_length: 60,
    max_message_length: 10_000,
    max_channel_folder_name_length: 60,
    max_channel_folder_description_length: 1024,
    max_file_upload_size_mib: 7,
    max_icon_file_size_mib: 5,
    max_logo_file_size_mib: 0,
    max_bulk_new_subscription_messages: 50,
  });
  const { password_min_length, password_max_length, password_min_guesses } = body;
  assert.deepEqual([password_min_length, password_max_length, password_min_guesses], [8, 1000, 1e8]);
  assert.deepEqual([body.server_name_changes_disabled, body.server_avatar_changes_disabled], [false, false]);
  assert.equal(body.realm_empty_topic_display_name, "general chat");
  assert.deepEqual([body.realm_url, body.realm_uri], ["http://localhost:8000", "http://localhost:8000"]);
  const first = chat.realm.first_system_group_id;
  assert.deepEqual([body.realm_can_manage_all_groups, body.realm_can_invite_users_group], [
    first + 1,
    first + 5,
  ]);
  const { realm, stream, group } = body.server_supported_permission_settings;
  assert.equal(realm.can_access_all_users_group.require_system_group, true);
  assert.deepEqual(realm.can_access_all_users_group.allowed_system_groups, ["role:everyone", "role:members"]);
  assert.equal(stream.can_administer_channel_group.default_group_name, "channel_creator");
  assert.deepEqual(group.can_join_group, {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: "role:nobody",
    allowed_system_groups: [],
  });
  assert.deepEqual(
    [body.server_presence_ping_interval_seconds, body.server_presence_offline_threshold_seconds],
    [60, 200],
  );
});

Deno.test("POST /register returns the caller's role and rights", async () => {
  await using chat = await startChat();
  const own = async (user: TestUser) => {
    const { body } = await register(chat, user, { fetch_event_types: ["realm_user"] });
    return [
      [body.is_owner, body.is_admin, body.is_moderator, body.is_guest],
      [body.can_create_public_streams, body.can_create_private_streams, body.can_create_web_public_streams],
      [body.can_create_streams, body.can_subscribe_other_users, body.can_invite_others_to_realm],
    ];
  };
  const most = [true, true, true];
  const some = [true, true, false];
  const none = [false, false, false];
  assert.deepEqual(await own(chat.owner), [[true, true, false, false], most, most]);
  assert.deepEqual(await own(chat.admin), [[false, true, false, false], some, most]);
  assert.deepEqual(await own(chat.moderator), [[false, false, true, false], some, most]);
  assert.deepEqual(await own(chat.member), [[false, false, false, false], some, most]);
  assert.deepEqual(await own(chat.guest), [[false, false, false, true], none, none]);
});

Deno.test("POST /register lists active and deactivated accounts, with avatars as the client requests", async () => {
  await using chat = await startChat();
  const leaver = await chat.add("leaver");
  const ended = await chat.call(chat.owner, `DELETE /users/${leaver.id}`);
  assert.equal(ended.status, 200, JSON.stringify(ended.body));
  const { body } = await register(chat, chat.member, { fetch_event_types: ["realm_user"] });
  const { owner, admin, moderator, member, guest, bot } = chat;
  const everyone = [owner, admin, moderator, member, guest, bot].map(({ id }) => id).sort((a, b) => a - b);
  const ids = (users: { user_id: number }[]) => users.map(({ user_id }) => user_id);
  assert.deepEqual(ids(body.realm_users), everyone);
  assert.deepEqual(ids(body.realm_non_active_users), [leaver.id]);
  assert.equal(body.cross_realm_bots.length, 1);
  const [first] = body.realm_users;
  assert.deepEqual([first.avatar_url, first.delivery_email], [null, owner.email]);
  assert.match(body.avatar_url, /^http/);
  const drawn = await register(chat, member, { fetch_event_types: ["realm_user"], client_gravatar: false });
  assert.match(drawn.body.realm_users[0].avatar_url, /^http/);
});

Deno.test("POST /register hides email addresses and users that the caller cannot access", async () => {
  await using chat = await startChat();
  const { member, guest, owner, bot } = chat;
  const hidden = await chat.call(member, "PATCH /settings", { email_address_visibility: 4 });
  assert.equal(hidden.status, 200, JSON.stringify(hidden.body));
  const seenBy = async (user: TestUser) => {
    const { body } = await register(chat, user, { fetch_event_types: ["realm_user"] });
    const found = body.realm_users.find(({ user_id }: { user_id: number }) => user_id === member.id);
    return found === undefined ? null : [found.email, found.delivery_email];
  };
  const placeholder = `user${member.id}@localhost`;
  assert.deepEqual(await seenBy(owner), [placeholder, null]);
  assert.deepEqual(await seenBy(member), [placeholder, member.email]);
  const members = chat.realm.first_system_group_id + 5;
  const closed = await chat.call(owner, "PATCH /realm", { can_access_all_users_group: { new: members } });
  assert.equal(closed.status, 200, JSON.stringify(closed.body));
  assert.equal(await seenBy(guest), null);
  const { body } = await register(chat, guest);
  assert.deepEqual(
    body.realm_users.map(({ user_id }: { user_id: number }) => user_id).sort(),
    [guest.id, bot.id].sort(),
  );
});

Deno.test("POST /register returns the caller's bots, all bots to administrators, and never API keys", async () => {
  await using chat = await startChat();
  const bots = async (user: TestUser) => (await register(chat, user)).body.realm_bots;
  assert.deepEqual(await bots(chat.moderator), []);
  for (const caller of [chat.member, chat.admin]) {
    const [bot, ...others] = await bots(caller);
    assert.deepEqual([bot.user_id, bot.owner_id, others], [chat.bot.id, chat.member.id, []]);
    assert.equal(JSON.stringify(bot).includes(chat.bot.apiKey), false);
  }
});

Deno.test("POST /register lists groups; deactivated ones for clients that know them", async () => {
  await using chat = await startChat();
  const created = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "Roses",
    description: "",
    members: [],
  });
  const { group_id } = created.body;
  assert.equal((await chat.call(chat.owner, `POST /user_groups/${group_id}/deactivate`)).status, 200);
  const groups = async (params: Record<string, unknown>) => {
    const types = { fetch_event_types: ["realm_user_groups"] };
    const { body } = await register(chat, chat.member, { ...types, ...params });
    return body.realm_user_groups.map(({ id }: { id: number }) => id);
  };
  assert.equal((await groups({})).length, 8);
  assert.ok((await groups({ client_capabilities: { include_deactivated_groups: true } })).includes(group_id));
});

Deno.test("POST /register returns the caller's settings", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(chat.member, "PATCH /settings", { color_scheme: 2 })).status, 200);
  const { body } = await register(chat, chat.member, { fetch_event_types: ["user_settings"] });
  assert.equal(body.user_settings.color_scheme, 2);
  assert.equal(body.user_settings.twenty_four_hour_time, false);
});

Deno.test("POST /register returns the parts of the requested event types", async () => {
  await using chat = await startChat();
  const keys = async (params: Record<string, unknown>) =>
    Object.keys((await register(chat, chat.member, params)).body).filter((key) => !ALWAYS.includes(key))
      .sort();
  for (const { type, needs = type, fields } of STATE_PARTS) {
    const types = [type, needs];
    const expected = STATE_PARTS.filter((part) => isRequested(part, types)).flatMap((part) =>
      Object.keys(part.fields)
    );
    assert.deepEqual(await keys({ fetch_event_types: types }), expected.sort(), type);
    assert.ok(Object.keys(fields).length > 0);
  }
  assert.deepEqual(await keys({ event_types: ["message", "typing"] }), ["max_message_id"]);
  assert.deepEqual(await keys({ event_types: ["realm"], fetch_event_types: ["message"] }), [
    "max_message_id",
  ]);
  assert.deepEqual(await keys({ fetch_event_types: [] }), []);
  assert.deepEqual(await keys({ fetch_event_types: null, event_types: null }), await keys({}));
  assert.deepEqual(await keys({ fetch_event_types: null, event_types: ["message"] }), ["max_message_id"]);
});

Deno.test("POST /register stores the options of the client under a new queue id", async () => {
  await using chat = await startChat();
  const plain = await register(chat, chat.member);
  assert.match(plain.body.queue_id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(await readQueue(chat, plain), {
    user_id: chat.member.id,
    event_types: null,
    client_capabilities: [],
    apply_markdown: false,
    client_gravatar: true,
    slim_presence: false,
    all_public_streams: false,
    include_subscribers: false,
    narrow: [],
    created_at: chat.clock.time,
    idle_timeout: 600_000,
    position: null,
    position_at: chat.clock.time,
    touched_at: chat.clock.time,
  });
  const custom = await register(chat, chat.member, {
    event_types: ["message", "message"],
    client_capabilities: { bulk_message_deletion: true, archived_channels: false, juggling: true },
    apply_markdown: true,
    client_gravatar: false,
    slim_presence: true,
    all_public_streams: true,
    include_subscribers: '"partial"',
    narrow: [["is", "dm"], { operator: "topic", operand: "tea", negated: true }],
    queue_lifespan_secs: 30,
  });
  assert.notEqual(custom.body.queue_id, plain.body.queue_id);
  const queue = await readQueue(chat, custom);
  assert.deepEqual([queue.event_types, queue.client_capabilities], [["message"], ["bulk_message_deletion"]]);
  assert.deepEqual([queue.apply_markdown, queue.client_gravatar], [true, false]);
  assert.deepEqual([queue.slim_presence, queue.all_public_streams], [true, true]);
  assert.deepEqual([queue.include_subscribers, queue.narrow.length], ["partial", 2]);
  assert.equal(queue.idle_timeout, 30_000);
  const both = await register(chat, chat.member, { queue_lifespan_secs: 30, idle_queue_timeout: 60 });
  assert.equal((await readQueue(chat, both)).idle_timeout, 60_000);
});

Deno.test("POST /register refuses invalid parameters, and lists unknown ones", async () => {
  await using chat = await startChat();
  const refusals: [Record<string, unknown>, string][] = [
    [{ event_types: "message" }, "event_types is not valid JSON"],
    [{ event_types: 1 }, "event_types is not a list"],
    [{ event_types: ["message", 1] }, "event_types[1] is not a string"],
    [{ event_types: Array(101).fill("x") }, "event_types is too large"],
    [{ fetch_event_types: ["x".repeat(61)] }, "fetch_event_types[0] is too long (limit: 60 characters)"],
    [{ client_capabilities: [] }, "client_capabilities is not a dict"],
    [
      { client_capabilities: { archived_channels: 1 } },
      'client_capabilities["archived_channels"] is not a boolean',
    ],
    [{ apply_markdown: "yes" }, "apply_markdown is not valid JSON"],
    [{ client_gravatar: 1 }, "client_gravatar is not a boolean"],
    [{ slim_presence: 1 }, "slim_presence is not a boolean"],
    [{ all_public_streams: 1 }, "all_public_streams is not a boolean"],
    [{ include_subscribers: 1 }, "include_subscribers is not a boolean"],
    [{ narrow: {} }, "narrow is not a list"],
    [{ narrow: ["is"] }, "narrow[0] is not a list"],
  ];
  for (const [params, msg] of refusals) {
    const { status, body } = await register(chat, chat.member, params);
    assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", msg]);
  }
  const { body } = await register(chat, chat.member, { zebra: 1, apple: 2, fetch_event_types: [] });
  assert.deepEqual(body.ignored_parameters_unsupported, ["apple", "zebra"]);
});

Deno.test("POST /register refuses all_public_streams to guests", async () => {
  await using chat = await startChat();
  const { status, body } = await register(chat, chat.guest, { all_public_streams: true });
  assert.deepEqual([status, body.msg], [400, "User not authorized for this query"]);
});

Deno.test("POST /register sends no events", async () => {
  await using chat = await startChat();
  await register(chat, chat.member);
  assert.deepEqual(await chat.events(), []);
});
