// Sends generated requests to a server of its own and reports the first that is not answered as it should be.
import { parseArgs } from "node:util";
import { print } from "@/tests/tools/suite.ts";
import { FuzzServer, MEAN_BATCH } from "./fuzz_server.ts";
import { type RoundOutcome, runRound } from "./round.ts";

const USAGE = "deno task fuzz [--requests=100000] [--seed=N] [--short] [--all] [--costs]";
const DEFAULT_REQUESTS = 100_000;
/** Size and time of a short run, which is a part of each run of the continuous integration. */
const SHORT = { requests: 4000, seconds: 30 };
/** Requests, about, of one round, which has a seed and an organization of its own. */
const ROUND_REQUESTS = 500;
/** Share of the requests that go to a server with rate limits, which takes client addresses from a header. */
const LIMITED_SHARE = 0.05;
/** Measured requests that are printed. */
const SHOWN = 20;
const LIMITS = { RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" };

/** Options of the command line. */
interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Seconds after which no round begins, apart from the first of each server. */
  readonly maxSeconds: number;
  /** Whether failures do not stop the run and are reported once of each kind. */
  readonly isCollecting: boolean;
  /** Whether the run measures what requests cost. */
  readonly isOfCosts: boolean;
}

await main();

async function main(): Promise<void> {
  const options = readOptions();
  print(`seed ${options.seed}, ${options.requests} requests`);
  const failure = options.isOfCosts ? await measure(options) : await fuzz(options);
  if (failure !== null) {
    print(failure);
    Deno.exit(1);
  }
}

function readOptions(): FuzzOptions {
  const { values } = parseArgs({
    options: {
      requests: { type: "string" },
      seed: { type: "string" },
      short: { type: "boolean", default: false },
      all: { type: "boolean", default: false },
      costs: { type: "boolean", default: false },
    },
  });
  const requests = Number(values.requests ?? (values.short ? SHORT.requests : DEFAULT_REQUESTS));
  const seed = Number(values.seed ?? 1);
  if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
    print(USAGE);
    Deno.exit(2);
  }
  const maxSeconds = values.short ? SHORT.seconds : Infinity;
  return { requests, seed, maxSeconds, isCollecting: values.all, isOfCosts: values.costs };
}

/** Measures requests in this process, whose modules other runs do not load. */
async function measure({ requests, seed, maxSeconds }: FuzzOptions): Promise<string | null> {
  const start = performance.now();
  const { findCostProblem, measureCosts } = await import("./request_costs.ts");
  const costs = await measureCosts({ requests, seed, isOver: () => secondsSince(start) > maxSeconds });
  print(`${costs.length} requests measured; the most costly, in multiples of the baseline:`);
  for (const { ratio, status, title } of costs.slice(0, SHOWN)) {
    print(`${ratio.toFixed(1)}  ${status}  ${title}`);
  }
  const problems = costs.map(findCostProblem).filter((problem) => problem !== null);
  return problems.length === 0 ? null : problems.join("\n");
}

/** Requests of one run, without and with rate limits. */
async function fuzz({ requests, seed, maxSeconds, isCollecting }: FuzzOptions): Promise<string | null> {
  const start = performance.now();
  const limited = Math.ceil(requests * LIMITED_SHARE);
  const passes = [
    { env: {}, requests: requests - limited, maxSeconds: maxSeconds * (1 - LIMITED_SHARE) },
    { env: LIMITS, requests: limited, maxSeconds },
  ];
  let sent = 0;
  let round = 0;
  for (const pass of passes) {
    await using server = await FuzzServer.start(pass.env);
    const first = sent;
    const last = sent + pass.requests;
    while (sent < last && (sent === first || secondsSince(start) < pass.maxSeconds)) {
      const batches = Math.ceil(Math.min(ROUND_REQUESTS, last - sent) / MEAN_BATCH);
      const roundSeed = seed + round++;
      const outcome = await runRound(server.parts, { seed: roundSeed, batches, isCollecting });
      sent += outcome.requests;
      const rate = Math.round(sent / secondsSince(start));
      print(`seed ${roundSeed}: ${sent} requests, ${rate}/s, ${summarize(outcome)}`);
      if (outcome.failure !== null) {
        return `FAILED; repeat with --requests=${ROUND_REQUESTS} --seed=${roundSeed}\n${outcome.failure}`;
      }
    }
    const problem = await server.stop();
    if (problem !== null) return problem;
  }
  print(`passed: ${sent} requests in ${Math.round(secondsSince(start))} s`);
  return null;
}

function summarize({ organizations, statuses }: RoundOutcome): string {
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) =>
    `${status}: ${count}`
  );
  return `${organizations} organizations, ${counts.join(", ")}`;
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
