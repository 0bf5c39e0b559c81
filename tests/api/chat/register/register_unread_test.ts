// POST /register: unread_msgs.
import assert from "node:assert/strict";
import { MAX_SEARCHED, MAX_SEARCHED_FOR_BOTS } from "@/lib/chat/messages/read/unread_candidates.ts";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const TYPES = ["message", "update_message_flags"];

async function unreadOf(chat: TestChat, user: TestUser, sent: TestParams = {}) {
  const { status, body } = await chat.call(user, "POST /register", { fetch_event_types: TYPES, ...sent });
  assert.equal(status, 200, JSON.stringify(body));
  return body.unread_msgs;
}

interface Listed {
  readonly unread_message_ids: readonly number[];
}

/** Every id, ascending. */
function idsIn({ pms, streams, huddles }: Record<"pms" | "streams" | "huddles", Listed[]>): number[] {
  return [...pms, ...streams, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids)
    .sort((one, other) => one - other);
}

const NOTHING = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false };

Deno.test("POST /register returns unread messages by topic and conversation", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, guest } = chat;
  const garden = await makeChannel(chat, "Garden");
  await succeed(chat, member, "POST /mark_all_as_read");
  assert.deepEqual(await unreadOf(chat, member), NOTHING);
  const a = await send(chat, owner, { to: garden, topic: "roses", content: "a" });
  const b = await send(chat, moderator, { to: garden, topic: "Roses", content: `b @**Member**` });
  const c = await send(chat, owner, { to: garden, topic: "", content: "c @**all**" });
  await send(chat, member, { to: garden, topic: "roses", content: "my own" });
  const d = await sendDirect(chat, guest, [member], "d");
  const e = await sendDirect(chat, owner, [member, guest], "e");
  await sendDirect(chat, member, [member], "to myself");
  await sendDirect(chat, member, [owner], "to another");
  const people = [owner, member, guest].map(({ id }) => id).sort((one, other) => one - other);
  assert.deepEqual(await unreadOf(chat, member), {
    count: 5,
    pms: [{ other_user_id: guest.id, sender_id: guest.id, unread_message_ids: [d] }],
    streams: [
      { stream_id: garden, topic: "general chat", unread_message_ids: [c] },
      { stream_id: garden, topic: "Roses", unread_message_ids: [a, b] },
    ],
    huddles: [{ user_ids_string: people.join(","), unread_message_ids: [e] }],
    mentions: [b, c],
    old_unreads_missing: false,
  });
  const { streams } = await unreadOf(chat, member, { client_capabilities: { empty_topic_name: true } });
  assert.equal(streams[0].topic, "");
  assert.deepEqual(await unreadOf(chat, chat.bot), NOTHING);
  assert.deepEqual(await unreadOf(chat, chat.admin), NOTHING);
});

Deno.test("POST /register returns unread messages to clients that request messages and flags", async () => {
  await using chat = await startChat();
  for (const fetch_event_types of [["message"], ["update_message_flags"], ["realm"]]) {
    assert.equal(await unreadOf(chat, chat.member, { fetch_event_types }), undefined);
  }
  assert.deepEqual(await unreadOf(chat, chat.member, { fetch_event_types: TYPES }), NOTHING);
  const { body } = await chat.call(chat.member, "POST /register", { event_types: TYPES });
  assert.deepEqual(body.unread_msgs, NOTHING);
});

Deno.test("POST /register does not count unread messages of muted topics and channels, unless a topic is unmuted", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const garden = await makeChannel(chat, "Garden");
  const shed = await makeChannel(chat, "Shed");
  await succeed(chat, member, "POST /mark_all_as_read");
  const toAll = await send(chat, owner, { to: garden, topic: "weeds", content: "@**all** look" });
  const toMember = await send(chat, owner, { to: garden, topic: "weeds", content: "@**Member** look" });
  const hidden = await send(chat, owner, { to: shed, topic: "tools", content: "@**all** rust" });
  const shown = await send(chat, owner, { to: shed, topic: "paint", content: "@**all** green" });
  const topic = { stream_id: garden, topic: "weeds", visibility_policy: 1 };
  await succeed(chat, member, "POST /user_topics", topic);
  await succeed(chat, member, "POST /user_topics", { stream_id: shed, topic: "paint", visibility_policy: 2 });
  const property = { stream_id: shed, property: "is_muted", value: true };
  await succeed(chat, member, "POST /users/me/subscriptions/properties", { subscription_data: [property] });
  const unread = await unreadOf(chat, member);
  assert.deepEqual([unread.count, unread.mentions], [1, [toMember, shown]]);
  assert.deepEqual(idsIn(unread), [toAll, toMember, hidden, shown]);
});

Deno.test("POST /register returns unread messages of active channels to which the caller is subscribed", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const [garden, shed] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  await succeed(chat, member, "POST /mark_all_as_read");
  const a = await send(chat, owner, { to: garden, content: "a" });
  const b = await send(chat, owner, { to: shed, content: "b" });
  assert.deepEqual(idsIn(await unreadOf(chat, member)), [a, b]);
  await succeed(chat, member, "DELETE /users/me/subscriptions", { subscriptions: ["Shed"] });
  const missed = await send(chat, owner, { to: shed, content: "missed" });
  assert.deepEqual(idsIn(await unreadOf(chat, member)), [a]);
  await succeed(chat, member, "POST /users/me/subscriptions", { subscriptions: [{ name: "Shed" }] });
  const again = idsIn(await unreadOf(chat, member));
  assert.deepEqual([again.includes(b), again.includes(missed)], [true, false]);
  await succeed(chat, owner, `DELETE /streams/${garden}`);
  assert.equal(idsIn(await unreadOf(chat, member)).includes(a), false);
});

