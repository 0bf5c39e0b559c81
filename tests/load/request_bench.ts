// Measures the processor time that each part of a request takes, in one process and without sockets. Arguments select
// parts by their names, such as `visit`.
import { readThreadMs } from "../helpers/event_loop.ts";
import { CLIENT, listRequestParts, type RequestPart } from "./request_parts.ts";
import { startRequestServer } from "./request_server.ts";
import { printLine } from "./table.ts";

const isQuick = Deno.env.get("BENCH_QUICK") === "1";
const ROUNDS = isQuick ? 5 : 15;
/** Requests of a round, so many that the clock of the thread, which ticks every few milliseconds, is exact enough. */
const REQUESTS = 16_384;
/** Requests that are in flight together, as with 64 connections. */
const AT_ONCE = 64;

await using server = await startRequestServer();
const [bare, ...all] = await listRequestParts(server);
const wanted = all.filter(({ name }) =>
  Deno.args.length === 0 || Deno.args.some((arg) => name.includes(arg))
);
const parts = bare === undefined ? [] : [bare, ...wanted];
const rounds: number[][] = [];
// The first round warms up.
for (let round = 0; round <= ROUNDS; round++) {
  const measured: number[] = [];
  for (const part of parts) measured.push(await measureMicros(part));
  if (round > 0) rounds.push(measured);
}
printLine("   median    middle half");
for (const [at, { name }] of parts.entries()) {
  printLine(toLine(name, rounds.map((round) => toCost(round, at))));
}

/** The processor time of a request in microseconds, its creation included. */
async function measureMicros({ handle, createRequest }: RequestPart): Promise<number> {
  const start = readThreadMs();
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => handle(createRequest(), CLIENT)),
    );
    requireSuccess(answers);
  }
  return (readThreadMs() - start) / REQUESTS * 1000;
}

/** Returns the time beyond that of the bare handler of the same round, which comes first; its whole time for itself. */
function toCost(round: readonly number[], at: number): number {
  const [bare = NaN] = round;
  return at === 0 ? bare : (round[at] ?? NaN) - bare;
}

function requireSuccess(answers: readonly Response[]): void {
  const failed = answers.find(({ ok }) => !ok);
  if (failed !== undefined) throw new Error(`A request was answered ${failed.status}`);
}

function toLine(name: string, costs: readonly number[]): string {
  const sorted = costs.toSorted((one, other) => one - other);
  const quartile = (part: number) => (sorted[Math.round((sorted.length - 1) * part)] ?? NaN).toFixed(1);
  const spread = `${quartile(0.25)} to ${quartile(0.75)}`.padStart(15);
  return `${quartile(0.5).padStart(6)} µs ${spread}  ${name}`;
}
