import assert from "node:assert/strict";
import { createWordIndexer, type IndexerLimits } from "@/lib/chat/messages/word_index/word_indexer.ts";
import { readIndexedId, wordIndexKeys } from "@/lib/chat/messages/word_index/store.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { countChanges, INDEX_ALL, indexWords, listIndexed } from "@/tests/casts/word_index_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

function createIndexer({ services: { store }, clock }: TestChat, limits: Partial<IndexerLimits>) {
  const report = (error: unknown) => assert.fail(String(error));
  return createWordIndexer({ store, clock, report }, { ...INDEX_ALL, ...limits });
}

async function sendMany(chat: TestChat, count: number): Promise<number[]> {
  const to = await makeChannel(chat, `Garden ${crypto.randomUUID().slice(0, 8)}`);
  const ids: number[] = [];
  for (let at = 0; at < count; at++) ids.push(await send(chat, chat.owner, { to, content: `rose ${at}` }));
  return ids;
}

Deno.test("the indexer indexes messages once a round of them is there", async () => {
  await using chat = await startChat();
  const indexer = createIndexer(chat, { round: 4 });
  // The creation of the channel is announced by a message.
  const ids = await sendMany(chat, 2);
  assert.equal(await indexer.sweep(), 0);
  assert.deepEqual(await listIndexed(chat, "rose"), []);
  ids.push(await send(chat, chat.owner, { to: 1, content: "rose" }));
  for (let sent = 0; sent < 4; sent++) indexer.messageSent(chat.realm.id);
  assert.equal(await indexer.sweep(), 4);
  assert.deepEqual(await listIndexed(chat, "rose"), ids);
});

Deno.test("senders wait while too many messages are not indexed", async () => {
  await using chat = await startChat();
  const indexer = createIndexer(chat, { round: 2, backlog: 3 });
  const ids = await sendMany(chat, 5);
  for (let sent = 0; sent < 3; sent++) indexer.messageSent(chat.realm.id);
  await indexer.waitForIndex(chat.realm.id);
  assert.deepEqual(await listIndexed(chat, "rose"), [], "three messages may wait");
  indexer.messageSent(chat.realm.id);
  await indexer.waitForIndex(chat.realm.id);
  assert.deepEqual(await listIndexed(chat, "rose"), ids);
});

Deno.test("a started indexer indexes what another process left, and changes of words", async () => {
  await using chat = await startChat();
  const [first = 0, ...rest] = await sendMany(chat, 3);
  await using stack = new AsyncDisposableStack();
  const indexer = createIndexer(chat, { round: 3 });
  stack.defer(() => indexer.stop());
  indexer.start();
  await waitFor("the messages are indexed", () => listIndexed(chat, "rose"), {
    isMet: (ids) => ids.length === 3,
  });
  await succeed(chat, chat.owner, `DELETE /messages/${first}`);
  indexer.contentChanged(chat.realm.id);
  await waitFor("the change is applied", () => countChanges(chat), { isMet: (count) => count === 0 });
  assert.deepEqual(await listIndexed(chat, "rose"), rest);
});

Deno.test("the words of a deleted message leave the store with the next run of the indexer", async () => {
  await using chat = await startChat();
  const [id = 0] = await sendMany(chat, 1);
  await indexWords(chat);
  assert.deepEqual(await listIndexed(chat, "rose"), [id]);
  await succeed(chat, chat.owner, `DELETE /messages/${id}`);
  await indexWords(chat);
  const rows = chat.services.store.kv.list({ prefix: [...wordIndexKeys.word(chat.realm.id, "rose")] });
  assert.deepEqual(await Array.fromAsync(rows), []);
  assert.equal(await countChanges(chat), 0);
});

Deno.test("an indexer leaves the work to another one that makes progress", async () => {
  await using chat = await startChat();
  const [one, other] = [createIndexer(chat, {}), createIndexer(chat, { patienceMs: 3000 })];
  await sendMany(chat, 2);
  assert.equal(await one.sweep(), 3);
  const indexed = await readIndexedId(chat.services.store, chat.realm.id);
  await sendMany(chat, 1);
  assert.equal(await other.sweep(), 0);
  assert.equal(await readIndexedId(chat.services.store, chat.realm.id), indexed);
  chat.clock.time += 2999;
  assert.equal(await other.sweep(), 0);
  chat.clock.time += 1;
  assert.equal(await other.sweep(), 2, "the other one made no progress for three seconds");
});
