import type { TestServer } from "../helpers/server.ts";
import { measureMs } from "../helpers/measure.ts";
import { waitFor } from "../helpers/wait.ts";
import { callSotto } from "./call.ts";
import { type ChatPeople, type LoadUser, seedChat } from "./chat_seeding.ts";
import { EventClient, forEach, measureDelivery } from "./event_clients.ts";
import { measureBareWaiting, settledBytes, waitingAt } from "./event_waiting.ts";
import { startSotto } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow, toTimeRow } from "./table.ts";

/** Clients that wait for something that does not come. */
const IDLE = 2000;
/** Clients that messages come to. */
const ACTIVE = 200;
/** Number of users whose clients are active; the others wait. */
const ACTIVE_PEOPLE = 20;
const ROUNDS = 20;
const MISSED = 5;
const MORE_FILES = "ulimit -n 20000";
/** Milliseconds after which a measurement counts as one that never ends. */
const GIVE_UP_MS = 600_000;

/** Measures waiting clients: their memory, how soon a message reaches them, and their return after a restart. */
export async function measureEvents(stores: Stores): Promise<Row[]> {
  printLine(`measuring: ${IDLE + ACTIVE} clients that wait for events …`);
  const path = stores.empty();
  const people = await seedChat(path);
  const bare = await measureBareWaiting(IDLE);
  let scene: Scene;
  const rows: Row[] = [];
  {
    await using server = await startSotto(path, MORE_FILES);
    scene = await makeScene(server, people);
    rows.push(...await idleRows(scene, bare), ...await messageRows(scene));
    await server.kill();
  }
  await using again = await startSotto(path, MORE_FILES);
  return [...rows, ...await stormRows({ ...scene, server: again })];
}

interface Scene {
  readonly server: TestServer;
  readonly owner: LoadUser;
  readonly idle: readonly EventClient[];
  readonly active: readonly EventClient[];
}

async function makeScene(server: TestServer, { owner, members }: ChatPeople): Promise<Scene> {
  const few = members.slice(0, ACTIVE_PEOPLE);
  const others = members.slice(ACTIVE_PEOPLE);
  for (const [name, people] of [["Few", few], ["All", members]] as const) {
    const subscribers = JSON.stringify(people.map(({ id }) => id));
    const form = { name, subscribers };
    await callSotto(server, { user: owner, method: "POST", path: "/api/v1/channels/create", form });
  }
  const clientsOf = (people: readonly LoadUser[], count: number) =>
    Array.from({ length: count }, (_, at) => new EventClient(people[at % people.length] ?? owner));
  const scene = { server, owner, idle: clientsOf(others, IDLE), active: clientsOf(few, ACTIVE) };
  await forEach([...scene.idle, ...scene.active], async (client) => {
    await client.connect(server.port);
    await client.register();
    await client.hear(true);
  });
  return scene;
}

async function idleRows({ server, idle }: Scene, bareBytes: number): Promise<Row[]> {
  for (const client of idle) client[Symbol.dispose]();
  const before = await settledBytes(server.pid);
  await forEach(idle, (client) => client.connect(server.port));
  await beginAll(server, idle);
  const each = (await settledBytes(server.pid) - before) / idle.length;
  const what = `memory for each of ${IDLE} clients that wait`;
  return [
    toPlainRow(`${what}: bare`, toKib(bareBytes), ""),
    toPlainRow(`${what}: Sotto`, toKib(each), "< 30 kB"),
    toPlainRow(`${what}: Sotto above bare`, toKib(each - bareBytes), "< 15 kB"),
  ];
}

/** Has all wait, a few more at a time, as a server turns away requests beyond its limit. */
async function beginAll(server: TestServer, clients: readonly EventClient[]): Promise<void> {
  const already = await waitingAt(server);
  for (let at = 0; at < clients.length; at += 250) {
    for (const client of clients.slice(at, at + 250)) client.begin();
    const wanted = already + Math.min(clients.length, at + 250);
    await server.waitFor("the clients wait", () => waitingAt(server), (waiting) => waiting >= wanted);
  }
}

async function messageRows(scene: Scene): Promise<Row[]> {
  const { server, idle, active } = scene;
  await beginAll(server, active);
  const few = await measureMessages(scene, { to: "Few", receiving: active });
  const all = await measureMessages(scene, { to: "All", receiving: [...idle, ...active] });
  const beside = `beside ${IDLE} idle ones`;
  return [
    toTimeRow(`a message reaches ${ACTIVE} clients ${beside}`, few.times, "p99 < 200 ms"),
    toTimeRow(`/health meanwhile`, few.health, "p99 < 100 ms"),
    toTimeRow(`a message reaches ${IDLE + ACTIVE} clients`, all.times, ""),
    toTimeRow(`/health meanwhile`, all.health, ""),
    toPlainRow(
      "asked again as the server was overloaded",
      String(countRetries([...idle, ...active])),
      "",
    ),
  ];
}

function countRetries(clients: readonly EventClient[]): number {
  return clients.reduce((sum, client) => sum + client.retries, 0);
}

async function measureMessages(
  { server, owner }: Scene,
  { to, receiving }: { to: string; receiving: readonly EventClient[] },
): Promise<{ times: number[]; health: number[] }> {
  const over = new AbortController();
  const health = watchHealth(server, over.signal);
  const times = await measureDelivery(receiving, ROUNDS, () => send(server, owner, to));
  over.abort();
  return { times, health: await health };
}

async function send(server: TestServer, user: LoadUser, to: string): Promise<void> {
  const form = { type: "channel", to: JSON.stringify(to), topic: "news", content: "Hello" };
  await callSotto(server, { user, method: "POST", path: "/api/v1/messages", form });
}

async function watchHealth(server: TestServer, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  await waitFor("the measurement is over", async () => {
    times.push(await measureMs(async () => await (await server.fetch("/health")).text()));
    return signal.aborted;
  }, { giveUpMs: GIVE_UP_MS });
  return times;
}

async function stormRows({ server, owner, idle, active }: Scene): Promise<Row[]> {
  const all = [...idle, ...active];
  const before = countRetries(all);
  for (const client of all) client.forget();
  for (let missed = 0; missed < MISSED; missed++) await send(server, owner, "All");
  const times: number[] = [];
  const over = new AbortController();
  const health = watchHealth(server, over.signal);
  const started = performance.now();
  const received = await Promise.all(all.map(async (client) => {
    const ids = await client.hearMany(MISSED, server.port);
    times.push(performance.now() - started);
    return ids;
  }));
  over.abort();
  if (received.some((ids) => ids.length !== MISSED)) throw new Error("A client received a message twice");
  const retries = countRetries(all) - before;
  const what = `${IDLE + ACTIVE} clients come back after a restart`;
  return [
    toTimeRow(`${what}: hear what they missed`, times, ""),
    toPlainRow(`${what}: all received everything after`, `${Math.round(Math.max(...times))} ms`, ""),
    toPlainRow(`${what}: asked again as the server was overloaded`, String(retries), ""),
    toTimeRow(`/health meanwhile`, await health, ""),
  ];
}

function toKib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
