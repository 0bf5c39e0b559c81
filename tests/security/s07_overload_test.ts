// Overload: what the server cannot serve is refused at once and early, and the rest is served as before.
import assert from "node:assert/strict";
import { MAX_IN_FLIGHT } from "@/lib/server/guard.ts";
import { isRefused, type LoadRun, measureCapacity, offerLoad } from "@/tests/helpers/overload.ts";
import { median } from "@/tests/helpers/measure.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { seedChat } from "@/tests/load/chat_seeding.ts";
import { OVERLOAD_OPTIONS, prepareLoads } from "@/tests/load/overload_loads.ts";

const SECONDS = 1;
const FACTOR = 5;
/** A busy machine can spoil a round but not all of them. */
const ROUNDS = 5;
/** Least part of the capacity that is served under overload; lower than what is aimed at, as the load uses processors. */
const MIN_GOODPUT = 0.4;
/** Most requests in flight: fewer than may be in flight at all. */
const MAX_SEEN = MAX_IN_FLIGHT * 3 / 4;

/** A round of overload. */
interface Round extends LoadRun {
  /** Requests served in a second under overload, as a part of those without. */
  readonly ratio: number;
  /** Most requests that were seen in flight. */
  readonly inFlight: number;
}

Deno.test("overload is refused early, and probes and goodput stay", async () => {
  await using folder = await createTestFolder();
  const people = await seedChat(`${folder.path}/sotto.kv`);
  await using server = await TestServer.start({ ...OVERLOAD_OPTIONS, folder: folder.path });
  const { reading } = await prepareLoads(server, people);
  const plan = { request: reading, seconds: SECONDS };
  const problems: string[] = [];
  while (problems.length < ROUNDS) {
    const { goodput } = await measureCapacity(server, plan);
    const over = new AbortController();
    const watching = watchInFlight(server, over.signal);
    const run = await offerLoad(server, plan, FACTOR * goodput);
    over.abort();
    const round = { ...run, ratio: run.goodput / goodput, inFlight: await watching };
    requireRetryAfter(round);
    const problem = findProblem(round);
    if (problem === null) return;
    problems.push(problem);
  }
  assert.fail(problems.join("\n"));
});

/** Returns the most requests that were in flight until the signal aborts; Infinity when the metrics were refused. */
async function watchInFlight(server: TestServer, signal: AbortSignal): Promise<number> {
  let most = 0;
  await waitFor("the load is over", async () => {
    const count = await server.metric("sotto_requests_in_flight");
    most = Math.max(most, Number.isNaN(count) ? Infinity : count);
    return signal.aborted;
  });
  return most;
}

function requireRetryAfter({ outcomes }: LoadRun): void {
  const refused = outcomes.filter(isRefused);
  assert.ok(refused.length > 0, "overload is refused");
  assert.ok(refused.every(({ hasRetryAfter }) => hasRetryAfter));
}

/** Returns what a round lacks, or null. */
function findProblem({ outcomes, probes, ratio, inFlight }: Round): string | null {
  const msOf = (those: readonly { readonly ms: number }[]) => median(those.map(({ ms }) => ms));
  const refusedMs = msOf(outcomes.filter(isRefused));
  const servedMs = msOf(outcomes.filter(({ status }) => status === 200));
  const failed = probes.filter(({ status }) => status !== 200);
  if (failed.length > 0) return `probes failed: ${JSON.stringify(failed)}`;
  if (inFlight > MAX_SEEN) return `${inFlight} requests in flight`;
  if (ratio < MIN_GOODPUT) return `${ratio} of the capacity is served`;
  return refusedMs < servedMs / 2 ? null : `refusals take ${refusedMs} ms, answers ${servedMs} ms`;
}
