import assert from "node:assert/strict";
import { MAX_REACTIONS, reactionsKey, toReactionsRecord } from "@/lib/chat/messages/reactions.ts";
import { fetchMessages } from "@/lib/chat/messages/read/fetch_messages.ts";
import type { Key } from "@/lib/store/key.ts";
import { registerClient, type TestClient } from "@/tests/casts/events_cast.ts";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import { createOpenChannel, startOpenChat, WEB_PUBLIC } from "@/tests/casts/spectator_cast.ts";
import { callerOf } from "@/tests/casts/user_groups_cast.ts";
import { limitGuests } from "@/tests/casts/user_status_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const CAR = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };

/** The last messages of a narrow, as the parameters of `fetchMessages()`. */
const WINDOW = {
  anchor: "newest",
  num_before: 9,
  num_after: 0,
  include_anchor: true,
  use_first_unread_anchor: false,
  message_ids: undefined,
  anchor_date: undefined,
  apply_markdown: true,
  client_gravatar: true,
  allow_empty_topic_name: true,
} as const;

/** A reaction as messages contain it. */
interface ReceivedReaction {
  readonly emoji_name: string;
  readonly user_id: number;
  readonly user: unknown;
}

/** Fetches the reactions of a message without their users. */
async function fetchReactions(chat: TestChat, id: number, user: TestUser = chat.owner) {
  const reactions: ReceivedReaction[] = (await chat.call(user, `GET /messages/${id}`)).body.message.reactions;
  return reactions.map(({ user: _, ...reaction }) => reaction);
}

Deno.test("POST /messages/{message_id}/reactions adds a reaction and sends an event", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  const other = await send(chat, chat.member, { to: channel, content: "b" });
  await chat.events();
  const path = `/messages/${id}/reactions`;
  const { status, body } = await chat.call(chat.member, `POST ${path}`, { emoji_name: "car", spare: "1" });
  assert.equal(status, 200);
  assert.deepEqual(body, { result: "success", msg: "", ignored_parameters_unsupported: ["spare"] });
  const events = await chat.events();
  assert.equal((await chat.call(chat.moderator, `POST ${path}`, CAR)).status, 200);
  events.push(...await chat.events());
  assert.equal((await chat.call(chat.member, `POST ${path}`, { emoji_name: "heart" })).status, 200);
  const given = [
    { ...CAR, user_id: chat.member.id },
    { ...CAR, user_id: chat.moderator.id },
    { emoji_name: "heart", emoji_code: "2764", reaction_type: "unicode_emoji", user_id: chat.member.id },
  ];
  assert.deepEqual(await fetchReactions(chat, id), given);
  assert.deepEqual(await fetchReactions(chat, other), []);
  const toEvent = (op: string) => (of: (typeof given)[number] | undefined) => ({
    event: { type: "reaction", op, message_id: id, ...of },
    audience: { channel },
  });
  events.push(...await chat.events());
  assert.deepEqual(events, given.map(toEvent("add")));
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["has", "reaction"]] }), [id]);
  const without = [["topic", "plans"], { operator: "has", operand: "reaction", negated: true }];
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: without }), [other]);
  const removed = await chat.call(chat.member, `DELETE ${path}`, { emoji_name: "car" });
  assert.deepEqual(removed.body, { result: "success", msg: "" });
  assert.deepEqual(await fetchReactions(chat, id), given.slice(1));
  assert.deepEqual(await chat.events(), given.slice(0, 1).map(toEvent("remove")));
});

