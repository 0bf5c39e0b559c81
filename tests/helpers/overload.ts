import { systemClock } from "@/lib/core/clock.ts";
import { measureMs } from "./measure.ts";
import { type LoadPlan, type Outcome, sendClosedLoop, sendOpenLoop } from "./open_loop.ts";
import { mainThreadSeconds, mainThreadWaitMs } from "./processor_time.ts";
import { waitFor } from "./wait.ts";

/** Connections that reach the capacity. */
const CONNECTIONS = 64;
/** Age from which the server's clock is read again, in milliseconds. */
const CLOCK_MS = 0.5;
/** Part of a load that passes before answers are counted, as the first requests wait for fewer others. */
const RAMP = 0.25;
/** Address of a client that sends nothing but probes. */
const PROBE_HEADERS = { "x-forwarded-for": "203.0.113.200" };

/** A server under load. */
export interface LoadedServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
}

/** The answer to a probe of `/health` or `/ready`. */
export interface Probe {
  readonly path: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly ms: number;
}

/** Outcomes of a load, and of probes beside it. */
export interface LoadRun {
  /** Requests served in a second, from the first answers to the end of the load. */
  readonly goodput: number;
  /** Requests served for each second of the processor that the server's main thread used. */
  readonly goodputOfCpu: number;
  readonly outcomes: readonly Outcome[];
  readonly probes: readonly Probe[];
}

/** Whether a request was served. */
export function isServed({ status }: Outcome): boolean {
  return status >= 200 && status < 400;
}

/** Whether a request was refused because of the load. */
export function isRefused({ status }: Outcome): boolean {
  return status === 503;
}

/** Measures the requests that a server serves in a second over some connections. */
export function measureCapacity(
  server: LoadedServer,
  plan: Pick<LoadPlan, "request" | "seconds">,
): Promise<LoadRun> {
  return run(server, plan, (whole) => sendClosedLoop(whole, CONNECTIONS));
}

/** Offers a rate of requests. */
export function offerLoad(
  server: LoadedServer,
  plan: Pick<LoadPlan, "request" | "seconds">,
  rate: number,
): Promise<LoadRun> {
  return run(server, plan, (whole) => sendOpenLoop(whole, rate));
}

/** Sends a load, and probes meanwhile. */
async function run(
  server: LoadedServer,
  plan: Pick<LoadPlan, "request" | "seconds">,
  send: (plan: LoadPlan) => Promise<Outcome[]>,
): Promise<LoadRun> {
  const over = new AbortController();
  const probing = probe(server, over.signal);
  const now = createServerClock(server.pid);
  const started = now();
  const cpuBefore = mainThreadSeconds(server.pid);
  const outcomes = await send({ ...plan, port: server.port, now });
  const cpuSeconds = mainThreadSeconds(server.pid) - cpuBefore;
  over.abort();
  const end = started + plan.seconds * 1000;
  const start = started + plan.seconds * 1000 * RAMP;
  const counted = outcomes.filter((outcome) => isServed(outcome) && outcome.at >= start && outcome.at < end);
  return {
    outcomes,
    goodput: counted.length / (end - start) * 1000,
    goodputOfCpu: outcomes.filter(isServed).length / cpuSeconds,
    probes: await probing,
  };
}

/** Sends probes until the signal aborts. */
async function probe({ url }: LoadedServer, signal: AbortSignal): Promise<Probe[]> {
  const probes: Probe[] = [];
  await waitFor("the load is over", async () => {
    for (const path of ["/health", "/ready"]) {
      let status = 0;
      const ms = await measureMs(async () => {
        status = await fetchStatus(url + path);
      });
      probes.push({ path, status, ms });
    }
    return signal.aborted;
  });
  return probes;
}

/** Returns the status of an answer to a probe; 0 without an answer. */
async function fetchStatus(address: string): Promise<number> {
  try {
    const response = await fetch(address, { headers: PROBE_HEADERS });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

/**
 * Creates a clock that stands still while the main thread of a process waits for a processor, so that times and rates
 * depend less on what else the machine does.
 */
function createServerClock(pid: number): () => number {
  let [time, waitedMs, readAt] = [0, 0, -Infinity];
  return () => {
    const now = systemClock.monotonic();
    if (now - readAt >= CLOCK_MS) {
      readAt = now;
      waitedMs = mainThreadWaitMs(pid);
    }
    // The system counts a wait when it has ended.
    return time = Math.max(time, now - waitedMs);
  };
}
