import assert from "node:assert/strict";
import { join } from "node:path";
import { admin, spawnAdmin, tryAdmin } from "@/tests/helpers/command_line.ts";
import { findDenokv, KvServer } from "@/tests/helpers/denokv.ts";
import { reportMissing } from "@/tests/helpers/report_missing.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { createMovedStore, readAnswers } from "@/tests/process/moved_store.ts";

Deno.test("a store moves from a file to a KV Connect server and back, and every answer stays the same", async (context) => {
  const program = findDenokv();
  if (program === null) return reportMissing("denokv", "cargo install denokv --locked");
  await using folder = await createTestFolder();
  const inFolder = (name: string) => join(folder.path, name);
  const store = inFolder("old.kv");
  const answers = await createMovedStore(store);
  const there = inFolder("there.jsonl");
  const { entries } = await admin(store, "export", there);
  await using server = await KvServer.start(program);

  await context.step("an import goes on while the KV Connect server is restarted", async () => {
    await using child = spawnAdmin(server.url, ["import", "-"], { stdin: "piped" });
    const lines = (await Deno.readTextFile(there)).split("\n");
    const writer = child.stdin.getWriter();
    const send = (some: readonly string[]) => writer.write(new TextEncoder().encode(some.join("\n")));
    const half = Math.floor(lines.length / 2);
    await send([...lines.slice(0, half), ""]);
    await waitFor("entries are written", async () => {
      const { errors } = await tryAdmin(server.url, "check");
      return errors.includes("is incomplete");
    });
    await server.kill();
    await server.restart();
    await send(lines.slice(half));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    assert.equal(JSON.parse(decoder.decode(stdout)).entries, entries);
    // A read of a busy machine may take longer than calls of the store may take.
    await waitFor("the check passes", () => tryAdmin(server.url, "check"), {
      isMet: ({ code }) => code === 0,
    });
    assert.deepEqual(await readAnswers(server.url), answers);
  });

  await context.step("an export of the KV Connect server returns into a file", async () => {
    const [file, back] = [inFolder("back.jsonl"), inFolder("back.kv")];
    const exported = await admin(server.url, "export", file);
    const imported = await admin(back, "import", file);
    assert.equal(imported.entries, exported.entries);
    assert.equal((await admin(back, "check")).ok, true);
    assert.deepEqual(await readAnswers(back), answers);
  });

  await context.step("a backup of the KV Connect server is a store with the same answers", async () => {
    const file = inFolder("backup.kv");
    await admin(server.url, "backup", file);
    assert.equal((await admin(file, "check")).ok, true);
    assert.deepEqual(await readAnswers(file), answers);
  });
});
