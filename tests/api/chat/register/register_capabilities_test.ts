// POST /register and GET /events: responses by the capabilities of the client.
import assert from "node:assert/strict";
import { chunk } from "es-toolkit/array/chunk";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { createLinkifier } from "@/tests/casts/linkifiers_cast.ts";
import { makeChannel } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const KNOWS = (name: string): TestParams => ({ client_capabilities: { [name]: true } });

async function registered(chat: TestChat, user: TestUser, sent: TestParams = {}) {
  const { status, body } = await chat.call(user, "POST /register", sent);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const namesOf = (channels: readonly { name: string }[]) => channels.map(({ name }) => name).sort();

Deno.test("clients that know archived channels receive them, for others they are deleted", async () => {
  await using chat = await startChat();
  const shed = await makeChannel(chat, "Shed");
  const pond = await makeChannel(chat, "Pond", { subscribers: [chat.owner.id] });
  const old = await registerClient(chat, chat.member);
  const fresh = await registerClient(chat, chat.member, KNOWS("archived_channels"));
  for (const id of [shed, pond]) await succeed(chat, chat.owner, `DELETE /streams/${id}`);

  const all = await registered(chat, chat.member, KNOWS("archived_channels"));
  assert.deepEqual(namesOf(all.streams), ["Pond", "Shed"]);
  assert.deepEqual(all.subscriptions.map(({ name, is_archived }: TestParams) => [name, is_archived]), [[
    "Shed",
    true,
  ]]);
  assert.deepEqual(namesOf(all.never_subscribed), ["Pond"]);
  const used = await registered(chat, chat.member);
  assert.deepEqual([used.streams, used.subscriptions, used.never_subscribed], [[], [], []]);

  const isOfChannel = ({ type, op }: TestParams) =>
    type === "stream" || (type === "subscription" && op === "add");
  const oldEvents = (await old.receive()).filter(isOfChannel);
  assert.deepEqual(
    oldEvents.map(({ op, streams, stream_ids }) => [op, streams, stream_ids]),
    [["delete", [{ stream_id: shed }], [shed]], ["delete", [{ stream_id: pond }], [pond]]],
  );
  const freshEvents = (await fresh.receive()).filter(isOfChannel);
  assert.deepEqual(
    freshEvents.map(({ op, stream_id, property, value }) => [op, stream_id, property, value]),
    [["update", shed, "is_archived", true], ["update", pond, "is_archived", true]],
  );

  await succeed(chat, chat.owner, `PATCH /streams/${shed}`, { is_archived: false });
  const [create, add, ...rest] = (await old.receive()).filter(isOfChannel);
  assert.deepEqual([create?.op, namesOf(create?.streams ?? []), rest], ["create", ["Shed"], []]);
  assert.deepEqual([add?.type, add?.subscriptions[0].name, add?.subscriptions[0].is_muted], [
    "subscription",
    "Shed",
    false,
  ]);
  assert.ok(![create, add].some((event) => Object.hasOwn(event ?? {}, "is_return")));
  const back = (await fresh.receive()).filter(isOfChannel);
  assert.deepEqual(back.map(({ op, property, value }) => [op, property, value]), [
    ["update", "is_archived", false],
  ]);
});

Deno.test("an archived channel that becomes visible is new only to clients that know archived channels", async () => {
  await using chat = await startChat();
  const cellar = await makeChannel(chat, "Cellar", { invite_only: true, subscribers: [chat.owner.id] });
  await succeed(chat, chat.owner, `DELETE /streams/${cellar}`);
  const old = await registerClient(chat, chat.member, { event_types: ["stream"] });
  const fresh = await registerClient(chat, chat.member, {
    event_types: ["stream"],
    ...KNOWS("archived_channels"),
  });
  await succeed(chat, chat.owner, `PATCH /streams/${cellar}`, { is_private: false });
  assert.deepEqual(await old.receive(), []);
  const [created, ...rest] = await fresh.receive();
  assert.deepEqual([created?.op, namesOf(created?.streams ?? []), rest], ["create", ["Cellar"], []]);
});

Deno.test("POST /register returns active subscribers of channels on request", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden");
  const attic = await makeChannel(chat, "Attic", { subscribers: [chat.owner.id] });
  await makeChannel(chat, "Hidden", { invite_only: true, subscribers: [chat.owner.id] });
  await succeed(chat, chat.owner, `DELETE /users/${chat.moderator.id}`);
  const { subscriptions, never_subscribed } = await registered(chat, chat.member, {
    include_subscribers: true,
  });
  const expected = [chat.owner.id, chat.member.id].sort((one, other) => one - other);
  assert.deepEqual(subscriptions.map(({ stream_id, subscribers }: TestParams) => [stream_id, subscribers]), [
    [garden, expected],
  ]);
  const others = never_subscribed.map(({ stream_id, subscribers }: TestParams) => [stream_id, subscribers]);
  assert.deepEqual(others, [[attic, [chat.owner.id]]]);
  const plain = await registered(chat, chat.member, { include_subscribers: false });
  assert.ok([...plain.subscriptions, ...plain.never_subscribed].every((one) => !("subscribers" in one)));
  const partial = await registered(chat, chat.member, { include_subscribers: '"partial"' });
  assert.deepEqual(partial.subscriptions[0].subscribers, expected);
});

