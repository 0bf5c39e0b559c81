import assert from "node:assert/strict";
import { clusterTest } from "@/tests/helpers/cluster.ts";
import { LINK_ENV, requireSharedLinks } from "@/tests/process/shared_links.ts";
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

/** Links that are created at the same time, so that they share commits. */
const TOGETHER = 60;

clusterTest(
  "many links are created at once, and changes of links apply on every server at once",
  async (cluster) => {
    const [first, second] = cluster.servers;
    assert.ok(first !== undefined && second !== undefined);
    await requireSharedLinks(first, second);
    const headers = {
      authorization: `Bearer ${LINK_ENV.SHORTEN_API_KEY}`,
      "content-type": "application/json",
    };
    const create = async (at: number) => {
      const body = JSON.stringify({ url: `https://example.com/${at}` });
      const response = await first.fetch("/", { method: "POST", headers, body });
      assert.equal(response.status, 201);
      return (await response.json()).short;
    };
    const shorts = await Promise.all(Array.from({ length: TOGETHER }, (_, at) => create(at)));
    assert.equal(new Set(shorts).size, TOGETHER);
    assert.equal((await cluster.admin("check")).ok, true);
  },
  { env: LINK_ENV },
);
