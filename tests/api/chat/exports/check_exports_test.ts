import assert from "node:assert/strict";
import { exportKeys } from "@/lib/chat/register/exports/store.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { exportData, requestExport } from "@/tests/casts/exports_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("checkChat() compares data exports with their due rows and bytes", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const { id: realmId } = chat.realm;
  const problems = async () => (await checkChat(kv)).problems;
  await exportData(chat, chat.owner);
  await requestExport(chat, chat.owner);
  assert.deepEqual(await problems(), []);
  await kv.set([...exportKeys.due(5, realmId, 77)], true);
  await kv.set([...exportKeys.blob(realmId, "lost"), 0], new Uint8Array(3));
  const [complete] = await Array.fromAsync(kv.list({ prefix: [...exportKeys.chunks(realmId)] }));
  await kv.delete(complete?.key ?? []);
  const found = await problems();
  assert.equal(found.length, 3, found.join("\n"));
  assert.match(found[0] ?? "", /in its due data exports, 5 77 should not exist/);
  assert.match(found[1] ?? "", /the archive of data export \d+ has a size of \d+ bytes; 0 are stored/);
  assert.match(found[2] ?? "", /the stored bytes lost have no data export/);
});
