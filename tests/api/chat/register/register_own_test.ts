// POST /register: the caller's own drafts, stars, conversations and topics.
import assert from "node:assert/strict";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import { basic, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";

async function state(chat: TestChat, user: TestUser, types: readonly string[] | null, sent: TestParams = {}) {
  const params = types === null ? sent : { fetch_event_types: types, ...sent };
  const { status, body } = await chat.call(user, "POST /register", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

Deno.test("POST /register returns the caller's drafts, the latest first, and none when they are not synchronized", async () => {
  await using chat = await startChat();
  const note = (content: string, timestamp: number) => ({ type: "", to: [], topic: "", content, timestamp });
  const notes = [note("old", 50), note("new", 90), note("middle", 70)];
  const { ids: [old, fresh, middle] } = await succeed(chat, chat.member, "POST /drafts", { drafts: notes });
  const { drafts } = await state(chat, chat.member, ["drafts"]);
  assert.deepEqual(drafts, [
    { id: fresh, ...note("new", 90) },
    { id: middle, ...note("middle", 70) },
    { id: old, ...note("old", 50) },
  ]);
  assert.deepEqual((await state(chat, chat.bot, ["drafts"])).drafts, []);
  assert.equal((await state(chat, chat.member, ["message"])).drafts, undefined);
  await succeed(chat, chat.member, "PATCH /settings", { enable_drafts_synchronization: false });
  assert.deepEqual((await state(chat, chat.member, ["drafts"])).drafts, []);
  assert.deepEqual((await state(chat, chat.member, null)).drafts, []);
});

Deno.test("POST /register returns the notification bot apart from the accounts, before and after its first message", async () => {
  await using chat = await startChat();
  const first = await state(chat, chat.guest, ["realm_user"]);
  const [bot, ...others] = first.cross_realm_bots;
  assert.deepEqual([bot.full_name, bot.is_bot, bot.is_system_bot, bot.is_active, others], [
    "Notification Bot",
    true,
    true,
    true,
    [],
  ]);
  await makeChannel(chat, "Garden");
  const { messages } = await succeed(chat, chat.member, "GET /messages", { anchor: "newest", num_before: 1 });
  assert.deepEqual([messages[0].sender_id, messages[0].sender_email], [bot.user_id, bot.email]);
  const later = await state(chat, chat.owner, ["realm_user"]);
  assert.deepEqual(later.cross_realm_bots.map(({ user_id }: { user_id: number }) => user_id), [bot.user_id]);
  const listed = [...later.realm_users, ...later.realm_non_active_users];
  assert.equal(listed.some(({ user_id }: { user_id: number }) => user_id === bot.user_id), false);
});

Deno.test("POST /register returns the channels that the caller left, with their settings, apart from all others", async () => {
  await using chat = await startChat();
  const { owner, member, admin } = chat;
  const [garden, shed] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  const attic = await makeChannel(chat, "Attic", { subscribers: [owner.id] });
  const cellar = await makeChannel(chat, "Cellar", { invite_only: true });
  const settings = [
    { stream_id: shed, property: "color", value: "#abcdef" },
    { stream_id: shed, property: "is_muted", value: true },
  ];
  const path = "POST /users/me/subscriptions/properties";
  await succeed(chat, member, path, { subscription_data: settings });
  await succeed(chat, member, "DELETE /users/me/subscriptions", { subscriptions: ["Shed", "Cellar"] });
  const listed = async (user: TestUser, sent: TestParams = {}) => {
    const { subscriptions, unsubscribed, never_subscribed } = await state(chat, user, ["subscription"], sent);
    const ids = [subscriptions, unsubscribed, never_subscribed].map((list) =>
      list.map(({ stream_id }: { stream_id: number }) => stream_id)
    );
    return { ids, unsubscribed };
  };
  const own = await listed(member, { include_subscribers: true });
  assert.deepEqual(own.ids, [[garden], [shed], [attic]]);
  const [{ color, is_muted, in_home_view, desktop_notifications, subscribers }] = own.unsubscribed;
  assert.deepEqual([color, is_muted, in_home_view], ["#abcdef", true, false]);
  assert.equal(typeof desktop_notifications, "boolean");
  assert.deepEqual(subscribers, [owner.id, chat.moderator.id].sort((one, other) => one - other));
  // Administrators receive events of others' private channels, too.
  assert.deepEqual((await listed(admin)).ids, [[], [], [attic, cellar, garden, shed]]);
  await succeed(chat, member, "POST /users/me/subscriptions", { subscriptions: [{ name: "Shed" }] });
  assert.deepEqual((await listed(member)).ids, [[garden, shed], [], [attic]]);
});

Deno.test("POST /register returns the starred messages that the caller can access, ascending", async () => {
  await using chat = await startChat();
  const open = await makeChannel(chat, "Garden");
  const closed = await makeChannel(chat, "Shed", { invite_only: true, history_public_to_subscribers: false });
  const first = await send(chat, chat.owner, { to: open, content: "one" });
  const hidden = await send(chat, chat.owner, { to: closed, content: "two" });
  const third = await send(chat, chat.owner, { to: open, content: "three" });
  const messages = [third, hidden, first];
  await succeed(chat, chat.member, "POST /messages/flags", { messages, op: "add", flag: "starred" });
  const starred = async (user: TestUser) => (await state(chat, user, ["starred_messages"])).starred_messages;
  assert.deepEqual(await starred(chat.member), [first, hidden, third]);
  assert.deepEqual(await starred(chat.moderator), []);
  await succeed(chat, chat.owner, "DELETE /users/me/subscriptions", {
    subscriptions: ["Shed"],
    principals: [chat.member.id],
  });
  assert.deepEqual(await starred(chat.member), [first, third]);
  await succeed(chat, chat.owner, `DELETE /messages/${first}`);
  assert.deepEqual(await starred(chat.member), [third]);
  // Messages sent before the user subscribed can be starred, too.
  await succeed(chat, chat.admin, "POST /messages/flags", { messages: [third], op: "add", flag: "starred" });
  assert.deepEqual(await starred(chat.admin), [third]);
});

Deno.test("POST /register returns the latest conversations with their newest message and other participants", async () => {
  await using chat = await startChat();
  const { member, owner, guest, bot } = chat;
  await sendDirect(chat, owner, [member], "hello");
  const three = await sendDirect(chat, guest, [member, owner], "all of us");
  const self = await sendDirect(chat, member, [member], "to do");
  const two = await sendDirect(chat, member, [owner], "hello back");
  const recent = async (user: TestUser) =>
    (await state(chat, user, ["recent_private_conversations"])).recent_private_conversations;
  const others = (...people: TestUser[]) => people.map(({ id }) => id).sort((one, other) => one - other);
  assert.deepEqual(await recent(member), [
    { max_message_id: two, user_ids: [owner.id] },
    { max_message_id: self, user_ids: [] },
    { max_message_id: three, user_ids: others(owner, guest) },
  ]);
  assert.deepEqual(await recent(guest), [{ max_message_id: three, user_ids: others(member, owner) }]);
  assert.deepEqual(await recent(bot), []);
  assert.deepEqual(await recent(chat.outsider), []);
});

Deno.test("POST /register returns muted topics unless user topics are requested by name", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const setPolicy = (topic: string, visibility_policy: number) =>
    succeed(chat, chat.member, "POST /user_topics", { stream_id: channel, topic, visibility_policy });
  await setPolicy("weeds", 1);
  chat.clock.time += 5000;
  await setPolicy("slugs", 1);
  await setPolicy("roses", 3);
  const at = Math.floor(chat.clock.time / 1000);
  const muted = [["Garden", "weeds", at - 5], ["Garden", "slugs", at]];
  assert.deepEqual((await state(chat, chat.member, ["muted_topics"])).muted_topics, muted);
  assert.deepEqual((await state(chat, chat.member, null)).muted_topics, muted);
  const both = await state(chat, chat.member, ["muted_topics", "user_topic"]);
  assert.deepEqual([both.muted_topics, both.user_topics.length], [undefined, 3]);
  assert.deepEqual((await state(chat, chat.owner, ["muted_topics"])).muted_topics, []);
});

Deno.test("POST /register returns the display name of the empty topic, unless the client knows that topic", async () => {
  await using chat = await startChat();
  const stream_id = await makeChannel(chat, "Garden");
  await succeed(chat, chat.member, "POST /user_topics", { stream_id, topic: "", visibility_policy: 1 });
  const names = async (sent: TestParams) => {
    const { user_topics } = await state(chat, chat.member, ["user_topic"], sent);
    const { muted_topics } = await state(chat, chat.member, ["muted_topics"], sent);
    return [user_topics[0].topic_name, muted_topics[0][1]];
  };
  assert.deepEqual(await names({}), ["general chat", "general chat"]);
  assert.deepEqual(await names({ client_capabilities: { empty_topic_name: true } }), ["", ""]);
});

Deno.test("POST /register returns the organization's emoji, including deactivated ones, to every member", async () => {
  await using chat = await startChat();
  for (const name of ["rose", "weed"]) {
    const body = new FormData();
    body.append("file", file(PNG), "picture.png");
    const headers = { authorization: basic(chat.owner.email, chat.owner.apiKey) };
    const answer = await chat.request(`/api/v1/realm/emoji/${name}`, { method: "POST", body, headers });
    assert.equal(answer.status, 200, await answer.text());
  }
  await succeed(chat, chat.owner, "DELETE /realm/emoji/weed");
  const { emoji } = await succeed(chat, chat.guest, "GET /realm/emoji");
  const { realm_emoji } = await state(chat, chat.guest, ["realm_emoji"]);
  assert.deepEqual(realm_emoji, emoji);
  const known = Object.values<{ name: string; deactivated: boolean }>(realm_emoji);
  assert.deepEqual(known.map(({ name, deactivated }) => [name, deactivated]), [["rose", false], [
    "weed",
    true,
  ]]);
  assert.deepEqual((await state(chat, chat.outsider, null)).realm_emoji, {});
});

Deno.test("POST /register returns the upload limits", async () => {
  const readLimits = async (env: Record<string, string>) => {
    await using chat = await startChat({ env });
    const body = await state(chat, chat.guest, ["realm", "realm_user"]);
    return [body.realm_upload_quota_mib, body.max_icon_file_size_mib, body.max_avatar_file_size_mib];
  };
  assert.deepEqual(await readLimits({}), [null, 5, 5]);
  assert.deepEqual(await readLimits({ UPLOAD_QUOTA_MIB: "300" }), [300, 5, 5]);
});
