import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { TestServer } from "../helpers/server.ts";
import { Ledger, readSeed, runClient, seededRandom } from "./traffic.ts";

const CLIENTS = 16;
/** Operations that the clients have acknowledged in all, at least. */
const OPERATIONS = 300;

/** Starts two servers at the same time on a new store. */
async function startBoth(servers: AsyncDisposableStack, folder: string): Promise<[TestServer, TestServer]> {
  const start = () => TestServer.start({ folder });
  const [one, other] = await Promise.allSettled([start(), start()]);
  for (const server of [one, other]) if (server.status === "fulfilled") servers.use(server.value);
  assert.ok(one.status === "fulfilled", String(one.status === "rejected" && one.reason));
  assert.ok(other.status === "fulfilled", String(other.status === "rejected" && other.reason));
  return [one.value, other.value];
}

Deno.test("two servers that start concurrently on a new store create unique ids under load, count every visit once, and agree", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new Ledger();
  await using folder = await createTestFolder();
  await using servers = new AsyncDisposableStack();
  try {
    const [first, second] = await startBoth(servers, folder.path);
    // What one server acknowledges, the other one knows at once.
    const short = await ledger.shorten(first.url);
    assert.ok(short !== null && await ledger.visit(second.url, short));
    await ledger.verify(first.url, "all");
    const bases = [first.url, second.url];
    const clients = Array.from(
      { length: CLIENTS },
      () => runClient(ledger, bases, random, () => ledger.acknowledged >= OPERATIONS),
    );
    await Promise.all(clients);
    const visits = ledger.acknowledgedVisits;
    for (const server of [first, second]) {
      await ledger.verify(server.url, "all");
      const stats = await (await server.fetch("/stats")).json();
      assert.deepEqual(stats, { urls: ledger.links.size, visits });
    }
    assert.ok(ledger.acknowledged >= OPERATIONS, `only ${ledger.acknowledged} operations were acknowledged`);
    assert.deepEqual([await first.stop(), await second.stop()], [0, 0]);
    using kv = await Deno.openKv(first.store);
    assert.deepEqual((await checkLinks(kv)).problems, []);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  }
});

Deno.test("a second server on a port in use exits with one clear line, and the first keeps running", async () => {
  await using first = await TestServer.start();
  const { code, errors, output } = await TestServer.runToEnd({ env: { PORT: String(first.port) } });
  assert.notEqual(code, 0);
  assert.equal(output, "");
  assert.match(errors, /^[^\n]+\n$/);
  assert.match(errors, new RegExp(`address.*in use|${first.port}`, "i"));
  assert.equal((await first.fetch("/stats")).status, 200);
});
