import assert from "node:assert/strict";
import { exportKeys, type ExportRecord } from "@/lib/chat/register/exports/store.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { ListedExport } from "@/tests/casts/exports_cast.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled } from "@/tests/helpers/wait.ts";

const MIB = 1024 * 1024;
/** Size of the uploaded file, which takes a while to compress and store. */
const FILE_BYTES = 16 * MIB;
/** Chunks of the archive after which the servers are killed; all of it takes some 270. */
const CHUNKS = 30;

/** Sends a request of the administrator and returns the answer. */
async function call(server: TestServer, authorization: string, endpoint: string, body?: BodyInit) {
  const [method = "", path] = endpoint.split(" ");
  const init = { method, headers: { authorization }, ...(body === undefined ? {} : { body }) };
  const response = await server.fetch(`/api/v1${path}`, init);
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

function randomBytes(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(FILE_BYTES);
  for (let at = 0; at < FILE_BYTES; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** Uploads a file and links it in a message. */
async function share(server: TestServer, authorization: string, content: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append("file", new File([content], "plan.bin"));
  const { url } = await call(server, authorization, "POST /user_uploads", form);
  const channel = new URLSearchParams({ name: "garden", subscribers: "[]" });
  const { id } = await call(server, authorization, "POST /channels/create", channel);
  const message = { type: "channel", to: String(id), topic: "plans", content: `[plan](${url})` };
  await call(server, authorization, "POST /messages", new URLSearchParams(message));
  return url.replace("/user_uploads/", "uploads/");
}

/** Returns the number of the stored chunks of exports. */
async function countChunks(store: string): Promise<number> {
  using kv = await Deno.openKv(store);
  return (await Array.fromAsync(kv.list({ prefix: [...exportKeys.chunks(1)] }, { batchSize: 10 }))).length;
}

/** Ends the reservation of the killed process, for which a new one would wait. No server may be running. */
async function endReservation(store: string): Promise<void> {
  using kv = await Deno.openKv(store);
  const key = [...exportKeys.exports(1)];
  const [record = assert.fail()] = await readRecord<readonly ExportRecord[]>(kv, key) ?? [];
  const { due_at, id } = record;
  assert.ok(due_at !== null && record.lease !== null, "a process works on it");
  const now = systemClock.now();
  await kv.atomic().delete([...exportKeys.due(due_at, 1, id)]).set([...exportKeys.due(now, 1, id)], true)
    .set(key, [{ ...record, due_at: now }]).commit();
}

/** Unpacks an archive with the system's program and returns the folder. */
async function unpack(folder: string, archive: Uint8Array): Promise<string> {
  await Deno.writeFile(`${folder}/export.tar.gz`, archive);
  const target = `${folder}/unpacked`;
  await Deno.mkdir(target);
  const command = new Deno.Command("tar", { args: ["-xzf", `${folder}/export.tar.gz`, "-C", target] });
  const { code } = await settled("tar ends", command.output());
  assert.equal(code, 0);
  return target;
}

Deno.test("a data export whose servers are killed is completed once by the next one", async () => {
  await using folder = await createTestFolder();
  const store = `${folder.path}/sotto.kv`;
  const { email, api_key } = await createGardeners(store, { email: "ada@example.com", name: "Ada" });
  const authorization = basic(email, api_key);
  const content = randomBytes();
  let path = "";
  {
    await using one = await TestServer.start({ folder: folder.path });
    await using other = await TestServer.start({ folder: folder.path });
    path = await share(one, authorization, content);
    await call(one, authorization, "POST /export/realm");
    await one.waitFor("the archive is being written", () => countChunks(store), (count) => count > CHUNKS);
    await Promise.all([one.kill(), other.kill()]);
  }
  assert.ok(await countChunks(store) > CHUNKS);
  await endReservation(store);
  await using server = await TestServer.start({ folder: folder.path });
  const [{ export_url, export_type } = assert.fail()] = await server.waitFor(
    "the export is complete",
    async (): Promise<ListedExport[]> => (await call(server, authorization, "GET /export/realm")).exports,
    (exports) => exports.every(({ pending }) => !pending),
  );
  assert.equal(export_type, "public");
  const { pathname } = new URL(export_url ?? assert.fail("The export failed"));
  const response = await server.fetch(pathname, { headers: { authorization } });
  assert.equal(response.status, 200);
  const unpacked = await unpack(folder.path, await response.bytes());
  assert.deepEqual(await Deno.readFile(`${unpacked}/${path}`), content);
  const manifest = JSON.parse(await Deno.readTextFile(`${unpacked}/manifest.json`));
  assert.equal(manifest.counts.uploads, 1);
  const { messages } = await call(
    server,
    authorization,
    `GET /messages?anchor=newest&num_before=50&num_after=0&narrow=${encodeURIComponent('[["is","dm"]]')}`,
  );
  const texts: string[] = messages.map((message: { content: string }) => message.content);
  assert.equal(texts.filter((text) => text.includes("data export is complete")).length, 1);
  assert.equal(await server.stop(), 0);
  assert.equal((await callCommand(store, "check")).ok, true);
});
