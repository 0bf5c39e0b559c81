import assert from "node:assert/strict";
import { TestServer } from "@/tests/helpers/server.ts";
import { EventClient, forEach } from "@/tests/load/event_clients.ts";
import { waitingAt } from "@/tests/load/event_waiting.ts";
import { makeGarden, makePeople } from "./polling_client.ts";
import { ask, type Sender } from "./messages_traffic.ts";

const CLIENTS = 300;
/** Allows a connection for each client, whatever the limit of open files is. */
const MORE_FILES = "ulimit -n 2000";

async function send(url: string, { authorization }: Sender, to: number): Promise<number> {
  const form = { type: "channel", to: String(to), topic: "news", content: "Hello" };
  const body = new URLSearchParams(form);
  const reply = await ask(`${url}/api/v1/messages`, { method: "POST", headers: { authorization }, body });
  assert.equal(reply?.status, 200, reply?.text ?? "");
  return JSON.parse(reply?.text ?? "").id;
}

/** Has each client receive a number of messages; returns the ids by client. */
function receiveAll(
  clients: readonly EventClient[],
  count: number,
  { port }: TestServer,
): Promise<readonly number[][]> {
  return Promise.all(clients.map((client) => client.hearMany(count, port)));
}

async function untilAllWait(server: TestServer): Promise<void> {
  await server.waitFor("all clients wait", () => waitingAt(server), (waiting) => waiting === CLIENTS);
}

Deno.test("hundreds of waiting clients receive each message, and after kill -9 resume and receive what they missed", async () => {
  const folder = await Deno.makeTempDir();
  const clients: EventClient[] = [];
  try {
    const people = await makePeople(folder);
    const [owner] = people;
    assert.ok(owner !== undefined);
    await using first = await TestServer.start({ folder, shell: MORE_FILES });
    const { channelId } = await makeGarden(first.url, people);
    for (let at = 0; at < CLIENTS; at++) clients.push(new EventClient(people[at % people.length] ?? owner));
    await forEach(clients, async (client) => {
      await client.connect(first.port);
      await client.register();
    });
    const receiving = receiveAll(clients, 1, first);
    await untilAllWait(first);
    assert.equal((await first.fetch("/health")).status, 200);
    const id = await send(first.url, owner, channelId);
    assert.deepEqual(await receiving, clients.map(() => [id]));
    await first.kill();

    await using again = await TestServer.start({ folder, shell: MORE_FILES });
    const missed = [await send(again.url, owner, channelId), await send(again.url, owner, channelId)];
    assert.deepEqual(await receiveAll(clients, 2, again), clients.map(() => missed));
    const later = receiveAll(clients, 1, again);
    await untilAllWait(again);
    const last = await send(again.url, owner, channelId);
    assert.deepEqual(await later, clients.map(() => [last]));
  } finally {
    for (const client of clients) client[Symbol.dispose]();
    await Deno.remove(folder, { recursive: true });
  }
});
