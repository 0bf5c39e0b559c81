import assert from "node:assert/strict";
import { addMessageFacets } from "@/lib/chat/messages/narrow/facets.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Sends messages of the owner to a channel. */
async function sendAll(chat: TestChat, contents: readonly string[]): Promise<void> {
  const to = await makeChannel(chat, "Garden");
  for (const content of contents) await send(chat, chat.owner, { to, content });
}

/** Lists the keys of all facets in the store. */
function listFacetKeys({ services, realm }: TestChat): Promise<Deno.KvKey[]> {
  return Array.fromAsync(services.store.kv.list({ prefix: [realm.id, "message_facet"] }), ({ key }) => key);
}

Deno.test("addMessageFacets() indexes the messages of earlier versions, and may run again", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const group = { name: "weeders", description: "", members: [] };
  await succeed(chat, chat.owner, "POST /user_groups/create", group);
  await sendAll(chat, [
    "@**all** water please",
    "@*weeders* are needed",
    "see https://example.com",
    "nothing",
  ]);
  const before = await listFacetKeys(chat);
  assert.equal(before.length, 5);
  for (const key of before) await kv.delete(key);
  assert.equal((await checkChat(kv)).problems.length, 5);
  for (let time = 0; time < 2; time++) await addMessageFacets(chat.services.store);
  assert.deepEqual(await listFacetKeys(chat), before);
  assert.deepEqual((await checkChat(kv)).problems, []);
});
