/**
 * Throughput and latency of one, two and three processes on one store: visits, new links, messages and the delivery of
 * events, on a file and on a KV Connect server, which needs denokv. Prints a table; ratios are to one process. Arguments name the stores
 * to measure: `file`, `denokv`.
 */
import { findDenokv, KvServer } from "../helpers/denokv.ts";
import { KV_TOKEN, PROJECT, type TestServer } from "../helpers/server.ts";
import { callSotto } from "./call.ts";
import { type ChatPeople, type LoadUser, seedChat } from "./chat_seeding.ts";
import { EventClient, forEach, measureDelivery } from "./event_clients.ts";
import { seedLinks, writeAlphabet } from "./seeding.ts";
import { startSotto } from "./servers.ts";
import { printLine, type Row, toRateRow, toTable, toTimeRow } from "./table.ts";
import { hasWrk, type Load, medianOf, runWrk, type WrkRun } from "./wrk.ts";

/** Connections of all processes together, and of each where the number grows with the processes. */
const CONNECTIONS = 64;
/** Links that are visited. */
const LINKS = 500;
const ROUNDS = 3;
const SECONDS = 3;
/** Clients that wait for messages, evenly at all processes. */
const CLIENTS = 60;
const DELIVERIES = 20;
/** Subscribers of the channel that messages are sent to, who are the people of the clients. */
const SUBSCRIBERS = 10;
const CHANNEL = "Load";

/** Processes that share a store, with its people. */
interface Scene {
  readonly folder: string;
  readonly servers: readonly TestServer[];
  readonly people: ChatPeople;
}

/** A store that processes share; disposing of it ends its server. */
interface SharedStore extends AsyncDisposable {
  readonly url: string;
}

/** Returns the load of a process by its number and connections. */
type ToLoad = (at: number, connections: number) => Load | Promise<Load>;

