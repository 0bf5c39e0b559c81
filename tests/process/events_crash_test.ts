import assert from "node:assert/strict";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { freePort, TestServer } from "@/tests/helpers/server.ts";
import { hearAll, Listener, listenUntilLost, listIds, makeGarden, makePeople } from "./events_listener.ts";
import { MessageLedger, sendUntilLost } from "./messages_traffic.ts";
import { readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = 4;
const CONNECTIONS = 4;

Deno.test("kill -9 while clients listen, 4 times: each that goes on from its last id hears every message once, in order", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  const port = freePort();
  try {
    const people = await makePeople(folder);
    const ledger = new MessageLedger();
    const listeners: Listener[] = [];
    let [channelId, first] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder, port });
      const { url } = server;
      if (round === 0) {
        ({ channelId, first } = await makeGarden(url, people));
        listeners.push(...people.map((person) => new Listener(url, person)));
        await Promise.all(listeners.map((listener) => listener.register()));
      }
      const listening = listeners.map(listenUntilLost);
      const sending = Array.from({ length: CONNECTIONS }, (_, at) => {
        const sender = people[at % people.length] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: people, channelId, random });
      });
      await new Promise((resolve) => setTimeout(resolve, 400 + random() * 600));
      await server.kill();
      await Promise.all([...listening, ...sending]);
      assert.deepEqual(ledger.surprises, []);
    }
    await using server = await TestServer.start({ folder, port });
    for (const listener of listeners) {
      const heard = await hearAll(listener);
      assert.deepEqual(heard, await listIds(server.url, listener.sender, first));
      assert.ok(heard.length > ROUNDS * CONNECTIONS, `${heard.length} were heard`);
    }
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a server that stops answers those who wait at once", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
    const { user_id, email, api_key } = await admin(
      `${folder}/sotto.kv`,
      "create-realm",
      "--name",
      "Gardeners",
      ...owner,
    );
    await using server = await TestServer.start({ folder });
    const listener = new Listener(server.url, { id: user_id, authorization: basic(email, api_key) });
    await listener.register();
    const hearing = listener.hear(false);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const started = performance.now();
    assert.equal(await server.stop(), 0);
    assert.equal(await hearing, true);
    assert.ok(performance.now() - started < 5000, "it did not wait for the heartbeat");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function countWaiting(server: TestServer): Promise<number> {
  const text = await (await server.fetch("/metrics")).text();
  return Number(/^sotto_requests_waiting (\d+)/m.exec(text)?.[1]);
}

Deno.test("a client that goes away is waited for no longer", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [person] = await makePeople(folder);
    assert.ok(person !== undefined);
    await using server = await TestServer.start({ folder });
    const gone = new AbortController();
    const listener = new Listener(server.url, person, gone.signal);
    await listener.register();
    const hearing = listener.hear(false);
    while (await countWaiting(server) === 0);
    gone.abort();
    assert.equal(await hearing, false);
    while (await countWaiting(server) > 0);
    assert.equal(await server.stop(), 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
