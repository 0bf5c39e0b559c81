import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { pendingKeys } from "@/lib/chat/organization/files/model.ts";
import { emptyLog, limitFileSize } from "@/tests/helpers/full_disk.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { seedChat } from "@/tests/load/chat_seeding.ts";

const MIB = 1024 * 1024;
const DISK = limitFileSize(4 * MIB);

Deno.test("a full disk during an upload returns 503, leaves only bytes that are swept, and the server keeps working", async () => {
  await using folder = await createTestFolder();
  const { members } = await seedChat(`${folder.path}/sotto.kv`);
  await emptyLog(`${folder.path}/sotto.kv`);
  await using server = await TestServer.start({ folder: folder.path, shell: DISK });
  const authorization = members[0]?.authorization ?? "";
  const upload = async (size: number) => {
    const body = new FormData();
    body.append("f", new Blob([new Uint8Array(size)]), "a.bin");
    const init = { method: "POST", headers: { authorization }, body };
    const response = await server.fetch("/api/v1/user_uploads", init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const full = await upload(8 * MIB);
  assert.equal(full.status, 503);
  assert.match(full.headers.get("retry-after") ?? "", /^\d+$/);
  const { result, code, msg } = full.body;
  assert.deepEqual([result, code, typeof msg], ["error", "UNAVAILABLE", "string"]);
  const listed = await server.fetch("/api/v1/attachments", { headers: { authorization } });
  const { attachments, upload_space_used: used } = await listed.json();
  assert.deepEqual([attachments, used], [[], 0]);

  // This process may move the log into the main file, which frees space for the server.
  await emptyLog(server.store);
  assert.equal((await upload(100_000)).status, 200);
  assert.equal(await server.stop(), 0);
  using kv = await Deno.openKv(server.store);
  assert.deepEqual((await checkChat(kv)).problems, []);
  const blobs = new Set<string>();
  for await (const { key } of kv.list({ prefix: [...pendingKeys.pending] })) blobs.add(String(key[3]));
  assert.ok(blobs.size <= 1, `${blobs.size} left-over blobs`);
});
