import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { allowSpectators, createChannel, readChannel } from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "@/tests/casts/user_groups_cast.ts";

// GET /streams, GET /streams/{stream_id}, GET /get_stream_id

interface Listed {
  readonly stream_id: number;
  readonly name: string;
  readonly is_default?: boolean;
}

async function list(chat: TestChat, caller: TestUser, sent: object = {}): Promise<Listed[]> {
  const { status, body } = await chat.call(caller, "GET /streams", { ...sent });
  assert.equal(status, 200, JSON.stringify(body));
  return body.streams;
}

async function names(chat: TestChat, caller: TestUser, sent: object = {}): Promise<string[]> {
  return (await list(chat, caller, sent)).map(({ name }) => name);
}

/**
 * Creates one channel of each kind; member and guest are subscribed to those named theirs and the archived
 * one.
 */
async function createKinds(chat: TestChat): Promise<Readonly<Record<string, number>>> {
  await allowSpectators(chat);
  const subscribers = [chat.member.id, chat.guest.id];
  const create = (name: string, sent: object = {}) => createChannel(chat, chat.owner, { name, ...sent });
  const ids = {
    Public: await create("Public"),
    theirs: await create("theirs", { subscribers }),
    secret: await create("secret", { invite_only: true }),
    "Their secret": await create("Their secret", { invite_only: true, subscribers }),
    web: await create("web", { is_web_public: true }),
    gone: await create("gone", { subscribers }),
  };
  assertSuccess(await chat.call(chat.owner, `DELETE /streams/${ids.gone}`));
  return ids;
}

Deno.test("GET /streams lists channels with metadata access by name", async () => {
  await using chat = await startChat();
  await createKinds(chat);
  assert.deepEqual(await names(chat, chat.member), ["Public", "Their secret", "theirs", "web"]);
  assert.deepEqual(await names(chat, chat.moderator), ["Public", "theirs", "web"]);
  assert.deepEqual(await names(chat, chat.bot), ["Public", "theirs", "web"]);
  assert.deepEqual(await names(chat, chat.guest), ["Their secret", "theirs"]);
  assert.deepEqual(await names(chat, chat.owner), ["Public", "theirs", "web"]);
  assert.deepEqual(await names(chat, chat.outsider), []);
});

Deno.test("GET /streams filters by its parameters", async () => {
  await using chat = await startChat();
  await createKinds(chat);
  const none = { include_public: false, include_subscribed: false };
  const of = (caller: TestUser, sent: object) => names(chat, caller, { ...none, ...sent });
  assert.deepEqual(await of(chat.member, {}), []);
  assert.deepEqual(await of(chat.member, { include_subscribed: true }), ["Their secret", "theirs"]);
  assert.deepEqual(await of(chat.member, { include_public: true }), ["Public", "theirs", "web"]);
  assert.deepEqual(await of(chat.guest, { include_public: true }), []);
  assert.deepEqual(await of(chat.guest, { include_web_public: true }), ["web"]);
  const withGone = { include_subscribed: true, exclude_archived: false };
  assert.deepEqual(await of(chat.guest, withGone), ["gone", "Their secret", "theirs"]);
  const readable = { include_can_access_content: true };
  assert.deepEqual(await of(chat.guest, readable), ["Their secret", "theirs", "web"]);
  assert.deepEqual(await of(chat.admin, readable), ["Public", "theirs", "web"]);
  const all = ["Public", "secret", "Their secret", "theirs", "web"];
  assert.deepEqual(await of(chat.admin, { include_all: true }), all);
  assert.deepEqual(await of(chat.member, { include_all: true }), ["Public", "Their secret", "theirs", "web"]);
  assert.deepEqual(await of(chat.moderator, { include_all: true }), ["Public", "theirs", "web"]);
  assert.deepEqual(await of(chat.guest, { include_all: true }), ["Their secret", "theirs", "web"]);
});