Deno.test("/messages/{message_id}/reactions refuses invalid reactions and changes nothing", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  await chat.call(chat.owner, `POST /messages/${id}/reactions`, CAR);
  await chat.events();
  const refusals: [string, Record<string, unknown>, string][] = [
    ["POST", { emoji_name: "no_such" }, "Emoji 'no_such' does not exist"],
    ["POST", { emoji_name: "x".repeat(5000) }, `Emoji '${"x".repeat(5000)}' does not exist`],
    [
      "POST",
      { emoji_name: "car", emoji_code: "beef", reaction_type: "unicode_emoji" },
      "Invalid emoji code.",
    ],
    ["POST", { ...CAR, emoji_code: "1f4bb" }, "Invalid emoji name."],
    ["POST", { ...CAR, emoji_code: "1f697 " }, "Invalid emoji code."],
    // B-status-11 and B-status-12 of the shared probes have the same rules.
    [
      "POST",
      { emoji_name: "car", emoji_code: "1f4bb", reaction_type: "realm_emoji" },
      "Invalid custom emoji.",
    ],
    ["POST", { emoji_name: "car", emoji_code: "99", reaction_type: "realm_emoji" }, "Invalid custom emoji."],
    ["POST", { ...CAR, reaction_type: "foo" }, "Invalid emoji type."],
    ["POST", { ...CAR, reaction_type: "service_extra_emoji" }, "Invalid emoji code."],
    ["POST", {}, "Missing 'emoji_name' argument"],
    ["POST", CAR, "Reaction already exists."],
    ["DELETE", { emoji_name: "heart" }, "Reaction doesn't exist."],
    ["DELETE", { emoji_name: "no_such" }, "Emoji 'no_such' does not exist"],
    [
      "DELETE",
      {},
      "At least one of the following arguments must be present: emoji_name, emoji_code",
    ],
  ];
  for (const [method, params, msg] of refusals) {
    const { status, body } = await chat.call(chat.owner, `${method} /messages/${id}/reactions`, params);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  const repeated = await chat.call(chat.owner, `POST /messages/${id}/reactions`, CAR);
  assert.equal(repeated.body.code, "REACTION_ALREADY_EXISTS");
  const foreign = await chat.call(chat.moderator, `DELETE /messages/${id}/reactions`, CAR);
  assert.deepEqual([foreign.body.code, foreign.body.msg], [
    "REACTION_DOES_NOT_EXIST",
    "Reaction doesn't exist.",
  ]);
  assert.deepEqual(await fetchReactions(chat, id), [{ ...CAR, user_id: chat.owner.id }]);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /messages/{message_id}/reactions requires access to the message", async () => {
  await using chat = await startChat();
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  const hidden = await send(chat, chat.owner, { to: secret, content: "a" });
  const direct = await sendDirect(chat, chat.member, [chat.bot], "hi");
  const add = (user: TestUser | null, id: number) => chat.call(user, `POST /messages/${id}/reactions`, CAR);
  for (const user of [chat.member, chat.guest, chat.bot, chat.outsider, chat.moderator]) {
    assert.equal((await add(user, hidden)).body.msg, "Invalid message(s)");
    assert.equal((await add(user, 99_999)).body.msg, "Invalid message(s)");
  }
  for (const user of [chat.owner, chat.admin, chat.guest, chat.outsider]) {
    assert.equal((await add(user, direct)).body.msg, "Invalid message(s)");
  }
  assert.equal((await add(null, direct)).status, 401);
  assert.equal((await chat.call(null, `DELETE /messages/${direct}/reactions`, CAR)).status, 401);
  await chat.events();
  assert.equal((await add(chat.bot, direct)).status, 200);
  const [event] = await chat.events();
  assert.deepEqual(event?.audience, [chat.member.id, chat.bot.id]);
  assert.equal((await chat.call(chat.bot, `DELETE /messages/${direct}/reactions`, CAR)).status, 200);
  assert.deepEqual(await fetchReactions(chat, direct, chat.member), []);
});

Deno.test("concurrent reactions with the same emoji are all stored under the first name", async () => {
  await using chat = await startChat();
  const names = Array.from({ length: 12 }, (_, at) => `person${at}`);
  const people: TestUser[] = [];
  for (const name of names) people.push(await chat.add(name));
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  await chat.call(chat.member, `POST /messages/${id}/reactions`, { emoji_name: "thumbs_up" });
  const answers = await Promise.all(
    people.map((user) => chat.call(user, `POST /messages/${id}/reactions`, { emoji_name: "+1" })),
  );
  assert.deepEqual(answers.filter(({ status }) => status !== 200), []);
  const given = await fetchReactions(chat, id);
  assert.deepEqual([...new Set(given.map(({ emoji_name }) => emoji_name))], ["thumbs_up"]);
  assert.deepEqual(new Set(given.map(({ user_id }) => user_id)).size, 13);
});

Deno.test("a message accepts at most one hundred different emoji", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  const { createEmojiTable } = await import("@/lib/chat/organization/rendering/emoji.ts");
  const emoji = [...createEmojiTable().byCode.values()].slice(0, 101);
  const answers = [];
  for (const { name } of emoji) {
    answers.push(await chat.call(chat.member, `POST /messages/${id}/reactions`, { emoji_name: name }));
  }
  assert.deepEqual(answers.slice(0, 100).filter(({ status }) => status !== 200), []);
  assert.equal(answers[100]?.status, 400);
  assert.equal(answers[100]?.body.msg, "A message has at most 2000 reactions, of at most 100 emoji.");
  assert.equal((await fetchReactions(chat, id)).length, 100);
});

