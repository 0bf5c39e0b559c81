import assert from "node:assert/strict";
import { checkMessages } from "@/lib/cli/check_messages.ts";
import type { Person, TestChat } from "@/tests/helpers/chat.ts";
import { idsOf, makeChannel, send, sendDirect, startChat } from "./messages_cast.ts";

async function requireSound(chat: TestChat, channelIds: readonly number[]): Promise<void> {
  const problems: string[] = [];
  const of = { realmId: chat.realm.id, channelIds: new Set(channelIds) };
  await checkMessages(chat.services.store.kv, of, (problem) => void problems.push(problem));
  assert.deepEqual(problems, []);
}

/** What hangs on messages in the store. */
async function keysOf(chat: TestChat): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of chat.services.store.kv.list({ prefix: [chat.realm.id] })) {
    if (/message|^topic|word|mention|moved|rendered|reaction/.test(String(key[1]))) keys.push(key.join(" "));
  }
  return keys;
}

async function requireRefused(chat: TestChat, who: Person, id: number, msg: string): Promise<void> {
  const { status, body } = await chat.call(who, `DELETE /messages/${id}`);
  assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", msg]);
}

Deno.test("DELETE /messages/{message_id} takes a message away, and its topic with the last one", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const before = await keysOf(chat);
  const content = `roses @**Moderator|${chat.moderator.id}**`;
  const first = await send(chat, chat.member, { to: channel, content });
  const second = await send(chat, chat.member, { to: channel, content: `${"<é&😀>".repeat(1600)}` });
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
  await requireRefused(chat, chat.admin, first, "Invalid message(s)");
  assert.equal(
    (await chat.call(chat.owner, `GET /messages/${first}/history`)).body.msg,
    "Invalid message(s)",
  );
  assert.deepEqual(await idsOf(chat, chat.owner), [second]);
  await requireSound(chat, [channel]);
  assert.equal((await chat.call(chat.owner, `DELETE /messages/${second}`)).status, 200);
  await requireSound(chat, [channel]);
  assert.deepEqual(await keysOf(chat), before);
});

Deno.test("who may delete: administrators, and whom the channel names, everything or their own", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const [first = 0, second = 0, third = 0] = [
    await send(chat, chat.member, { to: channel, content: "1" }),
    await send(chat, chat.member, { to: channel, content: "2" }),
    await send(chat, chat.owner, { to: channel, content: "3" }),
  ];
  const denied = "You don't have permission to delete this message";
  assert.equal((await chat.call(null, `DELETE /messages/${first}`)).status, 401);
  for (const who of [chat.moderator, chat.member, chat.bot]) await requireRefused(chat, who, first, denied);
  for (const who of [chat.guest, chat.outsider]) await requireRefused(chat, who, first, "Invalid message(s)");
  await requireRefused(chat, chat.admin, 99_999, "Invalid message(s)");
  const named = ({ id }: Person) => ({ new: { direct_members: [id], direct_subgroups: [] } });
  await chat.call(chat.owner, `PATCH /streams/${channel}`, {
    can_delete_own_message_group: named(chat.member),
    can_delete_any_message_group: named(chat.moderator),
  });
  await requireRefused(chat, chat.member, third, denied);
  assert.equal((await chat.call(chat.member, `DELETE /messages/${first}`)).status, 200);
  assert.equal((await chat.call(chat.moderator, `DELETE /messages/${second}`)).status, 200);
  assert.equal((await chat.call(chat.owner, `DELETE /streams/${channel}`)).status, 200);
  await requireRefused(chat, chat.admin, third, "Invalid message(s)");
  await requireSound(chat, [channel]);
});

Deno.test("administrators delete their own conversations' messages, and never those of others", async () => {
  await using chat = await startChat();
  const own = await sendDirect(chat, chat.member, [chat.admin], "psst");
  const other = await sendDirect(chat, chat.member, [chat.owner], "psst");
  await requireRefused(chat, chat.admin, other, "Invalid message(s)");
  await chat.events();
  assert.equal((await chat.call(chat.admin, `DELETE /messages/${own}`)).status, 200);
  assert.deepEqual(await chat.events(), [{
    event: { type: "delete_message", message_ids: [own], message_type: "private" },
    audience: [chat.member.id, chat.admin.id].sort((one, another) => one - another),
  }]);
  assert.deepEqual(await idsOf(chat, chat.member), [other]);
  await requireSound(chat, []);
});

Deno.test("a message is deleted once, however many try at the same time", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids = await Promise.all(
    [1, 2].map((no) => send(chat, chat.member, { to: channel, content: `${no}` })),
  );
  const answers = await Promise.all(
    [chat.owner, chat.admin].flatMap((who) => ids.map((id) => chat.call(who, `DELETE /messages/${id}`))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 400, 400]);
  await requireSound(chat, [channel]);
});
