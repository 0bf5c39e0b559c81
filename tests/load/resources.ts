import { measurePeakGrowth } from "../helpers/peak_memory.ts";
import type { TestServer } from "../helpers/server.ts";
import { settledBytes } from "./event_waiting.ts";
import { shortOf } from "./seeding.ts";
import { startSotto } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";
import { medianOf, runWrk } from "./wrk.ts";

const MIB = 1024 * 1024;
const REPEATS = 5;

/** Memory, starting and long statistics. */
export async function measureResources(stores: Stores): Promise<Row[]> {
  printLine("measuring: start, memory, statistics …");
  return [
    toPlainRow("start to the first answer, new store", await startTime(() => stores.empty()), "< 1,500 ms"),
    toPlainRow("start to the first answer, 1,000,000 URLs", await startTime(() => stores.manyLinks()), ""),
    ...await memoryRows(stores),
    ...await statsRows(stores),
  ];
}

async function startTime(makeStore: () => string | Promise<string>): Promise<string> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const store = await makeStore();
    const started = performance.now();
    await using _server = await startSotto(store);
    times.push(performance.now() - started);
  }
  return `${Math.round(medianOf(times))} ms`;
}

async function memoryRows(stores: Stores): Promise<Row[]> {
  await using server = await startSotto(await stores.workingSet());
  const idle = await settledBytes(server.pid);
  await runWrk(server.url, stores.resolve(1000), 5);
  return [
    toPlainRow("idle memory after the start", toMib(idle), "< 120 MB"),
    toPlainRow("memory after load, once it is steady", toMib(await settledBytes(server.pid)), ""),
  ];
}

async function statsRows(stores: Stores): Promise<Row[]> {
  await using server = await startSotto(await stores.manyVisits());
  const runs: StatsRun[] = [];
  const held = await measurePeakGrowth(server.pid, async () => {
    for (let repeat = 0; repeat < REPEATS; repeat++) runs.push(await readStats(server));
  });
  const what = "stats of 1,000,000 visits";
  return [
    toPlainRow(
      `${what}: first byte`,
      `${medianOf(runs.map(({ firstMs }) => firstMs)).toFixed(1)} ms`,
      "< 100 ms",
    ),
    toPlainRow(`${what}: whole answer`, `${Math.round(medianOf(runs.map(({ totalMs }) => totalMs)))} ms`, ""),
    toPlainRow(`${what}: memory above before`, toMib(held), "< 150 MB"),
  ];
}

interface StatsRun {
  readonly firstMs: number;
  readonly totalMs: number;
}

async function readStats(server: TestServer): Promise<StatsRun> {
  const started = performance.now();
  let firstMs = NaN;
  const response = await server.fetch(`/${encodeURIComponent(shortOf(0))}/stats`);
  for await (const _ of response.body ?? []) {
    if (Number.isNaN(firstMs)) firstMs = performance.now() - started;
  }
  return { firstMs, totalMs: performance.now() - started };
}

function toMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
