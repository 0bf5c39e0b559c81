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
import { readSeed, seededRandom } from "./traffic.ts";

/** Messages that are acknowledged before the kill: at least these, and up to as many more. */
const MESSAGES = 200;
/** Events after which the clients of the first server stop listening, so that they fall behind. */
const EVENTS_RECEIVED = 50;

Deno.test("two servers of one store deliver the messages sent to either, once each and in one order", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  try {
    const people = await makePeople(folder);
    const listeners: PollingClient[] = [];
    let first = 0;
    {
      const servers = await Promise.all([TestServer.start({ folder }), TestServer.start({ folder })]);
      await using one = servers[0];
      await using other = servers[1];
      const garden = await makeGarden(one.url, people);
      const { channelId } = garden;
      first = garden.first;
      for (const { url } of [one, other]) {
        listeners.push(...people.map((person) => new PollingClient(url, person)));
      }
      await Promise.all(listeners.map((listener) => listener.register()));
      const listening = listeners.slice(people.length).map(pollUntilLost);
      const behind = listeners.slice(0, people.length).map(async (listener) => {
        while (listener.events.length < EVENTS_RECEIVED && await listener.receive(false));
      });
      const ledger = new MessageLedger();
      const sending = [one, other, one, other].map(({ url }, at) => {
        const sender = people[at % people.length] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: people, channelId, random });
      });
      const count = () => ledger.acknowledged.size;
      const goal = MESSAGES + Math.floor(random() * MESSAGES);
      await killUnderTraffic([one, other], { clients: [...listening, ...behind, ...sending], count, goal });
      assert.deepEqual(ledger.surprises, []);
    }
    await using again = await TestServer.start({ folder });
    const expected = await Promise.all(people.map((person) => listIds(again.url, person, first)));
    for (const [at, listener] of listeners.entries()) {
      assert.deepEqual(await receiveAll(listener.movedTo(again.url)), expected[at % people.length]);
    }
    const [ids = [], otherIds = []] = [listeners[0], listeners[people.length]].map(listEventIds);
    assert.deepEqual(otherIds, ids);
    assert.ok(ids.length > 100, `${ids.length} were received`);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Lists the ids of the events that a client received, heartbeats aside. */
function listEventIds(listener: PollingClient | undefined): number[] {
  return listener?.events.filter(({ type }) => type !== "heartbeat").map(({ id }) => id) ?? [];
}