const STORES: Readonly<Record<string, (folder: string) => Promise<SharedStore | null>>> = {
  file: (folder) =>
    Promise.resolve({
      url: `${folder}/${crypto.randomUUID()}.kv`,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  denokv: () => {
    const program = findDenokv();
    return program === null ? Promise.resolve(null) : KvServer.start(program);
  },
};

if (!hasWrk()) {
  printLine("The benchmarks need wrk: install it with your system's packages, such as apt-get install wrk.");
  Deno.exit(1);
}
const cache = `${PROJECT}data/bench`;
await Deno.mkdir(cache, { recursive: true });
const folder = await Deno.makeTempDir({ dir: cache, prefix: "run-" });
Deno.env.set("DENO_KV_ACCESS_TOKEN", KV_TOKEN);
try {
  const rows: Row[] = [];
  for (const name of Object.keys(STORES)) {
    if (Deno.args.length === 0 || Deno.args.includes(name)) rows.push(...await measureStore(name));
  }
  printLine(toTable(rows));
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Returns the rows of a kind of store, by measurement and then by the number of processes. */
async function measureStore(name: string): Promise<Row[]> {
  const results: Row[][] = [];
  for (const count of [1, 2, 3]) {
    await using store = await STORES[name]?.(folder) ?? null;
    if (store === null) {
      printLine(`${name} is not installed, so it is not measured.`);
      return [];
    }
    printLine(`measuring: ${count} on ${name} …`);
    await seedLinks(store.url, { count: LINKS });
    const people = await seedChat(store.url);
    await using processes = new AsyncDisposableStack();
    const servers: TestServer[] = [];
    for (let at = 0; at < count; at++) servers.push(processes.use(await startSotto(store.url)));
    const rows = await measureScene({ folder, servers, people });
    results.push(rows.map((row) => ({ ...row, what: `${row.what}, ${name}: ${count}` })));
  }
  const [one = []] = results;
  return one.flatMap((first, at) =>
    results.flatMap((rows) => {
      const row = rows[at];
      return row === undefined ? [] : [{ ...row, ratio: toRatio(row, first) }];
    })
  );
}

/** Returns the ratio of two rates, or no text for rows of durations. */
function toRatio({ value }: Row, first: Row): string {
  return value === "" ? "" : (parseFloat(value) / parseFloat(first.value)).toFixed(2);
}

async function measureScene(scene: Scene): Promise<Row[]> {
  const alphabet = `${scene.folder}/alphabet.txt`;
  await writeAlphabet(alphabet);
  const { owner, members } = scene.people;
  const subscribers = members.slice(0, SUBSCRIBERS);
  const [first] = scene.servers;
  if (first === undefined) throw new Error("There is no server");
  const form = { name: CHANNEL, subscribers: JSON.stringify(subscribers.map(({ id }) => id)) };
  await callSotto(first, { user: owner, method: "POST", path: "/api/v1/channels/create", form });
  const visits: ToLoad = () => ({ script: "resolve.lua", args: [alphabet, String(LINKS), "1"] });
  const links: ToLoad = () => ({ script: "shorten.lua", args: [] });
  return [
    await measure("visits of 500 URLs", scene, visits),
    await measure("visits, 64 connections each", scene, each(visits)),
    await measure("new links", scene, links),
    await measure("new links, 64 connections each", scene, each(links)),
    await measure("messages", scene, toMessages(scene)),
    toTimeRow("a message reaches 60 clients", await deliver(scene, subscribers), ""),
  ];
}

/** Returns loads of as many connections to each process as others have to all of them. */
function each(toLoad: ToLoad): ToLoad {
  return async (at, connections) => ({ ...await toLoad(at, connections), connections: CONNECTIONS });
}

/** Loads all processes at once, in several rounds; returns the medians of the rounds, and the failed requests of all. */
async function measure(what: string, { servers }: Scene, toLoad: ToLoad): Promise<Row> {
  const connections = Math.floor(CONNECTIONS / servers.length);
  const rounds: WrkRun[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const runs = await Promise.all(
      servers.map(async ({ url }, at) =>
        await runWrk(url, { connections, mayFail: true, ...await toLoad(at, connections) }, SECONDS)
      ),
    );
    // The first round warms up.
    if (round > 0) rounds.push(combine(runs));
  }
  const row = toRateRow(what, "", {
    rate: medianOf(rounds.map(({ rate }) => rate)),
    median: medianOf(rounds.map(({ median }) => median)),
    p99: medianOf(rounds.map(({ p99 }) => p99)),
  });
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  return failed === 0 ? row : { ...row, value: `${row.value}, ${failed} failed` };
}

/** Returns sums, the mean of the medians, and the p99 of the slowest process. */
function combine(runs: readonly WrkRun[]): WrkRun {
  const rate = runs.reduce((sum, run) => sum + run.rate, 0);
  return {
    rate,
    median: runs.reduce((sum, run) => sum + run.median * run.rate, 0) / rate,
    p99: Math.max(...runs.map(({ p99 }) => p99)),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  };
}

/** Returns loads of messages to the channel; each process has senders of its own. */
function toMessages({ folder, people }: Scene): ToLoad {
  const body = (content: string) => `type=channel&to="${CHANNEL}"&topic=load&content=${content}`;
  return async (at, connections) => {
    const senders = people.members.slice(at * connections, (at + 1) * connections);
    const lines = senders.map(({ authorization }) =>
      [body("One"), body("Another"), authorization].join("\t")
    );
    const file = `${folder}/senders-${at}.txt`;
    await Deno.writeTextFile(file, lines.join("\n"));
    return {
      script: "chat_write.lua",
      args: ["POST", "/api/v1/messages", file],
      threads: connections,
      connections,
    };
  };
}

/** Returns the milliseconds until each client, at whatever process, has received each message. */
async function deliver({ servers, people }: Scene, subscribers: readonly LoadUser[]): Promise<number[]> {
  await using clients = new AsyncDisposableStack();
  const receiving = Array.from(
    { length: CLIENTS },
    (_, at) => clients.use(new EventClient(subscribers[at % subscribers.length] ?? people.owner)),
  );
  const ports = new Map(receiving.map((client, at) => [client, servers[at % servers.length]?.port ?? 0]));
  await forEach(receiving, async (client) => {
    await client.connect(ports.get(client) ?? 0);
    await client.register();
    await client.hear(true);
  });
  for (const client of receiving) client.begin();
  const form = { type: "channel", to: JSON.stringify(CHANNEL), topic: "news", content: "Hello" };
  return await measureDelivery(receiving, DELIVERIES, async (round) => {
    const server = servers[round % servers.length];
    if (server !== undefined) {
      await callSotto(server, { user: people.owner, method: "POST", path: "/api/v1/messages", form });
    }
  });
}
