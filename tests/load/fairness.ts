/**
 * Measures the throughput of 50 ordinary clients, each at an address of its own, alone and beside one attacker of each
 * kind, in turns, so that whatever else the machine does hits both. Prints a table; asserts nothing. Arguments are parts
 * of the names of the attacks to run. The attacker uses the same processors as the server, so that the figures are lower
 * than over a network; the ratio by processor time is less disturbed.
 */
import { admin } from "../helpers/command_line.ts";
import { basic } from "../helpers/chat.ts";
import { measureMs } from "../helpers/measure.ts";
import { mainThreadSeconds } from "../helpers/processor_time.ts";
import { TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait.ts";
import { type Attack, floodRequests, floodSignIns, holdBodies, holdUploads } from "./fairness_attacks.ts";
import { printLine, type Row, toTable } from "./table.ts";
import { hasWrk, type Load, medianOf, runWrk, type WrkRun } from "./wrk.ts";

const CLIENTS = 50;
const ORDINARY: Load = {
  script: "ordinary.lua",
  args: [String(CLIENTS)],
  connections: CLIENTS,
  mayFail: true,
};
const ROUNDS = 3;
const SECONDS = 4;
const MORE_FILES = "ulimit -n 8000";
/** Throughput that others keep, and the time of /health. */
const AIM = "≥ 0.8, /health < 100 ms";

/** One measurement: the ordinary clients, and the times of /health meanwhile. */
interface Sample extends WrkRun {
  readonly health: readonly number[];
  /** Answered requests for each second of the processor that the server's main thread used. */
  readonly perCpuSecond: number;
}

if (!hasWrk()) {
  printLine("The benchmark needs wrk: install it with your system's packages, such as apt-get install wrk.");
  Deno.exit(1);
}
await using server = await TestServer.start({
  env: {
    TRUSTED_PROXIES: "127.0.0.1",
    RATE_LIMITS: JSON.stringify({ shorten: { points: 1e9, seconds: 60 } }),
  },
  isLogKept: false,
  shell: MORE_FILES,
});
const owner = [
  "--owner-email",
  "ada@example.com",
  "--owner-name",
  "Ada",
  "--owner-password",
  "a quiet garden wall",
];
const { email, api_key } = await admin(server.store, "create-realm", "--name", "Gardeners", ...owner);
const attacks: readonly Attack[] = [
  floodRequests(server),
  floodSignIns(server),
  holdBodies(server),
  holdUploads(server, basic(email, api_key)),
];
await runWrk(server.url, ORDINARY, 2);
const rows: Row[] = [];
const chosen = attacks.filter(({ name }) =>
  Deno.args.length === 0 || Deno.args.some((arg) => name.includes(arg))
);
for (const attack of chosen) rows.push(...await compareBeside(attack));
printLine(toTable(rows));

async function compareBeside(attack: Attack): Promise<Row[]> {
  printLine(`measuring: ${attack.name} …`);
  const alone: Sample[] = [];
  const beside: Sample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await measure());
    await using _attacker = await attack.start();
    beside.push(await measure());
  }
  const ratioOf = (pick: (sample: Sample) => number) =>
    medianOf(beside.map((sample, at) => pick(sample) / (alone[at] === undefined ? NaN : pick(alone[at]))))
      .toFixed(2);
  const ofCpu = ratioOf(({ perCpuSecond }) => perCpuSecond);
  return [
    toRow(`${CLIENTS} clients alone`, alone, "1", ""),
    toRow(`beside ${attack.name}; ${ofCpu} by processor time`, beside, ratioOf(({ rate }) => rate), AIM),
  ];
}

async function measure(): Promise<Sample> {
  const over = new AbortController();
  const health = watchHealth(over.signal);
  const before = mainThreadSeconds(server.pid);
  const measured = await runWrk(server.url, ORDINARY, SECONDS);
  const perCpuSecond = measured.rate * SECONDS / (mainThreadSeconds(server.pid) - before);
  over.abort();
  return { ...measured, perCpuSecond, health: await health };
}

async function watchHealth(signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  const headers = { "x-forwarded-for": "203.0.113.200" };
  await waitFor("the measurement is over", async () => {
    times.push(await measureMs(async () => await (await server.fetch("/health", { headers })).text()));
    return signal.aborted;
  });
  return times;
}

function toRow(what: string, samples: readonly Sample[], ratio: string, aim: string): Row {
  const middle = (pick: (sample: Sample) => number) => medianOf(samples.map(pick));
  const failed = samples.reduce((sum, sample) => sum + sample.failed, 0);
  const health = samples.flatMap((sample) => sample.health).sort((one, other) => one - other);
  const healthP99 = health[Math.floor(health.length * 0.99)] ?? NaN;
  return {
    what: `${what}; p99 of /health ${healthP99.toFixed(0)} ms; ${failed} failed`,
    value: `${Math.round(middle(({ rate }) => rate))} /s`,
    median: `${middle(({ median }) => median).toFixed(2)} ms`,
    p99: `${middle(({ p99 }) => p99).toFixed(2)} ms`,
    ratio,
    aim,
  };
}
