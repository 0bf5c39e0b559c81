import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { TestServer } from "../helpers/server.ts";
import { Ledger, readSeed, runClient, seededRandom } from "./traffic.ts";

const ROUNDS = 20;
const CLIENTS = 12;

Deno.test("kill -9 under load, 20 times: nothing acknowledged is lost, nothing is counted twice", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new Ledger();
  const folder = await Deno.makeTempDir();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      await ledger.verify(server.url, "touched");
      const clients = Array.from(
        { length: CLIENTS },
        () => runClient(ledger, [server.url], random, () => false),
      );
      await new Promise((resolve) => setTimeout(resolve, 40 + random() * 360));
      await server.kill();
      await Promise.all(clients);
    }
    await using server = await TestServer.start({ folder });
    await ledger.verify(server.url, "all");
    assert.equal(await server.stop(), 0);
    using kv = await Deno.openKv(server.store);
    assert.deepEqual((await checkLinks(kv)).problems, []);
    assert.ok(ledger.links.size >= ROUNDS, "the clients have done something");
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
