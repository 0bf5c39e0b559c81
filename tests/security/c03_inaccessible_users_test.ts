import assert from "node:assert/strict";
import {
  assertIndistinguishable,
  NO_ADDRESS,
  NO_ID,
  startChat,
  type TestRequest,
  type Walker,
  walkTwice,
} from "@/tests/casts/hidden_accounts_cast.ts";
import { type ReceivedEvent, registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { createField } from "@/tests/casts/profile_fields_cast.ts";
import { limitGuests } from "@/tests/casts/user_status_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { loadMember } from "@/tests/load/load_realm.ts";
import { addPeople } from "@/tests/seeding/seed_people.ts";

const WINDOW = { anchor: "newest", num_before: 5, num_after: 0 };

/** Asserts that a restricted guest's requests are answered for the admin as for an account that does not exist. */
async function assertUnknown(
  chat: TestChat,
  requests: readonly ((id: number) => TestRequest)[],
): Promise<number[]> {
  await limitGuests(chat);
  const statuses: number[] = [];
  for (const toRequest of requests) {
    const names = { hidden: chat.admin.id, unknown: NO_ID };
    statuses.push((await assertIndistinguishable(chat, chat.guest, { toRequest, ...names })).status);
  }
  return statuses;
}

Deno.test("C3: a restricted guest's mention of an account is text, like one of no account", async () => {
  await using chat = await startChat();
  const mentions = (id: number, name: string) =>
    `@**|${id}** @_**|${id}** @**${name}|${id}** @_**${name}** @**${name}**`;
  const render = async (content: string) => {
    const { status, body } = await chat.call(chat.guest, "POST /messages/render", { content });
    assert.equal(status, 200);
    return body.rendered;
  };
  assert.equal((await render(mentions(chat.admin.id, "Admin"))).match(/data-user-id/g)?.length, 5);
  await assertUnknown(chat, [(id) => ["POST /messages/render", { content: `@**|${id}** @_**Rose|${id}**` }]]);
  const hidden = await render(mentions(chat.admin.id, "Admin"));
  const unknown = await render(mentions(NO_ID, "Nobody"));
  assert.equal(
    hidden.replaceAll(`${chat.admin.id}`, "…").replaceAll("Admin", "…"),
    unknown
      .replaceAll(`${NO_ID}`, "…").replaceAll("Nobody", "…"),
  );
  assert.match(await render(mentions(chat.bot.id, "Bot")), /data-user-id/);
  assert.match(await render(mentions(chat.guest.id, "Guest")), /data-user-id/);
});

Deno.test("C3: a restricted guest cannot write to an account by id, address, draft or scheduled message", async () => {
  await using chat = await startChat();
  const direct = (to: unknown): TestRequest => ["POST /messages", { type: "direct", to, content: "hi" }];
  const scheduled = { type: "direct", content: "hi", scheduled_delivery_timestamp: 4_000_000_000 };
  const draft = (to: unknown) => ({ type: "private", to, topic: "", content: "hi" });
  assert.deepEqual(
    await assertUnknown(chat, [
      (id) => direct([id]),
      (id) => direct([chat.bot.id, id]),
      (id) => direct([id, chat.guest.id]),
      (id) => ["POST /typing", { op: "start", to: [id] }],
      (id) => ["POST /typing", { op: "stop", to: [chat.bot.id, id], type: "direct" }],
      (id) => ["POST /drafts", { drafts: [draft([id])] }],
      (id) => ["POST /drafts", { drafts: [draft([chat.bot.id, id])] }],
      (id) => ["POST /scheduled_messages", { ...scheduled, to: [id] }],
    ]),
    [400, 400, 400, 400, 400, 400, 400, 400],
  );
  for (const hidden of [chat.admin.email, `user${chat.admin.id}@localhost`]) {
    const toRequest = (address: string) => direct([address]);
    await assertIndistinguishable(chat, chat.guest, { toRequest, hidden, unknown: NO_ADDRESS });
  }
  assert.equal((await chat.call(chat.guest, ...direct([chat.bot.id]))).status, 200);
});

Deno.test("C3: of an account and no account, a restricted guest learns nothing by the order of the recipients", async () => {
  await using chat = await startChat();
  await limitGuests(chat);
  const other = NO_ID + 1;
  for (const endpoint of ["POST /messages", "POST /typing"]) {
    const answerTo = async (to: readonly number[]) =>
      (await chat.call(chat.guest, endpoint, { type: "direct", op: "start", to, content: "hi" })).body.msg;
    assert.equal(await answerTo([chat.admin.id, other]), `Invalid user ID ${chat.admin.id}`);
    assert.equal(await answerTo([other, other + 1]), `Invalid user ID ${other}`);
  }
});

Deno.test("C3: a restricted guest continues the conversations that others began", async () => {
  await using chat = await startChat();
  await sendDirect(chat, chat.admin, [chat.guest], "hello");
  await limitGuests(chat);
  for (const to of [[chat.admin.id], [chat.admin.email], chat.admin.email]) {
    const { status } = await chat.call(chat.guest, "POST /messages", { type: "direct", to, content: "hi" });
    assert.equal(status, 200);
  }
  const typing = { op: "start", to: [chat.admin.id] };
  assert.equal((await chat.call(chat.guest, "POST /typing", typing)).status, 200);
  const more = { type: "direct", to: [chat.admin.id, chat.bot.id], content: "hi" };
  assert.equal(
    (await chat.call(chat.guest, "POST /messages", more)).body.msg,
    `Invalid user ID ${chat.admin.id}`,
  );
});

Deno.test("C3: a restricted guest's requests about an account are refused like ones about none", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden", { subscribers: [chat.owner.id, chat.guest.id] });
  const field = await createField(chat, { name: "Mentor", field_type: 6 });
  const subscriptions = [{ name: "Garden" }];
  const statuses = await assertUnknown(chat, [
    (id) => [`GET /users/${id}`],
    (id) => [`PATCH /users/${id}`, { full_name: "Rose" }],
    (id) => [`DELETE /users/${id}`],
    (id) => [`POST /users/${id}/reactivate`],
    (id) => [`GET /users/${id}/presence`],
    (id) => [`GET /users/${id}/status`],
    (id) => [`POST /users/me/muted_users/${id}`],
    (id) => [`DELETE /users/me/muted_users/${id}`],
    (id) => [`POST /users/${id}/status`, { status_text: "away" }],
    (id) => [`GET /users/${id}/subscriptions/${channel}`],
    (id) => ["POST /users/me/subscriptions", { subscriptions, principals: [id] }],
    (id) => ["DELETE /users/me/subscriptions", { subscriptions: ["Garden"], principals: [id] }],
    (id) => ["PATCH /users/me/profile_data", { data: [{ id: field, value: [id] }] }],
  ]);
  assert.deepEqual(new Set(statuses), new Set([400]));
  const { body } = await chat.call(chat.guest, "GET /users", { user_ids: [chat.admin.id, chat.bot.id] });
  assert.deepEqual(body.members.map(({ user_id }: { user_id: number }) => user_id), [chat.bot.id]);
});

