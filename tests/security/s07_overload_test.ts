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

/** Length of a load; a longer overload fills the queue, while the capacity shows sooner. */
const SECONDS = { capacity: 0.5, overload: 1 } as const;
const FACTOR = 5;
/** Rounds until each promise has been seen to hold: a busy machine spoils some of them, in one respect or another. */
const ROUNDS = 12;
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
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const { goodput } = await measureCapacity(server, { request: reading, seconds: SECONDS.capacity });
    const over = new AbortController();
    const watching = watchInFlight(server, over.signal);
    const plan = { request: reading, seconds: SECONDS.overload };
    const run = await offerLoad(server, plan, FACTOR * goodput);
    over.abort();
    const round = { ...run, ratio: run.goodput / goodput, inFlight: await watching };
    requireRetryAfter(round);
    rounds.push(round);
    if (findProblems(rounds).length === 0) return;
  }
  assert.fail(findProblems(rounds).join("\n"));
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
  assert.ok(outcomes.filter(isRefused).every(({ hasRetryAfter }) => hasRetryAfter));
}

/** Returns the promises that held in no round, with what was measured. */
function findProblems(rounds: readonly Round[]): string[] {
  const msOf = (those: readonly { readonly ms: number }[]) => median(those.map(({ ms }) => ms));
  const failures = rounds.map(({ probes }) => probes.filter(({ status }) => status !== 200).length);
  const slowness = rounds.map(({ outcomes }) =>
    msOf(outcomes.filter(isRefused)) / msOf(outcomes.filter(({ status }) => status === 200))
  );
  const measured = {
    "refused requests": {
      values: rounds.map(({ outcomes }) => outcomes.filter(isRefused).length),
      // A busy machine may send so few requests in a round that it is no overload.
      holds: (count: number) => count > 0,
    },
    "failed probes": { values: failures, holds: (count: number) => count === 0 },
    "requests in flight": {
      values: rounds.map(({ inFlight }) => inFlight),
      holds: (count: number) => count <= MAX_SEEN,
    },
    "served part of the capacity": {
      values: rounds.map(({ ratio }) => ratio),
      holds: (part: number) => part >= MIN_GOODPUT,
    },
    "time of a refusal to that of an answer": { values: slowness, holds: (ratio: number) => ratio < 1 / 2 },
  };
  return Object.entries(measured)
    .filter(([, { values, holds }]) => !values.some(holds))
    .map(([title, { values }]) => `${title}: ${values}`);
}
