import assert from "node:assert/strict";
import { channelNames } from "@/lib/chat/channels/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { migrate } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { type ApiResponse, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

/** Texts that disguise a name, at the position of their first invalid character. */
const DISGUISES: readonly [name: string, position: number][] = [
  ["pub\u200d", 4],
  ["\u202egnp", 1],
  ["p\u2066ub", 2],
  ["p\u00adub", 2],
  ["pub\u0000x", 4],
  ["pub\nbup", 4],
  ["\u3164", 1],
  ["\u2800", 1],
  ["\u115f", 1],
];
/** Cyrillic er, Latin u and b. */
const MIXED = "рub";

function assertInvalid({ status, body }: ApiResponse, subject: string, position: number): void {
  assert.deepEqual([status, body["code"], body["msg"]], [
    400,
    "BAD_REQUEST",
    `Invalid character in ${subject}, at position ${position}.`,
  ]);
}

/** Calls of the owner that give something a name, with the subject of the error. */
function namings(chat: TestChat, ids: { channel: number; group: number; folder: number }) {
  const { channel, group, folder } = ids;
  return [
    ["POST /channels/create", "name", { subscribers: [] }, "channel name"],
    [`PATCH /streams/${channel}`, "new_name", {}, "channel name"],
    ["POST /user_groups/create", "name", { description: "", members: [] }, "user group name"],
    [`PATCH /user_groups/${group}`, "name", {}, "user group name"],
    ["POST /channel_folders/create", "name", { description: "" }, "channel folder name"],
    [`PATCH /channel_folders/${folder}`, "name", {}, "channel folder name"],
    ["PATCH /realm", "name", {}, "organization name"],
    ["POST /realm/profile_fields", "name", { field_type: 1 }, "label"],
  ].map(([endpoint, parameter, others, subject]) => ({
    subject: String(subject),
    call: (name: string) =>
      chat.call(chat.owner, String(endpoint), { ...Object(others), [String(parameter)]: name }),
  }));
}

async function make(chat: TestChat) {
  const channel = await chat.call(chat.owner, "POST /channels/create", { name: "Pub", subscribers: [] });
  const group = await chat.call(chat.owner, "POST /user_groups/create", {
    ...{ name: "Pub", description: "", members: [] },
  });
  const folder = await chat.call(chat.owner, "POST /channel_folders/create", {
    name: "Pub",
    description: "",
  });
  return {
    channel: Number(channel.body["id"]),
    group: Number(group.body["group_id"]),
    folder: Number(folder.body["channel_folder_id"]),
  };
}

Deno.test("C8: channels, groups, folders, organizations and labels take no disguised name", async () => {
  await using chat = await startChat();
  for (const [number, { subject, call }] of namings(chat, await make(chat)).entries()) {
    for (const [name, position] of DISGUISES) assertInvalid(await call(name), subject, position);
    assertInvalid(await call(MIXED), subject, 2);
    assert.equal((await call(`Команда 日本語 👩‍👩‍👧‍👦 ❤️ ${number}`)).status, 200, subject);
  }
});

Deno.test("C8: names that look the same cannot stand side by side", async () => {
  await using chat = await startChat();
  const { channel } = await make(chat);
  const twins = ["ｐｕｂ", "𝐩𝐮𝐛", "pub", "PUB"];
  for (const name of twins) {
    const created = await chat.call(chat.owner, "POST /channels/create", { name, subscribers: [] });
    assert.deepEqual([created.status, created.body["code"]], [409, "CHANNEL_ALREADY_EXISTS"], name);
    const folder = await chat.call(chat.owner, "POST /channel_folders/create", { name, description: "" });
    assert.deepEqual([folder.status, folder.body["msg"]], [400, "Channel folder name already in use"], name);
  }
  const group = { name: "Ｐｕｂ", description: "", members: [] };
  assert.equal((await chat.call(chat.owner, "POST /user_groups/create", group)).status, 400);
  const renamed = await chat.call(chat.owner, `PATCH /streams/${channel}`, { new_name: "PUB" });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { new_name: "tavern" });
  const freed = await chat.call(chat.owner, "POST /channels/create", { name: "ｐｕｂ", subscribers: [] });
  assert.equal(freed.status, 200, JSON.stringify(freed.body));
});