Deno.test("POST /register reports that older messages were not searched, unless everything was read", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const garden = await makeChannel(chat, "Garden");
  await succeed(chat, member, "POST /mark_all_as_read");
  const old = await send(chat, owner, { to: garden, content: "old" });
  const marked = await send(chat, owner, { to: garden, content: "marked" });
  await chat.services.store.kv.set(["seq", "message"], marked + MAX_SEARCHED);
  await succeed(chat, member, "POST /messages/flags", { messages: [marked], op: "remove", flag: "read" });
  const fresh = await send(chat, owner, { to: garden, content: "new" });
  const unread = await unreadOf(chat, member);
  assert.deepEqual([idsIn(unread), unread.old_unreads_missing], [[marked, fresh], true]);
  assert.ok(!idsIn(unread).includes(old));
  await succeed(chat, member, "POST /mark_stream_as_read", { stream_id: garden });
  const direct = await sendDirect(chat, owner, [member], "hello");
  assert.deepEqual(await unreadOf(chat, member), {
    ...NOTHING,
    count: 1,
    pms: [{ other_user_id: owner.id, sender_id: owner.id, unread_message_ids: [direct] }],
  });
});

Deno.test("POST /register searches fewer messages for bots, which register often and mark nothing", async () => {
  await using chat = await startChat();
  const old = await sendDirect(chat, chat.owner, [chat.bot], "old");
  await chat.services.store.kv.set(["seq", "message"], old + MAX_SEARCHED_FOR_BOTS);
  const fresh = await sendDirect(chat, chat.owner, [chat.bot], "new");
  const unread = await unreadOf(chat, chat.bot);
  assert.deepEqual([idsIn(unread), unread.old_unreads_missing], [[fresh], true]);
});

Deno.test("POST /register uses the read marks of a moved message's former location", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const [garden, shed] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  await succeed(chat, member, "POST /mark_all_as_read");
  const unread = await send(chat, owner, { to: garden, topic: "roses", content: "unread" });
  const read = await send(chat, owner, { to: garden, topic: "roses", content: "read" });
  await send(chat, owner, { to: shed, topic: "weeds", content: "there before" });
  await succeed(chat, member, "POST /messages/flags", { messages: [read], op: "add", flag: "read" });
  await succeed(chat, member, "POST /mark_stream_as_read", { stream_id: shed });
  await succeed(chat, member, "POST /mark_topic_as_read", { stream_id: shed, topic_name: "weeds" });
  for (const id of [unread, read]) {
    await succeed(chat, owner, `PATCH /messages/${id}`, {
      stream_id: shed,
      topic: "weeds",
      propagate_mode: "change_one",
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    });
  }
  const flagsOf = async (id: number) => (await chat.call(member, `GET /messages/${id}`)).body.message.flags;
  assert.deepEqual([await flagsOf(unread), await flagsOf(read)], [[], ["read"]]);
  const { streams } = await unreadOf(chat, member);
  assert.deepEqual(streams, [{ stream_id: shed, topic: "weeds", unread_message_ids: [unread] }]);
});

/** Returns a generator of the same numbers in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor(state / 65_536);
  }
}

Deno.test("POST /register returns exactly the messages without a read flag, after any operations", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: "off" } });
  const { owner, member, moderator, guest } = chat;
  const channels = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  const topics = ["roses", "Roses", "weeds", ""];
  const sent: number[] = [];
  const random = numbers(7);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[random.next().value % from.length];
    assert.ok(found !== undefined);
    return found;
  };
  const flag = (op: string) => {
    const messages = [pick(sent), pick(sent), pick(sent)];
    return chat.call(member, "POST /messages/flags", { messages, op, flag: "read" });
  };
  const actions: (() => Promise<unknown>)[] = [
    async () =>
      sent.push(
        await send(chat, pick([owner, moderator, member]), {
          to: pick(channels),
          topic: pick(topics),
          content: "x",
        }),
      ),
    async () => sent.push(await sendDirect(chat, pick([owner, guest, member]), [member], "x")),
    async () => sent.push(await sendDirect(chat, guest, [member, owner], "x")),
    () => flag("add"),
    () => flag("remove"),
    () =>
      chat.call(member, "POST /mark_topic_as_read", { stream_id: pick(channels), topic_name: pick(topics) }),
    () =>
      chat.call(owner, `PATCH /messages/${pick(sent)}`, {
        topic: pick(["weeds", "tools"]),
        propagate_mode: pick(["change_one", "change_all"]),
      }),
    () =>
      chat.call(owner, `PATCH /messages/${pick(sent)}`, {
        stream_id: pick(channels),
        propagate_mode: "change_later",
      }),
    () => chat.call(owner, `DELETE /messages/${pick(sent)}`),
  ];
  const rare = [
    () => chat.call(member, "POST /mark_all_as_read"),
    () => chat.call(member, "POST /mark_stream_as_read", { stream_id: pick(channels) }),
    () => chat.call(member, `POST /users/me/muted_users/${moderator.id}`),
    () => chat.call(member, `DELETE /users/me/muted_users/${moderator.id}`),
  ];
  for (const first of actions.slice(0, 3)) await first();
  for (let step = 1; step <= 400; step++) {
    await (step % 40 === 0 ? pick(rare) : pick([...actions, ...actions.slice(0, 3)]))();
    if (step % 10 !== 0) continue;
    const asked = { anchor: "newest", num_before: 5000, num_after: 0, narrow: [["is", "unread"]] };
    const { body } = await chat.call(member, "GET /messages", asked);
    const expected = body.messages.map(({ id }: { id: number }) => id);
    const unread = await unreadOf(chat, member);
    assert.deepEqual(idsIn(unread), expected, `step ${step}`);
    assert.deepEqual([unread.count, unread.old_unreads_missing], [expected.length, false]);
  }
});
