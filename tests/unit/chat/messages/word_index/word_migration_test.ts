import assert from "node:assert/strict";
import { indexTopicWords, packSearchWords } from "@/lib/chat/messages/word_index/index_words.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { listValues } from "@/lib/store/reads.ts";
import { fetchMessageIds, makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { packIds, wordIndexKeys } from "@/lib/chat/messages/word_index/store.ts";
import { countChanges, indexWords, listIndexed } from "@/tests/casts/word_index_cast.ts";

Deno.test("packSearchWords() replaces the rows of earlier versions, and continues after an interruption", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const to = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (const content of ["old roses", "old tulips", "young roses"]) {
    ids.push(await send(chat, chat.owner, { to, content }));
  }
  const [first = 0, second = 0, third = 0] = ids;
  const former = [["old", first], ["roses", first], ["old", second], ["tulips", second], ["roses", third]];
  const write = async () => {
    for (const [word = "", id = 0] of former) await store.kv.set([chat.realm.id, "word", word, id], true);
  };
  for (let time = 0; time < 2; time++) {
    await write();
    await packSearchWords(store);
    assert.deepEqual(await listValues(store.kv, [chat.realm.id, "word"]), []);
    assert.deepEqual(await listIndexed(chat, "roses"), [first, third]);
    assert.deepEqual(await listIndexed(chat, "old"), [first, second]);
    assert.deepEqual((await checkChat(store.kv)).problems, []);
  }
  const narrow = [["search", "roses"]];
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow }), [first, third]);
});

Deno.test("packSearchWords() may run in two processes at once", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const to = await makeChannel(chat, "Garden");
  const words = Array.from({ length: 240 }, (_, number) => `w${number}`).join(" ");
  const ids: number[] = [];
  for (let time = 0; time < 3; time++) ids.push(await send(chat, chat.owner, { to, content: words }));
  await Promise.all([packSearchWords(store), packSearchWords(store)]);
  assert.deepEqual(await listIndexed(chat, "w239"), ids);
  assert.deepEqual((await checkChat(store.kv)).problems, []);
});

Deno.test("indexTopicWords() adds the words of topics and keeps the changes of earlier versions", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const realmId = chat.realm.id;
  const to = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (const topic of ["kumquat harvest", "tools", "harvest"]) {
    ids.push(await send(chat, chat.owner, { to, topic, content: "nothing here" }));
  }
  await indexWords(chat);
  ids.push(await send(chat, chat.owner, { to, topic: "harvest", content: "not indexed" }));
  const [first = 0, , third = 0, last = 0] = ids;
  const former = ["#kumquat", "#harvest", "#tools"].map((word) => wordIndexKeys.segment(realmId, word, 0));
  for (let time = 0; time < 2; time++) {
    for (const key of former) await store.kv.delete(key);
    await store.kv.set(wordIndexKeys.segment(realmId, "weeds", 0), packIds([first]));
    await store.kv.set(wordIndexKeys.change(realmId, first, "name"), "weeds roses");
    await Promise.all([indexTopicWords(store), indexTopicWords(store)]);
    assert.deepEqual(await listIndexed(chat, "#harvest"), [first, third, last]);
    assert.deepEqual((await checkChat(store.kv)).problems, []);
    await indexWords(chat);
    assert.equal(await countChanges(chat), 0);
    assert.deepEqual(await listIndexed(chat, "weeds"), []);
    assert.deepEqual((await checkChat(store.kv)).problems, []);
  }
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["search", "harvest"]] }), [
    first,
    third,
    last,
  ]);
});
