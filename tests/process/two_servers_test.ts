import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { TestServer } from "../helpers/server.ts";
import { Ledger, readSeed, runClient, seededRandom } from "./traffic.ts";

const CLIENTS = 16;
const LOAD_MS = 3000;

Deno.test("two servers on one store, both under load: every id once, every visit once, both agree", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new Ledger();
  await using first = await TestServer.start();
  await using second = await TestServer.start({ folder: first.folder });
  try {
    const end = Date.now() + LOAD_MS;
    const bases = [first.url, second.url];
    const clients = Array.from(
      { length: CLIENTS },
      () => runClient(ledger, bases, random, () => Date.now() > end),
    );
    await Promise.all(clients);
    const visits = ledger.acknowledgedVisits;
    for (const server of [first, second]) {
      await ledger.verify(server.url, "all");
      const stats = await (await server.fetch("/stats")).json();
      assert.deepEqual(stats, { urls: ledger.links.size, visits });
    }
    assert.ok(visits > 100, `the clients have done something: ${visits}`);
    assert.deepEqual([await first.stop(), await second.stop()], [0, 0]);
    using kv = await Deno.openKv(first.store);
    assert.deepEqual((await checkLinks(kv)).problems, []);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  }
});

Deno.test("two servers that start at the same moment on a new store both come up", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const servers = await Promise.all([TestServer.start({ folder }), TestServer.start({ folder })]);
    await using first = servers[0];
    await using second = servers[1];
    const ledger = new Ledger();
    const short = await ledger.shorten(first.url);
    assert.ok(short !== null && await ledger.visit(second.url, short));
    await ledger.verify(first.url, "all");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a second server on a taken port ends with one clear line, and the first goes on", async () => {
  await using first = await TestServer.start();
  const { code, errors, output } = await TestServer.runToEnd({ port: first.port });
  assert.notEqual(code, 0);
  assert.equal(output, "");
  assert.match(errors, /^[^\n]+\n$/);
  assert.match(errors, new RegExp(`address.*in use|${first.port}`, "i"));
  assert.equal((await first.fetch("/stats")).status, 200);
});
