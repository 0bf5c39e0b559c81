import assert from "node:assert/strict";
import { TestServer } from "@/tests/helpers/server.ts";
import {
  listIds,
  makeGarden,
  makePeople,
  PollingClient,
  pollUntilLost,
  receiveAll,
} from "./polling_client.ts";
import { killUnderTraffic, MessageLedger, sendUntilLost } from "./messages_traffic.ts";
import { readRounds, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = readRounds(1);
const CONNECTIONS = 4;
/** Messages that are acknowledged in a round before the kill: at least these, and up to as many more. */
const MESSAGES = 100;

Deno.test("kill -9 while clients listen: clients that resume from their last id receive every message once, in order", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  try {
    const people = await makePeople(folder);
    const ledger = new MessageLedger();
    const listeners: PollingClient[] = [];
    let [channelId, first] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      const { url } = server;
      if (round === 0) {
        ({ channelId, first } = await makeGarden(url, people));
        listeners.push(...people.map((person) => new PollingClient(url, person)));
        await Promise.all(listeners.map((listener) => listener.register()));
      }
      const listening = listeners.map((listener) => pollUntilLost(listener.movedTo(url)));
      const sending = Array.from({ length: CONNECTIONS }, (_, at) => {
        const sender = people[at % people.length] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: people, channelId, random });
      });
      const count = () => ledger.acknowledged.size;
      const goal = count() + MESSAGES + Math.floor(random() * MESSAGES);
      await killUnderTraffic([server], { clients: [...listening, ...sending], count, goal });
      assert.deepEqual(ledger.surprises, []);
    }
    await using server = await TestServer.start({ folder });
    for (const listener of listeners) {
      const received = await receiveAll(listener.movedTo(server.url));
      assert.deepEqual(received, await listIds(server.url, listener.sender, first));
      assert.ok(received.length > ROUNDS * CONNECTIONS, `${received.length} were received`);
    }
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a server stops waiting for a client that disconnects, and answers waiting clients before it stops", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [person] = await makePeople(folder, 0);
    assert.ok(person !== undefined);
    await using server = await TestServer.start({ folder });
    const disconnecting = new AbortController();
    const leaver = new PollingClient(server.url, person, disconnecting.signal);
    await leaver.register();
    const leaving = leaver.receive(false);
    await untilWaiting(server, 1);
    disconnecting.abort();
    assert.equal(await leaving, false);
    await untilWaiting(server, 0);

    const listener = new PollingClient(server.url, person);
    await listener.register();
    const polling = listener.receive(false);
    await untilWaiting(server, 1);
    assert.equal(await server.stop(), 0);
    assert.equal(await polling, true);
    assert.deepEqual(listener.events, [], "the answer is no heartbeat");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function untilWaiting(server: TestServer, count: number): Promise<void> {
  const read = () => server.metric("sotto_requests_waiting");
  await server.waitFor(`${count} requests wait for events`, read, (waiting) => waiting === count);
}
