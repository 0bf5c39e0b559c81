import assert from "node:assert/strict";
import { registerSchema } from "@/lib/chat/register/register.ts";
import { PUBLIC_FIELDS } from "@/tests/casts/declared_fields.ts";
import { makeChannel } from "@/tests/casts/messages_cast.ts";
import { createOpenChannel, refusalOf, startOpenChat } from "@/tests/casts/spectator_cast.ts";

Deno.test("POST /register returns the public state to spectators, as documented", async () => {
  await using chat = await startOpenChat();
  const folder = async (name: string) => {
    const { body } = await chat.call(chat.owner, "POST /channel_folders/create", { name, description: "" });
    return body["channel_folder_id"];
  };
  const [shown, hidden] = [await folder("Outside"), await folder("Inside")];
  const permission = { direct_members: [chat.member.id], direct_subgroups: [] };
  const open = await createOpenChannel(chat, "Garden", {
    folder_id: shown,
    can_send_message_group: permission,
  });
  await makeChannel(chat, "Shed", { folder_id: hidden });
  const gone = await createOpenChannel(chat, "Old garden");
  await chat.call(chat.owner, `DELETE /streams/${gone}`);
  const pattern = { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" };
  await chat.call(chat.owner, "POST /realm/filters", pattern);
  await chat.call(chat.owner, "POST /realm/profile_fields", { name: "Color", field_type: 1 });
  const { status, body } = await chat.call(null, "POST /register", {
    client_capabilities: { linkifier_url_template: true, archived_channels: true },
  });
  assert.equal(status, 200);
  const { result: _, msg: __, ...fields } = body;
  registerSchema.strict().parse(fields);
  assert.deepEqual([body.queue_id, body.last_event_id], [null, -1]);
  const names = (channels: { name: string }[]) => channels.map(({ name }) => name);
  assert.deepEqual([names(body.streams), names(body.never_subscribed)], [["Garden"], ["Garden"]]);
  assert.deepEqual([body.subscriptions, body.unsubscribed], [[], []]);
  const [channel] = body.streams;
  assert.deepEqual([channel.stream_id, channel.creator_id], [open, null]);
  assert.equal(
    typeof channel.can_send_message_group,
    "number",
    "no user is named, as in a channel without users",
  );
  assert.deepEqual(names(body.channel_folders), ["Outside"]);
  assert.deepEqual([body.realm_users, body.realm_non_active_users, body.cross_realm_bots], [[], [], []]);
  assert.deepEqual([body.realm_name, body.max_topic_length], ["Gardeners", 60]);
  assert.deepEqual([body.realm_web_public_access_enabled, body.realm_default_streams], [true, []]);
  assert.deepEqual([body.realm_linkifiers.length, body.custom_profile_fields[0].name], [1, "Color"]);
});

Deno.test("POST /register returns only these fields to spectators, and nothing about accounts", async () => {
  await using chat = await startOpenChat();
  const { body } = await chat.call(null, "POST /register");
  const of = (prefix: string) => Object.keys(body).filter((name) => name.startsWith(prefix)).sort();
  const named = Object.values(PUBLIC_FIELDS).join(" ").split(/\s+/);
  assert.deepEqual(of("realm_"), named.filter((name) => name.startsWith("realm_")).sort());
  const isListed = (name: string) => /^(realm|server|service|max|custom_profile|password)_/.test(name);
  assert.deepEqual(Object.keys(body).filter((name) => !isListed(name)).sort(), [
    "channel_folders",
    "cross_realm_bots",
    "development_environment",
    "event_queue_longpoll_timeout_seconds",
    "last_event_id",
    "msg",
    "never_subscribed",
    "queue_id",
    "result",
    "settings_send_digest_emails",
    "streams",
    "subscriptions",
    "unsubscribed",
  ]);
});

Deno.test("POST /register returns the requested parts to spectators", async () => {
  await using chat = await startOpenChat();
  const { body } = await chat.call(null, "POST /register", {
    event_types: ["realm_emoji", "presence", "user_settings", "drafts"],
    narrow: [["channel", "Garden"]],
    all_public_streams: true,
    idle_queue_timeout: 60,
    spare: 1,
  });
  const names = Object.keys(body).filter((name) => !name.startsWith("service_")).sort();
  assert.deepEqual(names, [
    "event_queue_longpoll_timeout_seconds",
    "ignored_parameters_unsupported",
    "last_event_id",
    "msg",
    "queue_id",
    "realm_emoji",
    "result",
  ]);
  assert.deepEqual(body.ignored_parameters_unsupported, ["spare"]);
});

Deno.test("POST /register refuses spectators parameters that reveal accounts", async () => {
  await using chat = await startOpenChat();
  const ask = async (params: Record<string, unknown>) =>
    refusalOf(await chat.call(null, "POST /register", params));
  const refusal = (name: string) => [
    400,
    "BAD_REQUEST",
    `Invalid '${name}' parameter for anonymous request`,
  ];
  assert.deepEqual(await ask({ client_gravatar: true }), refusal("client_gravatar"));
  assert.deepEqual(await ask({ include_subscribers: true }), refusal("include_subscribers"));
  assert.deepEqual(await ask({ include_subscribers: '"partial"' }), refusal("include_subscribers"));
  const allowed = { client_gravatar: false, include_subscribers: false };
  assert.deepEqual(await ask(allowed), [200, undefined, ""]);
});