/** Starts a server on which a user without trace in channels and groups has an id that nothing else has. */
async function startWalker(
  toLeaves: (user: { id: number; email: string }) => Walker["leaves"],
): Promise<Walker> {
  const chat = await startChat();
  await addPeople(chat.services.chat, chat.realm, Array.from({ length: 120 }, (_, at) => loadMember(at)));
  const hidden = await chat.add("hidden");
  const stream_id = await makeChannel(chat, "Garden", { subscribers: [chat.owner.id, chat.guest.id] });
  const message_id = await send(chat, chat.guest, { to: stream_id, content: "hello" });
  const field_id = await createField(chat, { name: "Mentor", field_type: 6 });
  await limitGuests(chat);
  const usual = {
    ...{ stream_id, message_id, field_id, type: "direct", to: [chat.bot.id], anchor: "newest" },
    subscriptions: [{ name: "Garden" }],
  };
  return { chat, caller: chat.guest, leaves: toLeaves(hidden), usual };
}

Deno.test("C3: no operation of /openapi.json distinguishes an inaccessible account's id from an unknown one", async () => {
  const one = await startWalker(({ id }) => ({ text: "roses", integer: id }));
  const other = await startWalker(({ id }) => ({ text: "roses", integer: id + 10 }));
  await using _one = one.chat;
  await using _other = other.chat;
  const { differences, count } = await walkTwice("integer", [one, other]);
  assert.deepEqual(differences, []);
  assert.ok(count > 150, `${count} requests`);
});

