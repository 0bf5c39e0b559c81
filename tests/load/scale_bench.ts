/**
 * A small and a large demo in one run: start, memory, durations of requests, backup and check. Prints a table with
 * ratios and asserts nothing. `--store=PATH` names a large store; without it, one is created and kept. Further arguments
 * select parts: `start`, `requests`, `commands`.
 */
import { parseArgs } from "node:util";
import { spawnAdmin } from "../helpers/command_line.ts";
import { PROJECT, RUNTIME_FLAGS, type TestServer } from "../helpers/server.ts";
import { callSotto } from "./call.ts";
import { settledBytes } from "./event_waiting.ts";
import { type Figure, summarize, toScaleTable } from "./scale/figures.ts";
import { OWNER_EMAIL, OWNER_NAME, prepareStore, type SceneRecords } from "./scale/prepare_store.ts";
import { SCALE_REQUESTS, type Scene, SEARCHED_WORD, timeRequest } from "./scale/requests.ts";
import { kept } from "./seeding.ts";
import { startSotto } from "./servers.ts";
import { authorize, signIn } from "./sign_in.ts";
import { printLine } from "./table.ts";

const CALLS = 20;
const STARTS = 5;
/** Number of messages that each narrow finds at least; one request returns 100. */
const FOUND = 101;
const MIB = 1024 * 1024;
const PASSWORD = "violet kettle seldom 42";
/** Volumes of the small store, the least that a large demo has. */
const SMALL = ["--people=75", "--channels=26", "--messages=300", "--links=100", "--visits=3000"];
const PARTS: Readonly<Record<string, (stores: Stores) => Promise<Figure[]>>> = {
  start: measureStart,
  requests: measureRequests,
  commands: measureCommands,
};

/** Copies of both stores, with what requests name in them. */
interface Stores {
  readonly small: { readonly path: string; readonly records: SceneRecords };
  readonly large: { readonly path: string; readonly records: SceneRecords };
}

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: { store: { type: "string" } },
  allowPositionals: true,
});
const cache = `${PROJECT}data/bench`;
await Deno.mkdir(cache, { recursive: true });
const folder = await Deno.makeTempDir({ dir: cache, prefix: "run-" });
try {
  const small = await kept(`${cache}/scale-small.kv`, (path) => createDemo(path, SMALL));
  const large = values.store ?? await kept(`${cache}/scale-large.kv`, (path) => createDemo(path, []));
  const stores = { small: await copy(small, "small"), large: await copy(large, "large") };
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (positionals.length === 0 || positionals.includes(name)) figures.push(...await measure(stores));
  }
  printLine(`\n${toScaleTable(figures)}\n\n${summarize(figures)}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function createDemo(path: string, volumes: readonly string[]): Promise<void> {
  printLine(`creating: ${path} …`);
  const script = `${PROJECT}tests/tools/demo/main.ts`;
  const args = ["run", "-A", ...RUNTIME_FLAGS, "--no-check", script, "--large", ...volumes];
  const command = new Deno.Command(Deno.execPath(), { args, env: { KV_URL: path }, stdout: "null" });
  if (!(await command.spawn().status).success) throw new Error(`${path} was not created`);
}

async function copy(path: string, name: string) {
  printLine(`copying: ${name} store …`);
  const target = `${folder}/${name}.kv`;
  await Deno.copyFile(path, target);
  return { path: target, records: await prepareStore(target, PASSWORD) };
}

async function measureStart({ small, large }: Stores): Promise<Figure[]> {
  printLine("measuring: start …");
  const times: Record<"small" | "large", number[]> = { small: [], large: [] };
  for (let round = 0; round < STARTS; round++) {
    times.small.push(await timeStart(small.path));
    times.large.push(await timeStart(large.path));
  }
  return [{ name: "start to the first answer", unit: "ms", ...times }];
}

async function timeStart(path: string): Promise<number> {
  const started = performance.now();
  await using _server = await startSotto(path);
  return performance.now() - started;
}

async function measureRequests({ small, large }: Stores): Promise<Figure[]> {
  await using one = await startSotto(small.path);
  await using other = await startSotto(large.path);
  const before = await readMemory([one, other]);
  const [first, second] = [await openScene(one, small.records), await openScene(other, large.records)];
  const figures: Figure[] = [];
  for (const request of SCALE_REQUESTS) {
    printLine(`measuring: ${request.name} …`);
    // The first call reads what the others find in memory.
    const firsts = {
      small: await timeRequest(request, first, CALLS),
      large: await timeRequest(request, second, CALLS),
    };
    const times: Record<"small" | "large", number[]> = { small: [], large: [] };
    for (let call = CALLS + 1; call <= 2 * CALLS; call++) {
      times.small.push(await timeRequest(request, first, call));
      times.large.push(await timeRequest(request, second, call));
    }
    figures.push({ name: request.name, unit: "ms", ...times, firsts });
  }
  const after = await readMemory([one, other]);
  return [
    { name: "memory after the start", unit: "MiB", ...before },
    ...figures,
    { name: "memory after the requests", unit: "MiB", ...after },
  ];
}

async function readMemory(
  servers: readonly [small: TestServer, large: TestServer],
): Promise<{ small: number[]; large: number[] }> {
  const [small, large] = [await settledBytes(servers[0].pid), await settledBytes(servers[1].pid)];
  return { small: [small / MIB], large: [large / MIB] };
}

async function openScene(server: TestServer, records: SceneRecords): Promise<Scene> {
  const owner = { email: OWNER_EMAIL, password: PASSWORD };
  const authorization = await authorize(server, owner);
  const user = { id: 0, authorization };
  const topic = "measured";
  const send = (form: Record<string, string>) =>
    callSotto(server, { user, method: "POST", path: "/api/v1/messages", form });
  const channel = { type: "channel", to: String(records.channelId) };
  const direct = { type: "direct", to: JSON.stringify([records.partnerId]) };
  // Both servers return as many messages for each narrow.
  for (let number = 0; number < FOUND; number++) {
    await send({
      ...channel,
      topic: `found ${number}`,
      content: `@**${OWNER_NAME}** ${SEARCHED_WORD} ${number}`,
    });
    await send({ ...direct, content: `Found ${number}` });
  }
  const sent = await send({ ...channel, topic, content: "Measured" });
  const cookie = await signIn(server, owner);
  return { ...records, url: server.url, authorization, cookie, messageId: Number(sent["id"]), topic };
}

async function measureCommands({ small, large }: Stores): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, ...args] of [["backup", `${folder}/backup`], ["check"]] as const) {
    printLine(`measuring: deno task admin ${name} …`);
    const time = async (path: string) => {
      const started = performance.now();
      // Without a limit of time, which a check of a large store would exceed.
      const child = spawnAdmin(path, [name, ...args.map((arg) => arg + crypto.randomUUID())], {
        stdin: "null",
      });
      const { success, stderr } = await child.output();
      if (!success) throw new Error(`${name} of ${path} failed: ${new TextDecoder().decode(stderr)}`);
      return [(performance.now() - started) / 1000];
    };
    figures.push({
      name: `deno task admin ${name}`,
      unit: "s",
      small: await time(small.path),
      large: await time(large.path),
    });
  }
  return figures;
}
