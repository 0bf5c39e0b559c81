import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { TestServer } from "../helpers/server.ts";
import { endUnderLoad, Ledger, readRounds, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = readRounds(2);
const CLIENTS = 12;
/** Acknowledged operations after which a server is killed, at most. */
const MOST_OPERATIONS = 240;

Deno.test("kill -9 under load: nothing acknowledged is lost, nothing is counted twice", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new Ledger();
  await using folder = await createTestFolder();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder: folder.path });
      await ledger.verify(server.url, "touched");
      const operations = 1 + Math.floor(random() * MOST_OPERATIONS);
      await endUnderLoad(server, { ledger, random, clients: CLIENTS, operations }, () => server.kill());
    }
    await using server = await TestServer.start({ folder: folder.path });
    await ledger.verify(server.url, "all");
    assert.equal(await server.stop(), 0);
    using kv = await Deno.openKv(server.store);
    assert.deepEqual((await checkLinks(kv)).problems, []);
    assert.ok(ledger.acknowledged >= ROUNDS, "each round had acknowledged operations");
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  }
});
