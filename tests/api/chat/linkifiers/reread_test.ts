import assert from "node:assert/strict";
import { linkifierKeys } from "@/lib/chat/linkifiers/model/linkifier.ts";
import { readLinkifierSet } from "@/lib/chat/linkifiers/store.ts";
import { cacheReads } from "@/lib/chat/messages/read/cache_reads.ts";
import { createLinkifier } from "@/tests/casts/linkifiers_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { settled } from "@/tests/helpers/wait.ts";

Deno.test("a request that has read the version of linkifiers reads them although they change", async () => {
  await using chat = await startChat();
  const { id: realmId } = chat.realm;
  await createLinkifier(chat, { pattern: "ONE-(?P<id>\\d+)" });
  // As a request for messages does, which reads the version once.
  const app = cacheReads(chat.services.chat);
  await app.reads.read(linkifierKeys.version(realmId));
  await createLinkifier(chat, { pattern: "TWO-(?P<id>\\d+)" });
  const { all } = await settled("the linkifiers are read", readLinkifierSet(app, realmId));
  assert.equal(all.length, 2);
});
