/**
 * Durations of requests by what the store has: demos of three sizes in one run, called in turns. Prints a table and
 * asserts nothing. `--store=PATH` names the largest store; without it, one is created and kept.
 */
import { parseArgs } from "node:util";
import { PROJECT } from "../helpers/server.ts";
import { quantileOf, toMarkdownTable } from "./markdown_table.ts";
import { SCALE_REQUESTS, type Scene, timeRequest } from "./scale/requests.ts";
import { createDemo, openScene, prepareCopy } from "./scale/scenes.ts";
import { kept } from "./seeding.ts";
import { startSotto } from "./servers.ts";
import { printLine } from "./table.ts";

/** Calls of each request to each store. */
const CALLS = 40;
/** Options of the demos, the smallest first; the largest has the volumes of a large demo. */
const SIZES: readonly { readonly name: string; readonly volumes: readonly string[] }[] = [
  {
    name: "small",
    volumes: ["--people=75", "--channels=26", "--messages=1000", "--links=100", "--visits=3000"],
  },
  {
    name: "medium",
    volumes: ["--people=1000", "--channels=150", "--messages=30000", "--links=10000", "--visits=100000"],
  },
  { name: "large", volumes: [] },
];

const { values } = parseArgs({ args: Deno.args, options: { store: { type: "string" } } });
const cache = `${PROJECT}data/bench`;
await Deno.mkdir(cache, { recursive: true });
const folder = await Deno.makeTempDir({ dir: cache, prefix: "run-" });
try {
  await using servers = new AsyncDisposableStack();
  const scenes: Scene[] = [];
  for (const { name, volumes } of SIZES) {
    const given = name === "large" ? values.store : undefined;
    const path = given ?? await kept(`${cache}/${toFileName(name)}`, (path) => createDemo(path, volumes));
    const { path: copy, records } = await prepareCopy(path, `${folder}/${name}.kv`);
    scenes.push(await openScene(servers.use(await startSotto(copy)), records));
  }
  printLine(`\n${await measure(scenes)}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Returns the file that a demo is kept in; the largest one is that of `deno task bench:scale`. */
function toFileName(size: string): string {
  return size === "large" ? "scale-large.kv" : `growth-${size}.kv`;
}

async function measure(scenes: readonly Scene[]): Promise<string> {
  const rows: string[][] = [];
  for (const request of SCALE_REQUESTS) {
    printLine(`measuring: ${request.name} …`);
    const times = scenes.map((): number[] => []);
    for (let call = 0; call <= CALLS; call++) {
      for (const [at, scene] of scenes.entries()) times[at]?.push(await timeRequest(request, scene, call));
    }
    // The first call reads what the others find in memory.
    const medians = times.map(([_first, ...values]) => quantileOf(values, 0.5));
    const [first = NaN] = medians;
    const ratios = medians.slice(1).map((median) => (median / first).toFixed(2));
    rows.push([request.name, ...medians.map((median) => median.toFixed(1)), ...ratios]);
  }
  const names = SIZES.map(({ name }) => name);
  return toMarkdownTable(
    ["median in ms", ...names, ...names.slice(1).map((name) => `${name} : small`)],
    rows,
  );
}
