import assert from "node:assert/strict";
import {
  applyWordChanges,
  IndexConflict,
  indexLatest,
  openWordIndex,
} from "@/lib/chat/messages/word_index/index_words.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { listIndexed } from "@/tests/casts/word_index_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("a process that another one has overtaken writes nothing to the index", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const to = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.owner, { to, content: "rose" });
  const rest = () => Promise.resolve();
  const suspended = await openWordIndex(store, chat.realm.id, { name: "suspended", pause: rest });
  const active = await openWordIndex(store, chat.realm.id, { name: "active", pause: rest });
  await indexLatest(active, 1);
  await succeed(chat, chat.owner, `DELETE /messages/${id}`);
  await applyWordChanges(active);
  assert.deepEqual(await listIndexed(chat, "rose"), []);
  const later = await send(chat, chat.owner, { to, content: "rose" });
  await assert.rejects(indexLatest(suspended, 1), IndexConflict);
  assert.deepEqual(await listIndexed(chat, "rose"), []);
  await indexLatest(active, 1);
  assert.deepEqual(await listIndexed(chat, "rose"), [later]);
});