Deno.test("GET /streams lists the channels of a bot's owner that the bot has metadata access to", async () => {
  await using chat = await startChat();
  await createKinds(chat);
  const owned = { include_public: false, include_owner_subscribed: true };
  assert.deepEqual(await names(chat, chat.bot, owned), ["theirs"]);
  const named = { direct_members: [chat.bot.id], direct_subgroups: [] };
  const sent = {
    name: "shared",
    invite_only: true,
    subscribers: [chat.member.id],
    can_subscribe_group: named,
  };
  await createChannel(chat, chat.owner, sent);
  assert.deepEqual(await names(chat, chat.bot, owned), ["shared", "theirs"]);
  assert.deepEqual(await names(chat, chat.member, { ...owned, include_subscribed: false }), []);
});

Deno.test("GET /streams includes is_default on request, and returns channels as GET /streams/{stream_id} does", async () => {
  await using chat = await startChat();
  const subscribers = [chat.guest.id, chat.moderator.id];
  const id = await createChannel(chat, chat.admin, { is_default_stream: true, subscribers });
  const other = await createChannel(chat, chat.admin, { description: "<i>" });
  const plain = await list(chat, chat.member, { zebra: 1 });
  for (const channel of plain) assert.deepEqual(channel, await readChannel(chat, channel.stream_id));
  const channels = await list(chat, chat.member, { include_default: true });
  assert.deepEqual(
    new Map(channels.map((channel) => [channel.stream_id, channel.is_default])),
    new Map([[id, true], [other, false]]),
  );
  const answer = await chat.call(chat.member, "GET /streams", { zebra: 1, include_public: false });
  assertSuccess(answer, { streams: [], ignored_parameters_unsupported: ["zebra"] });
});

Deno.test("GET /streams/{stream_id} leaves deactivated users out of permissions", async () => {
  await using chat = await startChat();
  const named = { direct_members: [chat.moderator.id, chat.member.id], direct_subgroups: [] };
  const id = await createChannel(chat, chat.owner, { can_send_message_group: named });
  await setActive(chat, chat.moderator, false);
  const { can_send_message_group } = await readChannel(chat, id);
  assert.deepEqual(can_send_message_group, { direct_members: [chat.member.id], direct_subgroups: [] });
});

Deno.test("GET /streams refuses callers without credentials and parameters of a wrong type", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(null, "GET /streams")).status, 401);
  const wishes = [
    "include_public",
    "include_web_public",
    "include_subscribed",
    "exclude_archived",
    "include_all",
    "include_default",
    "include_owner_subscribed",
    "include_can_access_content",
  ];
  for (const name of wishes) {
    const call = (value: unknown) => chat.call(chat.member, "GET /streams", { [name]: value });
    assertRefusal(await call(1), `${name} is not a boolean`);
    assertRefusal(await call("True"), `${name} is not valid JSON`);
  }
});

Deno.test("GET /get_stream_id finds a channel by name in any letter case, with metadata access", async () => {
  await using chat = await startChat();
  const ids = await createKinds(chat);
  const find = (caller: TestUser | null, stream: string) =>
    chat.call(caller, "GET /get_stream_id", { stream });
  assertSuccess(await find(chat.member, "PUBLIC"), { stream_id: ids["Public"] });
  assertSuccess(await find(chat.guest, "their SECRET "), { stream_id: ids["Their secret"] });
  assertSuccess(await find(chat.member, "gone"), { stream_id: ids["gone"] });
  for (
    const [caller, name] of [[chat.guest, "Public"], [chat.member, "secret"], [chat.outsider, "web"]] as const
  ) {
    assertRefusal(await find(caller, name), `Invalid channel name '${name}'`);
  }
  for (const name of ["nothing", "", "x".repeat(3000)]) {
    assertRefusal(await find(chat.owner, name), `Invalid channel name '${name}'`);
  }
  assert.equal((await find(null, "Public")).status, 401);
  const missing = await chat.call(chat.member, "GET /get_stream_id");
  assertRefusal(missing, "Missing 'stream' argument", "REQUEST_VARIABLE_MISSING");
  const known = await chat.call(chat.member, "GET /get_stream_id", { stream: "web", zebra: 1 });
  assertSuccess(known, { stream_id: ids["web"], ignored_parameters_unsupported: ["zebra"] });
});
