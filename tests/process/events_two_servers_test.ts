import assert from "node:assert/strict";
import { TestServer } from "@/tests/helpers/server.ts";
import { hearAll, Listener, listenUntilLost, listIds, makeGarden, makePeople } from "./events_listener.ts";
import { MessageLedger, sendUntilLost } from "./messages_traffic.ts";
import { readSeed, seededRandom } from "./traffic.ts";

const SENDING_MS = 2500;

Deno.test("two servers of one store tell all that either takes, once each and in one order", async () => {
  const random = seededRandom(readSeed());
  const folder = await Deno.makeTempDir();
  try {
    const people = await makePeople(folder);
    await using one = await TestServer.start({ folder });
    const { channelId, first } = await makeGarden(one.url, people);
    const listeners: Listener[] = [];
    {
      await using other = await TestServer.start({ folder });
      for (const { url } of [one, other]) {
        listeners.push(...people.map((person) => new Listener(url, person)));
      }
      await Promise.all(listeners.map((listener) => listener.register()));
      const listening = listeners.slice(people.length).map(listenUntilLost);
      const own = listeners.slice(0, people.length).map(async (listener) => {
        // They fall behind, and hear the rest later.
        while (listener.events.length < 50 && await listener.hear(false));
      });
      const ledger = new MessageLedger();
      const sending = [one, other, one, other].map(({ url }, at) => {
        const sender = people[at % people.length] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: people, channelId, random });
      });
      await new Promise((resolve) => setTimeout(resolve, SENDING_MS));
      await Promise.all([own, one.kill(), other.kill()].flat());
      await Promise.all([...listening, ...sending]);
      assert.deepEqual(ledger.surprises, []);
    }
    await using again = await TestServer.start({ folder });
    const expected = await Promise.all(people.map((person) => listIds(again.url, person, first)));
    for (const [at, listener] of listeners.entries()) {
      assert.deepEqual(await hearAll(listener.movedTo(again.url)), expected[at % people.length]);
    }
    const ids = listeners[0]?.events.map(({ id }) => id);
    assert.deepEqual(listeners[people.length]?.events.map(({ id }) => id), ids);
    assert.ok((ids?.length ?? 0) > 100, `${ids?.length} were heard`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
