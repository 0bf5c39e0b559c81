import assert from "node:assert/strict";
import { join } from "node:path";
import { callCommand, tryCommand } from "@/tests/helpers/command_calls.ts";
import { spawnAdmin, tryAdminWithInput } from "@/tests/helpers/command_line.ts";
import { IMPORT_MARK } from "@/lib/store/migrate.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { createMovedStore, readAnswers } from "./moved_store.ts";

/** Starts an import that receives all lines but the last three, and kills it once entries are in the store. */
async function interruptImport(store: string, text: string): Promise<void> {
  await using child = spawnAdmin(store, ["import", "-"], { stdin: "piped" });
  const writer = child.stdin.getWriter();
  const sent = text.split("\n").slice(0, -4).map((line) => line + "\n").join("");
  writer.write(new TextEncoder().encode(sent)).catch(() => {});
  await waitFor("entries are written", async () => {
    using kv = await Deno.openKv(store);
    return ((await kv.get<{ entries: number }>([...IMPORT_MARK])).value?.entries ?? 0) > 0;
  });
  child.kill("SIGKILL");
  await child.status;
  await writer.abort().catch(() => {});
}

Deno.test("an import that was killed keeps servers out, continues, and gives the answers of the exported store", async () => {
  await using folder = await createTestFolder();
  const [store, target, file] = ["old.kv", "new.kv", "store.jsonl"].map((name) => join(folder.path, name));
  assert.ok(store !== undefined && target !== undefined && file !== undefined);
  const answers = await createMovedStore(store);
  const exported = await callCommand(store, "export", file);
  assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  assert.match((await tryCommand(store, "export", file)).errors, /already exists/);

  await interruptImport(target, await Deno.readTextFile(file));
  const refused = await TestServer.runToEnd({ env: { KV_URL: target } });
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /import into the store .* is incomplete/);
  for (const command of [["check"], ["export", join(folder.path, "other")]]) {
    assert.match((await tryCommand(target, ...command)).errors, /is incomplete/);
  }

  const { continued, ...imported } = await callCommand(target, "import", file);
  assert.deepEqual(imported, { store: target, entries: exported.entries });
  assert.ok(continued > 0 && continued < exported.entries, String(continued));
  assert.equal((await callCommand(target, "check")).ok, true);
  assert.deepEqual(await readAnswers(target), answers);
  assert.match((await tryCommand(target, "import", file)).errors, /not empty/);
});

Deno.test("an export goes to an import through a pipe, and wrong files leave no store behind", async () => {
  await using folder = await createTestFolder();
  const [store, target, untouched] = ["old.kv", "new.kv", "none.kv"].map((name) => join(folder.path, name));
  assert.ok(store !== undefined && target !== undefined && untouched !== undefined);
  const owner = ["--owner-email", "ada@example.com", "--owner-name", "Ada"];
  await callCommand(store, "create-realm", "--name", "Gardeners", ...owner);
  await using source = spawnAdmin(store, ["export", "-"], { stdin: "null" });
  await using sink = spawnAdmin(target, ["import", "-"], { stdin: "piped" });
  const [toSink, toText] = source.stdout.tee();
  const text = new Response(toText).text();
  await toSink.pipeTo(sink.stdin);
  const { code, stdout } = await sink.output();
  const { entries } = JSON.parse((await text).trim().split("\n").at(-1) ?? "");
  assert.deepEqual([code, JSON.parse(new TextDecoder().decode(stdout))], [
    0,
    { store: target, entries, continued: 0 },
  ]);
  assert.equal((await callCommand(target, "check")).chat.users, 1);

  const cut = join(folder.path, "cut.jsonl");
  await Deno.writeTextFile(cut, (await text).trimEnd().split("\n").slice(0, -1).join("\n") + "\n");
  const refused = await tryCommand(untouched, "import", cut);
  assert.deepEqual([refused.code, refused.lines], [1, 0]);
  assert.match(refused.errors, /incomplete/);
  assert.match((await tryAdminWithInput(untouched, "no export\n", "import", "-")).errors, /not an export/);
  await assert.rejects(Deno.stat(untouched), Deno.errors.NotFound);
});
