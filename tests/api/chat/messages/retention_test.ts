import assert from "node:assert/strict";
import { createRetentionWorker } from "@/lib/services/chat_workers.ts";
import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { indexWords, listIndexed } from "@/tests/casts/word_index_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function sweep(chat: TestChat): Promise<number> {
  return createRetentionWorker(chat.services.chat, (error) => assert.fail(String(error))).sweep();
}

async function setRetention(chat: TestChat, channel: number, days: unknown): Promise<void> {
  const { status } = await chat.call(chat.owner, `PATCH /streams/${channel}`, {
    message_retention_days: days,
  });
  assert.equal(status, 200);
}

Deno.test("the retention worker deletes expired messages with their index entries", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden", { message_retention_days: 7 });
  const attic = await makeChannel(chat, "Attic");
  const old = await send(chat, chat.member, { to: garden, topic: "roses", content: "prune" });
  const kept = await send(chat, chat.member, { to: attic, topic: "roses", content: "prune" });
  const direct = await sendDirect(chat, chat.member, [chat.owner], "prune");
  chat.clock.time += 7 * DAY_MS;
  const young = await send(chat, chat.member, { to: garden, topic: "weeds", content: "prune" });
  assert.equal(await sweep(chat), 0);
  chat.clock.time += 1;
  assert.equal(await sweep(chat), 2);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), [kept, direct, young]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["search", "prune"]] }), [
    kept,
    direct,
    young,
  ]);
  assert.equal((await chat.call(chat.owner, `GET /messages/${old}`)).body.msg, "Invalid message(s)");
  await indexWords(chat);
  assert.deepEqual(await listIndexed(chat, "prune"), [kept, direct, young]);
  const { topics } = (await chat.call(chat.owner, `GET /users/me/${garden}/topics`)).body;
  assert.deepEqual(topics.map(({ name }: { name: string }) => name), ["weeds"]);
  assert.equal(await sweep(chat), 0);
});

Deno.test("a channel without a retention limit loses no messages", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden", { message_retention_days: 1 });
  const id = await send(chat, chat.member, { to: garden, content: "stay" });
  chat.clock.time += 2 * DAY_MS;
  await setRetention(chat, garden, "unlimited");
  assert.equal(await sweep(chat), 0);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), [id]);
});

Deno.test("two servers that sweep concurrently delete each message once", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden", { message_retention_days: 1 });
  for (let at = 0; at < 12; at++) await send(chat, chat.member, { to: garden, content: `no. ${at}` });
  await chat.events();
  chat.clock.time += 2 * DAY_MS;
  await Promise.all([sweep(chat), sweep(chat)]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), []);
  const deletions = (await chat.events()).filter(({ event }) => event.type === "delete_message");
  assert.equal(deletions.length, 13);
});

Deno.test("a message that cannot be deleted is reported in each sweep and does not block others", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden", { message_retention_days: 1 });
  const meadow = await makeChannel(chat, "Meadow", { message_retention_days: 1 });
  const broken = await send(chat, chat.member, { to: garden, content: "broken" });
  await send(chat, chat.member, { to: garden, content: "behind it" });
  await send(chat, chat.member, { to: meadow, content: "elsewhere" });
  const { kv } = chat.services.store;
  const key = messageKeys.message(chat.realm.id, broken);
  const whole = await readRecord<MessageRecord>(kv, key);
  await kv.set([...key], { ...whole, mentions: null });
  chat.clock.time += 2 * DAY_MS;
  const young = await send(chat, chat.member, { to: garden, content: "young" });
  const reported: unknown[] = [];
  const retention = createRetentionWorker(chat.services.chat, (error) => void reported.push(error));
  assert.equal(await retention.sweep(), 4, "the two behind it, and that two channels were made");
  assert.equal(reported.length, 1);
  assert.equal(await retention.sweep(), 0);
  assert.equal(reported.length, 2);
  await kv.set([...key], whole);
  assert.equal(await retention.sweep(), 1);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), [young]);
});
