import assert from "node:assert/strict";
import { addMentionFacets, addMessageFacets } from "@/lib/chat/messages/narrow/facet_migration.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("addMessageFacets() indexes the messages of earlier versions, and may run again", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const to = await makeChannel(chat, "Garden");
  for (const content of ["@**all** water please", "see https://example.com", "nothing"]) {
    await send(chat, chat.owner, { to, content });
  }
  const list = () => Array.fromAsync(kv.list({ prefix: [chat.realm.id, "message_facet"] }), toEntry);
  const before = await list();
  assert.equal(before.length, 3);
  for (const { key } of before) await kv.delete([...key]);
  assert.equal((await checkChat(kv)).problems.length, 3);
  for (let time = 0; time < 2; time++) await addMessageFacets(chat.services.store);
  assert.deepEqual((await list()).map(({ key }) => key), before.map(({ key }) => key));
  assert.deepEqual((await checkChat(kv)).problems, []);
});

Deno.test("addMentionFacets() indexes mentions of earlier versions by group, and may run again", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const to = await makeChannel(chat, "Garden");
  const group = { name: "weeders", description: "", members: [] };
  await succeed(chat, chat.owner, "POST /user_groups/create", group);
  for (const content of ["@**all** water please", "@*weeders* are needed", "see https://example.com"]) {
    await send(chat, chat.owner, { to, content });
  }
  const list = () => Array.fromAsync(kv.list({ prefix: [chat.realm.id, "message_facet"] }), toEntry);
  const before = await list();
  const added = before.filter(({ key }) => /^(broad|group)_mention/.test(String(key[2])));
  assert.equal(added.length, 2);
  for (const { key } of added) await kv.delete([...key]);
  assert.equal((await checkChat(kv)).problems.length, 2);
  for (let time = 0; time < 2; time++) await addMentionFacets(chat.services.store);
  assert.deepEqual((await list()).map(({ key }) => key), before.map(({ key }) => key));
  assert.deepEqual((await checkChat(kv)).problems, []);
});
