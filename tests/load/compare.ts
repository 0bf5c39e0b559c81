import type { Target } from "./servers.ts";
import { type Load, type Measured, medianOf, runWrk } from "./wrk.ts";

/** One side of a comparison. */
export interface Contender {
  readonly name: string;
  readonly server: Target;
  readonly load: Load;
}

/** The medians of a contender's runs. */
export interface Result extends Measured {
  readonly name: string;
  /** Requests a second, as a part of what the first contender did in the same round. */
  readonly ratio: number;
}

const isQuick = Deno.env.get("BENCH_QUICK") === "1";
const ROUNDS = isQuick ? 3 : 7;
const SECONDS = isQuick ? 2 : 4;
const WARM_UP_SECONDS = 2;

/** Runs all contenders in turn, several rounds, so that whatever else the machine does hits all of them. */
export async function compare(contenders: readonly Contender[]): Promise<Result[]> {
  for (const { server, load } of contenders) await runWrk(server.url, load, WARM_UP_SECONDS);
  const rounds: Measured[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured: Measured[] = [];
    for (const { server, load } of contenders) measured.push(await runWrk(server.url, load, SECONDS));
    rounds.push(measured);
  }
  return contenders.map(({ name }, at) => ({
    name,
    rate: medianOver(rounds, (round) => round[at]?.rate),
    median: medianOver(rounds, (round) => round[at]?.median),
    p99: medianOver(rounds, (round) => round[at]?.p99),
    ratio: medianOver(rounds, (round) => (round[at]?.rate ?? NaN) / (round[0]?.rate ?? NaN)),
  }));
}

function medianOver(rounds: readonly Measured[][], pick: (round: Measured[]) => number | undefined): number {
  return medianOf(rounds.map((round) => pick(round) ?? NaN));
}
