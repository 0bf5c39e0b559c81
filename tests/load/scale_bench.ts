/**
 * A small and a large demo in one run: start, memory, durations of requests, backup and check. Prints a table with
 * ratios and asserts nothing. `--store=PATH` names a large store; without it, one is created and kept. Further arguments
 * select parts: `start`, `requests`, `commands`.
 */
import { parseArgs } from "node:util";
import { spawnAdmin } from "../helpers/command_line.ts";
import { PROJECT, type TestServer } from "../helpers/server.ts";
import { settledBytes } from "./event_waiting.ts";
import { type Figure, summarize, toScaleTable } from "./scale/figures.ts";
import { SCALE_REQUESTS, timeRequest } from "./scale/requests.ts";
import { createDemo, openScene, prepareCopy, type PreparedStore } from "./scale/scenes.ts";
import { kept } from "./seeding.ts";
import { startSotto } from "./servers.ts";
import { printLine } from "./table.ts";

const CALLS = 20;
const STARTS = 5;
const MIB = 1024 * 1024;
/** Volumes of the small store, the least that a large demo has. */
const SMALL = ["--people=75", "--channels=26", "--messages=300", "--links=100", "--visits=3000"];
const PARTS: Readonly<Record<string, (stores: Stores) => Promise<Figure[]>>> = {
  start: measureStart,
  requests: measureRequests,
  commands: measureCommands,
};

/** Copies of both stores, with what requests name in them. */
interface Stores {
  readonly small: PreparedStore;
  readonly large: PreparedStore;
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
  const stores = {
    small: await prepareCopy(small, `${folder}/small.kv`),
    large: await prepareCopy(large, `${folder}/large.kv`),
  };
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (positionals.length === 0 || positionals.includes(name)) figures.push(...await measure(stores));
  }
  printLine(`\n${toScaleTable(figures)}\n\n${summarize(figures)}`);
} finally {
  await Deno.remove(folder, { recursive: true });
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
