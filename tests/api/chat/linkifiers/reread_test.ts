import assert from "node:assert/strict";
import { linkifierKeys, type LinkifierRecord } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import { createLinkifier } from "@/tests/casts/linkifiers_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

Deno.test("readLinkifierSet() compiles linkifiers once for each of their changes", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const { id: realmId } = chat.realm;
  await createLinkifier(chat, { pattern: "ONE-(?P<id>\\d+)" });
  const first = await readLinkifierSet(app, realmId);
  assert.equal(first.all.length, 1);
  assert.equal(await readLinkifierSet(app, realmId), first);
  const key = linkifierKeys.all(realmId);
  const [one] = (await store.kv.get<LinkifierRecord[]>(key)).value ?? [];
  assert.ok(one !== undefined);
  await writeRows(store, [[key, [one, { ...one, id: one.id + 1, pattern: "TWO-(?P<id>\\d+)" }]]]);
  assert.equal((await readLinkifierSet(app, realmId)).all.length, 2);
});
