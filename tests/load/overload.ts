/**
 * Measures the capacity of a server over 64 connections, then offers one, two, five and ten times that rate, for each kind
 * of load and several rounds. The load is open: requests start at their rate and do not wait for the answers before, as
 * those of many people; clients that wait would offer less as the server slows down. Prints a table; asserts nothing.
 * Arguments are names of loads. The load has a process of its own, but shares the processors with the server: the first
 * rows show what the same load does with a server that refuses everything, and times are without those in which the
 * server's main thread waited for a processor.
 */
import {
  isRefused,
  isServed,
  type LoadedServer,
  type LoadRun,
  measureCapacity,
  offerLoad,
} from "../helpers/overload.ts";
import { residentBytes, TestServer } from "../helpers/server.ts";
import { createTestFolder } from "../helpers/store.ts";
import { seedChat } from "./chat_seeding.ts";
import { OVERLOAD_OPTIONS, prepareLoads, type RequestSource } from "./overload_loads.ts";
import { startScript } from "./servers.ts";
import { printLine, type Row, toTable } from "./table.ts";
import { medianOf } from "./wrk.ts";

const FACTORS = [1, 2, 5, 10];
const ROUNDS = Deno.env.get("BENCH_QUICK") === "1" ? 1 : 3;
const SECONDS = 3;
const MIB = 1024 * 1024;
/** Rates offered to the server that refuses everything. */
const BARE_RATES = [2000, 8000];

/** One level of a load. */
interface Level extends LoadRun {
  /** Requests that the server serves in a second, and for each second of its processor. */
  readonly capacity: number;
  readonly capacityOfCpu: number;
  /** Resident memory of the server at the end. */
  readonly bytes: number;
}

await using folder = await createTestFolder();
const people = await seedChat(`${folder.path}/sotto.kv`);
await using server = await TestServer.start({ ...OVERLOAD_OPTIONS, folder: folder.path });
const loads = Object.entries(await prepareLoads(server, people));
const rows: Row[] = await measureBare();
for (const [name, request] of loads) {
  if (Deno.args.length === 0 || Deno.args.includes(name)) rows.push(...await measureLoad(name, request));
}
printLine(toTable(rows));

/** Offers loads to a server that does nothing but refuse, which shows what the machine and the load itself take. */
async function measureBare(): Promise<Row[]> {
  await using bare = await startScript("bare_refusals.ts", [], "ulimit -n 20000");
  const request = loads[0]?.[1] ?? (() => new Uint8Array());
  const measured: Row[] = [];
  for (const rate of BARE_RATES) {
    const levels: Level[] = [];
    for (let round = 0; round < ROUNDS; round++) levels.push(await measureLevel(bare, { request, rate }));
    measured.push(toRow(`a server that refuses everything, ${rate} /s`, levels));
  }
  return measured;
}

async function measureLoad(name: string, request: RequestSource): Promise<Row[]> {
  const byFactor = new Map(FACTORS.map((factor) => [factor, [] as Level[]]));
  const plan = { request, seconds: SECONDS };
  await measureCapacity(server, plan);
  for (let round = 1; round <= ROUNDS; round++) {
    printLine(`measuring: ${name}, round ${round} of ${ROUNDS} …`);
    const { goodput: capacity, goodputOfCpu: capacityOfCpu } = await measureCapacity(server, plan);
    for (const [factor, levels] of byFactor) {
      const level = await measureLevel(server, { request, rate: factor * capacity });
      levels.push({ ...level, capacity, capacityOfCpu });
    }
  }
  return [...byFactor].map(([factor, levels]) => toRow(`${name}: ${factor} times`, levels));
}

async function measureLevel(
  target: LoadedServer,
  { request, rate }: { request: RequestSource; rate: number },
): Promise<Level> {
  const run = await offerLoad(target, { request, seconds: SECONDS }, rate);
  return { ...run, capacity: rate, capacityOfCpu: NaN, bytes: residentBytes(target.pid) };
}

function toRow(what: string, levels: readonly Level[]): Row {
  const outcomes = levels.flatMap((level) => level.outcomes);
  const served = outcomes.filter(isServed);
  const refused = outcomes.filter(isRefused);
  const unanswered = outcomes.length - served.length - refused.length;
  const lacking = refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  const probes = levels.flatMap((level) => level.probes);
  const failed = probes.filter(({ status }) => status !== 200).length;
  const middle = (pick: (level: Level) => number) => medianOf(levels.map(pick));
  const refusedTimes = toTimes(refused);
  const notes = [
    `${refused.length} refused (${refusedTimes.median}, p99 ${refusedTimes.p99})`,
    `${unanswered} unanswered`,
    ...(lacking === 0 ? [] : [`${lacking} without Retry-After`]),
    `${probes.length} probes (p99 ${toTimes(probes).p99}), ${failed} not 200`,
    `${Math.round(middle(({ bytes }) => bytes) / MIB)} MiB`,
    `${
      middle(({ goodputOfCpu, capacityOfCpu }) => goodputOfCpu / capacityOfCpu).toFixed(2)
    } by processor time`,
  ];
  return {
    what: `${what}; ${notes.join("; ")}`,
    value: `${Math.round(middle(({ goodput }) => goodput))} /s`,
    ...toTimes(served),
    ratio: middle(({ goodput, capacity }) => goodput / capacity).toFixed(2),
    aim: "≥ 0.9",
  };
}

/** Returns the median and the 99th percentile of some times. */
function toTimes(measured: readonly { readonly ms: number }[]): Pick<Row, "median" | "p99"> {
  const sorted = measured.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? NaN).toFixed(1)} ms`;
  return { median: at(0.5), p99: at(0.99) };
}
