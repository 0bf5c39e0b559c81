import assert from "node:assert/strict";
import { freePort, TestServer, within } from "@/tests/helpers/server.ts";
import { EventClient, forEach } from "@/tests/load/event_clients.ts";
import { waitingAt } from "@/tests/load/event_waiting.ts";
import { makeGarden, makePeople } from "./events_listener.ts";
import { ask, type Sender } from "./messages_traffic.ts";

const CLIENTS = 300;
/** Each has a connection, wherever the limit may stand. */
const MORE_FILES = "ulimit -n 2000";
const ALL_WITHIN_MS = 30_000;

async function say(url: string, { authorization }: Sender, to: number): Promise<number> {
  const form = { type: "channel", to: String(to), topic: "news", content: "Hello" };
  const body = new URLSearchParams(form);
  const reply = await ask(`${url}/api/v1/messages`, { method: "POST", headers: { authorization }, body });
  assert.equal(reply?.status, 200, reply?.text ?? "");
  return JSON.parse(reply?.text ?? "").id;
}

/** Has each hear so many messages, and gives what each heard. */
function hearAll(clients: readonly EventClient[], count: number, port: number): Promise<number[][]> {
  const hearing = Promise.all(clients.map((client) => client.hearMany(count, port)));
  return within(ALL_WITHIN_MS, hearing, () => "Somebody heard nothing");
}

Deno.test("hundreds who wait hear each message, and after kill -9 come back at once and hear what they missed", async () => {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const clients: EventClient[] = [];
  try {
    const people = await makePeople(folder);
    const [owner] = people;
    assert.ok(owner !== undefined);
    await using first = await TestServer.start({ folder, port, shell: MORE_FILES });
    const { channelId } = await makeGarden(first.url, people);
    for (let at = 0; at < CLIENTS; at++) clients.push(new EventClient(people[at % people.length] ?? owner));
    await forEach(clients, async (client) => {
      await client.connect(port);
      await client.register();
    });
    const hearing = hearAll(clients, 1, port);
    while (await waitingAt(first) < CLIENTS);
    assert.equal((await first.fetch("/health")).status, 200);
    const id = await say(first.url, owner, channelId);
    assert.deepEqual(await hearing, clients.map(() => [id]));
    await first.kill();

    await using again = await TestServer.start({ folder, port, shell: MORE_FILES });
    const missed = [await say(again.url, owner, channelId), await say(again.url, owner, channelId)];
    assert.deepEqual(await hearAll(clients, 2, port), clients.map(() => missed));
    const later = hearAll(clients, 1, port);
    while (await waitingAt(again) < CLIENTS);
    const last = await say(again.url, owner, channelId);
    assert.deepEqual(await later, clients.map(() => [last]));
  } finally {
    for (const client of clients) client[Symbol.dispose]();
    await Deno.remove(folder, { recursive: true });
  }
});
