import assert from "node:assert/strict";
import { checkMessages } from "@/lib/cli/check_messages.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { indexWords } from "@/tests/casts/word_index_cast.ts";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";

async function assertConsistent(chat: TestChat, channelIds: readonly number[]): Promise<void> {
  const problems: string[] = [];
  const of = { realmId: chat.realm.id, channelIds: new Set(channelIds) };
  await checkMessages(chat.services.store.kv, of, (problem) => void problems.push(problem));
  assert.deepEqual(problems, []);
}

/** Kind of the counter of changes, which grows with a deletion. */
const COUNTER = "message_changes";

/** Lists the stored keys that depend on messages. */
async function listMessageKeys(chat: TestChat): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of chat.services.store.kv.list({ prefix: [chat.realm.id] })) {
    if (key[1] === COUNTER) continue;
    if (/message|^topic|word|mention|moved|rendered|reaction/.test(String(key[1]))) keys.push(key.join(" "));
  }
  return keys;
}

async function assertDeleteRefused(chat: TestChat, user: TestUser, id: number, msg: string): Promise<void> {
  const { status, body } = await chat.call(user, `DELETE /messages/${id}`);
  assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", msg]);
}

Deno.test("DELETE /messages/{message_id} deletes a message, and its topic with the last one", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await indexWords(chat);
  const before = await listMessageKeys(chat);
  const content = `roses @**Moderator|${chat.moderator.id}**`;
  const first = await send(chat, chat.member, { to: channel, content });
  const second = await send(chat, chat.member, { to: channel, content: `${"<é&😀>".repeat(1600)}` });
  await indexWords(chat);
  await chat.call(chat.member, `PATCH /messages/${first}`, { content: "tulips" });
  await chat.events();
  const answer = await chat.call(chat.admin, `DELETE /messages/${first}`);
  assert.deepEqual([answer.status, answer.body], [200, { result: "success", msg: "" }]);
  assert.deepEqual(await chat.events(), [{
    event: {
      type: "delete_message",
      message_ids: [first],
      message_type: "stream",
      stream_id: channel,
      topic: "plans",
    },
    audience: { channel },
  }]);
  await assertDeleteRefused(chat, chat.admin, first, "Invalid message(s)");
  assert.equal(
    (await chat.call(chat.owner, `GET /messages/${first}/history`)).body.msg,
    "Invalid message(s)",
  );
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), [second]);
  await assertConsistent(chat, [channel]);
  assert.equal((await chat.call(chat.owner, `DELETE /messages/${second}`)).status, 200);
  await assertConsistent(chat, [channel]);
  await indexWords(chat);
  await assertConsistent(chat, [channel]);
  assert.deepEqual(await listMessageKeys(chat), before);
});

Deno.test("DELETE /messages/{message_id} requires an administrator or a permission", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const [first = 0, second = 0, third = 0] = [
    await send(chat, chat.member, { to: channel, content: "1" }),
    await send(chat, chat.member, { to: channel, content: "2" }),
    await send(chat, chat.owner, { to: channel, content: "3" }),
  ];
  const denied = "You don't have permission to delete this message";
  assert.equal((await chat.call(null, `DELETE /messages/${first}`)).status, 401);
  await chat.call(chat.owner, "PATCH /realm", {
    can_delete_own_message_group: { new: { direct_members: [], direct_subgroups: [] } },
  });
  for (const user of [chat.moderator, chat.member, chat.bot]) {
    await assertDeleteRefused(chat, user, first, denied);
  }
  for (const user of [chat.guest, chat.outsider]) {
    await assertDeleteRefused(chat, user, first, "Invalid message(s)");
  }
  await assertDeleteRefused(chat, chat.admin, 99_999, "Invalid message(s)");
  const named = ({ id }: TestUser) => ({ new: { direct_members: [id], direct_subgroups: [] } });
  await chat.call(chat.owner, `PATCH /streams/${channel}`, {
    can_delete_own_message_group: named(chat.member),
    can_delete_any_message_group: named(chat.moderator),
  });
  await assertDeleteRefused(chat, chat.member, third, denied);
  assert.equal((await chat.call(chat.member, `DELETE /messages/${first}`)).status, 200);
  assert.equal((await chat.call(chat.moderator, `DELETE /messages/${second}`)).status, 200);
  assert.equal((await chat.call(chat.owner, `DELETE /streams/${channel}`)).status, 200);
  await assertDeleteRefused(chat, chat.admin, third, "Invalid message(s)");
  await assertConsistent(chat, [channel]);
});

Deno.test("members delete their own messages within the organization's time limit, and administrators any", async () => {
  await using chat = await startChat();
  const { member, moderator, admin } = chat;
  const channel = await makeChannel(chat, "Garden");
  const post = (content: string) => send(chat, member, { to: channel, content });
  const limit = async (message_content_delete_limit_seconds: unknown) => {
    const { status, body } = await chat.call(admin, "PATCH /realm", { message_content_delete_limit_seconds });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const [first, second, third] = [await post("1"), await post("2"), await post("3")];
  const direct = await sendDirect(chat, member, [moderator], "psst");
  const late = "The time limit for deleting this message has passed";
  const denied = "You don't have permission to delete this message";
  for (const id of [first, direct]) await assertDeleteRefused(chat, moderator, id, denied);
  for (const id of [first, direct]) {
    assert.equal((await chat.call(member, `DELETE /messages/${id}`)).status, 200);
  }
  chat.clock.time += 601_000;
  await assertDeleteRefused(chat, member, second, late);
  await limit("unlimited");
  assert.equal((await chat.call(member, `DELETE /messages/${second}`)).status, 200);
  await limit(60);
  await assertDeleteRefused(chat, member, third, late);
  const { body } = await chat.call(member, "POST /register", { fetch_event_types: ["realm"] });
  assert.equal(body.realm_message_content_delete_limit_seconds, 60);
  assert.equal((await chat.call(admin, `DELETE /messages/${third}`)).status, 200);
});

Deno.test("administrators can delete messages of their own conversations only", async () => {
  await using chat = await startChat();
  const own = await sendDirect(chat, chat.member, [chat.admin], "psst");
  const other = await sendDirect(chat, chat.member, [chat.owner], "psst");
  await assertDeleteRefused(chat, chat.admin, other, "Invalid message(s)");
  await chat.events();
  assert.equal((await chat.call(chat.admin, `DELETE /messages/${own}`)).status, 200);
  assert.deepEqual(await chat.events(), [{
    event: { type: "delete_message", message_ids: [own], message_type: "private" },
    audience: [chat.member.id, chat.admin.id].sort((one, another) => one - another),
  }]);
  assert.deepEqual(await fetchMessageIds(chat, chat.member), [other]);
  await assertConsistent(chat, []);
});

Deno.test("concurrent requests delete a message once", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids = await Promise.all(
    [1, 2].map((no) => send(chat, chat.member, { to: channel, content: `${no}` })),
  );
  const answers = await Promise.all(
    [chat.owner, chat.admin].flatMap((user) => ids.map((id) => chat.call(user, `DELETE /messages/${id}`))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 400, 400]);
  await assertConsistent(chat, [channel]);
});