Deno.test("C8: full names of users and bots take no disguised name", async () => {
  await using chat = await startChat();
  const calls = [
    (name: string) => chat.call(chat.member, "PATCH /settings", { full_name: name }),
    (name: string) => chat.call(chat.owner, `PATCH /users/${chat.guest.id}`, { full_name: name }),
    (name: string) => chat.call(chat.owner, `PATCH /bots/${chat.bot.id}`, { full_name: name }),
    (name: string) => chat.call(chat.member, "POST /bots", { full_name: name, short_name: "helper" }),
  ];
  for (const call of calls) {
    for (const name of [...DISGUISES.map(([disguise]) => disguise), "Аdmin"]) {
      const { status, body } = await call(name);
      assert.deepEqual([status, body["msg"]], [400, "Invalid characters in name!"], JSON.stringify(name));
    }
    assert.equal((await call("Zoë Иванова 👩🏽‍💻")).status, 200);
  }
});

Deno.test("C8: new topics, statuses, snippets and descriptions take no disguised text", async () => {
  await using chat = await startChat();
  const { channel } = await make(chat);
  await chat.call(chat.owner, "POST /users/me/subscriptions", { subscriptions: [{ name: "Pub" }] });
  const send = (topic: string) =>
    chat.call(chat.owner, "POST /messages", { type: "stream", to: channel, topic, content: "Hello" });
  const snippet = (title: string) => chat.call(chat.member, "POST /saved_snippets", { title, content: "Hi" });
  const status = (text: string) => chat.call(chat.member, "POST /users/me/status", { status_text: text });
  for (const [text, position] of DISGUISES) {
    assertInvalid(await send(text), "topic", position);
    // These endpoints drop NUL characters.
    if (text.includes("\0")) continue;
    assertInvalid(await status(text), "status_text", position);
    assertInvalid(await snippet(text), "title", position);
  }
  for (const set of [send, status, snippet]) assert.equal((await set("Δx 🎉 done ✔ ❤️")).status, 200);
  const describe = (description: string) =>
    chat.call(chat.owner, `PATCH /streams/${channel}`, { description });
  assertInvalid(await describe("see \u202egnp"), "description", 5);
  assert.equal((await describe("one\ntwo\tthree")).status, 200);
});

Deno.test("C8: channels and topics of an earlier version keep their names and stay usable", async () => {
  await using chat = await startChat();
  const { channel } = await make(chat);
  const realmId = chat.realm.id;
  const { kv } = chat.services.store;
  const [oldName, oldTopic] = ["pub\u200d", "\u202egnp"];
  const stored = await readRecord<ChannelRecord>(kv, channelKeys.channel(realmId, channel));
  assert.ok(stored !== null);
  await writeRows(chat.services.store, [
    [channelKeys.channel(realmId, channel), { ...stored, name: oldName }],
    [channelNames.key(realmId, "Pub"), undefined],
    [[realmId, "channel_by_form", "pub"], undefined],
    [channelNames.key(realmId, oldName), channel],
    [messageKeys.topic(realmId, channel, oldTopic), { name: oldTopic }],
  ]);
  await kv.set(["schema_version"], 3);
  await migrate(chat.services.store, MIGRATIONS);
  const subscribed = await chat.call(chat.member, "POST /users/me/subscriptions", {
    subscriptions: [{ name: oldName }],
  });
  assert.deepEqual([subscribed.status, Object.values(subscribed.body["subscribed"])], [200, [[oldName]]]);
  const sent = await chat.call(chat.member, "POST /messages", {
    ...{ type: "stream", to: oldName, topic: oldTopic, content: "Hello" },
  });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const muted = await chat.call(chat.member, "POST /user_topics", {
    ...{ stream_id: channel, topic: oldTopic, visibility_policy: 1 },
  });
  assert.equal(muted.status, 200);
  const described = await chat.call(chat.owner, `PATCH /streams/${channel}`, { description: "Drinks" });
  assert.equal(described.status, 200, JSON.stringify(described.body));
  const twin = await chat.call(chat.owner, "POST /channels/create", { name: "Pub", subscribers: [] });
  assert.equal(twin.status, 409);
});
