import assert from "node:assert/strict";
import { clusterTest } from "@/tests/helpers/cluster.ts";
import { Ledger, readSeed, runClient, seededRandom } from "@/tests/process/traffic.ts";

const CLIENTS = 16;
/** Operations that the clients have acknowledged in all, at least. */
const OPERATIONS = 300;

clusterTest(
  "servers of one KV Connect store create unique ids and count every visit once",
  async (cluster) => {
    const seed = readSeed();
    const random = seededRandom(seed);
    const ledger = new Ledger();
    const isOver = () => ledger.acknowledged >= OPERATIONS;
    await Promise.all(
      Array.from({ length: CLIENTS }, () => runClient(ledger, [cluster.url], random, isOver)),
    );
    assert.ok(isOver(), `with TEST_SEED=${seed}, only ${ledger.acknowledged} operations were acknowledged`);
    for (const server of cluster.servers) {
      await ledger.verify(server.url, "all");
      const stats = await (await server.fetch("/stats")).json();
      assert.deepEqual(stats, { urls: ledger.links.size, visits: ledger.acknowledgedVisits });
    }
    const { ok } = await cluster.admin("check");
    assert.equal(ok, true);
  },
);