Deno.test("C3: no operation of /openapi.json distinguishes an inaccessible account's address from an unknown one", async () => {
  const one = await startWalker(({ email }) => ({ text: email, integer: 1 }));
  const other = await startWalker(() => ({ text: NO_ADDRESS, integer: 1 }));
  await using _one = one.chat;
  await using _other = other.chat;
  const { differences } = await walkTwice("text", [one, other]);
  assert.deepEqual(differences.filter((line) => !/ email\n/.test(line)), []);
});

Deno.test("C3: a narrow by an inaccessible account's address is refused like one by an unknown address", async () => {
  await using chat = await startChat();
  await limitGuests(chat);
  for (const operator of ["sender", "dm", "dm-including"]) {
    for (const hidden of [chat.admin.email, `user${chat.admin.id}@localhost`]) {
      const { status } = await assertIndistinguishable(chat, chat.guest, {
        toRequest: (address: string) => ["GET /messages", { ...WINDOW, narrow: [[operator, address]] }],
        hidden,
        unknown: NO_ADDRESS,
      });
      assert.equal(status, 400);
    }
  }
});

Deno.test("C3: a restricted guest sees no other members of groups", async () => {
  await using chat = await startChat();
  const members = [chat.admin, chat.member, chat.guest, chat.bot].map(({ id }) => id);
  const sent = { name: "Roses", description: "", members };
  assert.equal((await chat.call(chat.owner, "POST /user_groups/create", sent)).status, 200);
  await limitGuests(chat);
  const listMembers = async (caller: TestUser, client_capabilities = {}) => {
    const { body } = await chat.call(caller, "POST /register", { client_capabilities });
    return new Set(body.realm_user_groups.flatMap((group: { members: number[] }) => group.members));
  };
  for (const capabilities of [{}, { include_deactivated_groups: true }]) {
    assert.deepEqual(await listMembers(chat.guest, capabilities), new Set([chat.guest.id, chat.bot.id]));
    assert.ok((await listMembers(chat.member, capabilities)).has(chat.admin.id));
  }
});

Deno.test("C3: a restricted guest receives no events about other members of groups", async () => {
  await using chat = await startChat();
  await limitGuests(chat);
  const event_types = ["user_group"];
  const guest = await registerClient(chat, chat.guest, { event_types });
  const moderator = await registerClient(chat, chat.moderator, { event_types });
  const members = [chat.admin.id, chat.bot.id];
  const sent = { name: "Roses", description: "", members };
  const { group_id } = (await chat.call(chat.owner, "POST /user_groups/create", sent)).body;
  for (const change of [{ add: [chat.member.id] }, { add: [chat.guest.id] }, { delete: members }]) {
    const { status } = await chat.call(chat.owner, `POST /user_groups/${group_id}/members`, change);
    assert.equal(status, 200);
  }
  const toChange = ({ op, user_ids, group }: ReceivedEvent) => [op, user_ids ?? group.members];
  assert.deepEqual((await guest.receive()).map(toChange), [
    ["add", [chat.bot.id]],
    ["add_members", [chat.guest.id]],
    ["remove_members", [chat.bot.id]],
  ]);
  assert.deepEqual((await moderator.receive()).map(toChange), [
    ["add", members],
    ["add_members", [chat.member.id]],
    ["add_members", [chat.guest.id]],
    ["remove_members", members],
  ]);
});

Deno.test("C3: restricting guests ends the queues that have received members of groups", async () => {
  await using chat = await startChat();
  const client = await registerClient(chat, chat.guest, { event_types: ["user_group"] });
  await limitGuests(chat);
  assert.equal(await client.receiveUnlessEnded(), null);
});
