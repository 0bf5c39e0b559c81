import assert from "node:assert/strict";
import { join } from "node:path";
import { tryCommand } from "@/tests/helpers/command_calls.ts";
import { tryAdmin } from "@/tests/helpers/command_line.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

async function shortenAndVisit(server: TestServer, visits: number): Promise<string> {
  const response = await server.fetch("/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/" }),
  });
  const path = `/${encodeURIComponent((await response.json()).short)}`;
  for (let visit = 0; visit < visits; visit++) await (await server.fetch(path)).body?.cancel();
  return path;
}

Deno.test("a backup of a server under load restores completely and consistently into an empty store", async () => {
  await using folder = await createTestFolder();
  await using server = await TestServer.start();
  const path = await shortenAndVisit(server, 20);
  let isLoading = true;
  const load = (async () => {
    while (isLoading) await Promise.all([1, 2, 3, 4].map(() => shortenAndVisit(server, 3)));
  })();
  const file = join(folder.path, "backup.kv");
  const backup = await tryAdmin(server.store, "backup", file);
  isLoading = false;
  await load;
  assert.equal(backup.code, 0, backup.errors);
  assert.equal(backup.result.file, file);
  assert.ok(Number(backup.result.bytes) > 4096);

  const restored = join(folder.path, "new/sotto.kv");
  assert.deepEqual((await tryAdmin(restored, "restore", file)).code, 0);
  const check = await tryCommand(restored, "check");
  assert.deepEqual([check.code, check.result.ok], [0, true], check.errors);

  await using copy = await TestServer.start({ env: { KV_URL: restored } });
  const stats = await (await copy.fetch(`${path}/stats`)).json();
  assert.equal(stats.visits.length, 20);
});

Deno.test("check reports a wrong counter, even while a server runs", async () => {
  await using server = await TestServer.start();
  const path = await shortenAndVisit(server, 5);
  const sound = await tryAdmin(server.store, "check");
  assert.deepEqual(sound.result, {
    ok: true,
    links: { urls: 1, visits: 5, problems: [] },
    chat: { realms: 0, users: 0, groups: 0, channels: 0, messages: 0, problems: [] },
  }, sound.errors);
  {
    using kv = await Deno.openKv(server.store);
    const short = decodeURIComponent(path.slice(1));
    await kv.atomic().sum(["visit_count", short], 1n).sum(["link_count"], 1n).commit();
  }
  const broken = await tryCommand(server.store, "check");
  assert.deepEqual([broken.code, broken.result.ok], [1, false]);
  assert.match(JSON.stringify(broken.result), /5 visits in its list; its count is 6/);
  assert.match(JSON.stringify(broken.result), /count of URLs is 2; 1 are stored/);
});

Deno.test("restore and backup never replace anything", async () => {
  await using folder = await createTestFolder();
  await using server = await TestServer.start();
  await shortenAndVisit(server, 1);
  const file = join(folder.path, "backup.kv");
  assert.equal((await tryCommand(server.store, "backup", file)).code, 0);
  const again = await tryCommand(server.store, "backup", file);
  assert.deepEqual([again.code, again.lines], [1, 0]);
  assert.match(again.errors, /already exists/);
  const onto = await tryCommand(server.store, "restore", file);
  assert.equal(onto.code, 1);
  assert.match(onto.errors, /not empty/);
});

Deno.test("restore refuses an invalid backup and leaves no store behind", async () => {
  await using folder = await createTestFolder();
  const file = join(folder.path, "backup.kv");
  const store = join(folder.path, "sotto.kv");
  await Deno.writeTextFile(file, "no backup");
  const refused = await tryCommand(store, "restore", file);
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /not a valid backup/);
  assert.equal((await tryCommand(store, "restore", join(folder.path, "missing"))).code, 1);
  assert.equal((await tryCommand(store, "backup", join(folder.path, "b"))).code, 1);
  assert.equal((await tryCommand(store, "check")).code, 1);
  await assert.rejects(Deno.stat(store), Deno.errors.NotFound);
});

Deno.test("an unknown command prints the usage and exits with status 2", async () => {
  const unknown = [[], ["nonsense"], ["backup"], ["backup", "a", "b"], ["toString"], ["check", "x"]];
  const runs = [[[], tryAdmin] as const, ...unknown.map((args) => [args, tryCommand] as const)];
  await Promise.all(runs.map(async ([args, run]) => {
    const { code, lines, errors } = await run(":memory:", ...args);
    assert.deepEqual([code, lines], [2, 0], args.join(" "));
    assert.match(errors, /task -q admin/);
  }));
  assert.equal((await tryCommand(":memory:", "check")).code, 1);
});