Deno.test("a message accepts at most two thousand reactions, which fit into one record", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  const crowd = Array.from({ length: MAX_REACTIONS - 1 }, (_, at) => ({ ...CAR, user_id: 2 ** 40 + at }));
  await chat.services.store.kv.set(reactionsKey(chat.realm.id, id), toReactionsRecord(crowd));
  const act = async (user: TestUser, method: string) =>
    (await chat.call(user, `${method} /messages/${id}/reactions`, CAR)).body.msg;
  const refusal = "A message has at most 2000 reactions, of at most 100 emoji.";
  assert.deepEqual([await act(chat.member, "POST"), await act(chat.owner, "POST")], ["", refusal]);
  assert.deepEqual([await act(chat.member, "DELETE"), await act(chat.owner, "POST")], ["", ""]);
  assert.equal((await fetchReactions(chat, id)).length, MAX_REACTIONS);
});

Deno.test("reactions contain their users, as far as the viewer may know them", async () => {
  await using chat = await startOpenChat();
  const { owner, member, guest, bot } = chat;
  await succeed(chat, member, "PATCH /settings", { email_address_visibility: 4 });
  const channel = await createOpenChannel(chat, "Garden", { subscribers: [owner.id, guest.id] });
  const id = await send(chat, owner, { to: channel, content: "a" });
  const event_types = ["reaction"];
  const clients = [owner, guest].map((user) => registerClient(chat, user, { event_types }));
  const [ownerClient, guestClient] = await Promise.all(clients);
  await limitGuests(chat);
  for (const user of [owner, member, guest, bot]) {
    await succeed(chat, user, `POST /messages/${id}/reactions`, { emoji_name: "car" });
  }
  const usersOf = (message: { reactions: ReceivedReaction[] }) => message.reactions.map(({ user }) => user);
  const fetched = async (user: TestUser | null) => {
    const window = { anchor: id, num_before: 0, num_after: 0, narrow: [WEB_PUBLIC] };
    const [list, one] = [
      await chat.call(user, "GET /messages", window),
      await chat.call(user, `GET /messages/${id}`),
    ];
    assert.deepEqual(usersOf(list.body.messages[0]), usersOf(one.body.message));
    return usersOf(one.body.message);
  };
  const toUser = ({ id }: TestUser, full_name: string, email = `user${id}@localhost`) => ({
    id,
    email,
    full_name,
    is_mirror_dummy: false,
  });
  const others = [toUser(bot, "Bot", bot.email)];
  const known = [
    toUser(owner, "Owner", owner.email),
    toUser(member, "Member"),
    toUser(guest, "Guest", guest.email),
    ...others,
  ];
  const limited = [
    toUser(owner, "Unknown user"),
    toUser(member, "Unknown user"),
    toUser(guest, "Guest", guest.email),
    ...others,
  ];
  assert.deepEqual(await fetched(owner), known);
  assert.deepEqual(await fetched(guest), limited);
  const shown = known.map(({ id, ...user }) => ({ id, ...user, email: `user${id}@localhost` }));
  assert.deepEqual(await fetched(null), shown);
  const received = async (client: TestClient | undefined) =>
    (await client?.receive())?.map(({ user }) => user);
  const toEventUser = ({ id, ...user }: (typeof known)[number]) => ({ user_id: id, ...user });
  assert.deepEqual(await received(ownerClient), known.map(toEventUser));
  assert.deepEqual(await received(guestClient), limited.map(toEventUser));
});

Deno.test("the users of reactions are not read from the store", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const channel = await makeChannel(chat, "Garden");
  for (const content of ["a", "b", "c"]) {
    const id = await send(chat, owner, { to: channel, content });
    for (const emoji_name of ["car", "heart"]) {
      await succeed(chat, member, `POST /messages/${id}/reactions`, { emoji_name });
    }
  }
  const { chat: app } = chat.services;
  const keys: Key[] = [];
  const read = <T>(key: Key) => {
    keys.push(key);
    return app.reads.read<T>(key);
  };
  const caller = await callerOf(chat, chat.moderator);
  const narrow = [{ operator: "channel", operand: channel, negated: false }];
  const { messages } = await fetchMessages({ ...app, reads: { read } }, {
    realm: caller.realm,
    viewer: caller.actingUser,
  }, { ...WINDOW, narrow });
  const fetched: { reactions: readonly unknown[] }[] = messages.texts.map((text) => JSON.parse(text));
  assert.equal(fetched.flatMap(({ reactions }) => reactions).length, 6);
  assert.deepEqual(keys.filter(([, kind]) => kind === "user"), []);
});