Deno.test("POST /register returns some subscribers of large channels when the client accepts a part", async () => {
  await using chat = await startChat();
  const people: number[] = [];
  for (let at = 0; at < 251; at++) people.push((await chat.add(`p${at}`)).id);
  await makeChannel(chat, "Hall", { subscribers: people.slice(0, 90) });
  const subscriptions = [{ name: "Hall" }];
  for (const principals of chunk(people.slice(90), 90)) {
    await succeed(chat, chat.owner, "POST /users/me/subscriptions", { subscriptions, principals });
  }
  const hallOf = async (include_subscribers: unknown) =>
    (await registered(chat, chat.member, { include_subscribers })).never_subscribed[0];
  const whole = await hallOf(true);
  assert.deepEqual([whole.subscribers.length, whole.partial_subscribers], [251, undefined]);
  const some = await hallOf('"partial"');
  assert.deepEqual([some.subscribers, some.partial_subscribers], [undefined, people.slice(0, 250)]);
});

Deno.test("clients that do not know null receive the inherited settings of a channel", async () => {
  await using chat = await startChat();
  await makeChannel(chat, "Garden");
  const [garden] = (await registered(chat, chat.member, KNOWS("notification_settings_null"))).subscriptions;
  assert.deepEqual([garden.push_notifications, garden.wildcard_mentions_notify], [null, null]);
  await succeed(chat, chat.member, "PATCH /settings", { enable_stream_push_notifications: true });
  const [old] = (await registered(chat, chat.member)).subscriptions;
  const { push_notifications, wildcard_mentions_notify, desktop_notifications } = old;
  assert.deepEqual([push_notifications, wildcard_mentions_notify, desktop_notifications], [
    true,
    true,
    false,
  ]);
});

Deno.test("only clients that know URL templates receive linkifiers", async () => {
  await using chat = await startChat();
  await createLinkifier(chat);
  const types = {
    event_types: ["realm_linkifiers"],
    fetch_event_types: ["realm_linkifiers", "realm_filters"],
  };
  const fresh = await registered(chat, chat.member, { ...types, ...KNOWS("linkifier_url_template") });
  assert.deepEqual([fresh.realm_linkifiers.length, fresh.realm_filters], [1, []]);
  const old = await registered(chat, chat.member, types);
  assert.deepEqual([old.realm_linkifiers, old.realm_filters], [[], []]);
  const oldClient = await registerClient(chat, chat.member, types);
  const client = await registerClient(chat, chat.member, { ...types, ...KNOWS("linkifier_url_template") });
  await succeed(chat, chat.admin, "POST /realm/filters", {
    pattern: "x(?P<id>\\d+)",
    url_template: "https://x.example/{id}",
  });
  assert.deepEqual(await oldClient.receive(), []);
  assert.deepEqual((await client.receive()).map(({ realm_linkifiers }) => realm_linkifiers.length), [2]);
});

Deno.test("clients that do not know user_settings receive settings by their older names", async () => {
  await using chat = await startChat();
  const types = ["update_display_settings", "update_global_notifications"];
  const old = await registered(chat, chat.member, { fetch_event_types: types });
  assert.deepEqual([old.color_scheme, old.enable_login_emails, old.user_settings], [1, true, undefined]);
  const fresh = await registered(chat, chat.member, KNOWS("user_settings_object"));
  assert.deepEqual([fresh.color_scheme, fresh.user_settings.color_scheme], [undefined, 1]);

  const oldClient = await registerClient(chat, chat.member, { event_types: types });
  const client = await registerClient(chat, chat.member, KNOWS("user_settings_object"));
  const changes = { color_scheme: 2, enable_sounds: false };
  await succeed(chat, chat.member, "PATCH /settings", changes);
  const user = (await succeed(chat, chat.member, "GET /users/me")).email;
  const events = (await oldClient.receive()).map(({ id: _, ...event }) => event);
  assert.deepEqual(
    Object.fromEntries(events.map((event) => [event["setting_name"] ?? event["notification_name"], event])),
    {
      color_scheme: { type: types[0], user, setting_name: "color_scheme", setting: 2 },
      enable_sounds: { type: types[1], user, notification_name: "enable_sounds", setting: false },
    },
  );
  assert.deepEqual(new Set((await client.receive()).map(({ type }) => type)), new Set(["user_settings"]));
  assert.deepEqual(await (await registerClient(chat, chat.owner, { event_types: types })).receive(), []);
});

Deno.test("clients that receive user_topic events receive no muted_topics events", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden");
  const both = await registerClient(chat, chat.member, { event_types: ["muted_topics", "user_topic"] });
  const old = await registerClient(chat, chat.member, { event_types: ["muted_topics"] });
  await succeed(chat, chat.member, "POST /user_topics", {
    stream_id: garden,
    topic: "tea",
    visibility_policy: 1,
  });
  assert.deepEqual((await both.receive()).map(({ type }) => type), ["user_topic"]);
  assert.deepEqual((await old.receive()).map(({ type }) => type), ["muted_topics"]);
});

Deno.test("POST /register returns settings that clients read and no organization can change", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, "POST /register", { fetch_event_types: ["realm"] });
  assert.deepEqual([body.realm_allow_message_editing, body.realm_allow_edit_history], [true, true]);
  assert.equal(body.realm_message_retention_days, -1);
});
