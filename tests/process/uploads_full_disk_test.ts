import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { pendingKeys } from "@/lib/kv/pending_blob.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { seedChat } from "@/tests/load/chat_seeding.ts";

/** The store's files may grow to 4 MB, in blocks of 512 bytes; what goes beyond fails as on a full disk. */
const FULL_DISK = "trap '' XFSZ; ulimit -f 8192";
const MIB = 1024 * 1024;

Deno.test("a disk that is full in mid-upload: 503, nothing is kept but bytes that are swept, and the server goes on", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { members } = await seedChat(`${folder}/sotto.kv`);
    emptyLog(`${folder}/sotto.kv`);
    await using server = await TestServer.start({ folder, shell: FULL_DISK });
    const authorization = members[0]?.authorization ?? "";
    const upload = async (size: number) => {
      const body = new FormData();
      body.append("f", new Blob([new Uint8Array(size)]), "a.bin");
      const init = { method: "POST", headers: { authorization }, body };
      const response = await server.fetch("/api/v1/user_uploads", init, 30_000);
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

    // Moving the log into the main file, which this process may do, gives the server room again.
    emptyLog(server.store);
    assert.equal((await upload(100_000)).status, 200);
    assert.equal(await server.stop(), 0);
    using kv = await Deno.openKv(server.store);
    assert.deepEqual((await checkChat(kv)).problems, []);
    const blobs = new Set<string>();
    for await (const { key } of kv.list({ prefix: [...pendingKeys.pending] })) blobs.add(String(key[3]));
    assert.ok(blobs.size <= 1, `${blobs.size} left-over blobs`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function emptyLog(path: string): void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.prepare("pragma wal_checkpoint(truncate)").get();
  database.close();
}
