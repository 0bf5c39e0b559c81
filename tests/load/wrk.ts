/** Rate in requests a second and times in milliseconds. */
export interface Measured {
  readonly rate: number;
  readonly median: number;
  readonly p99: number;
}

/** Result of a run of wrk. */
export interface WrkRun extends Measured {
  /** Requests without an answer in time, or refused. */
  readonly failed: number;
}

/** Parameters of wrk: a script beside this file, and its arguments. */
export interface Load {
  readonly script: "resolve.lua" | "shorten.lua" | "chat_read.lua" | "chat_write.lua" | "ordinary.lua";
  readonly args: readonly string[];
  /** 1 and 64 unless a load needs others. */
  readonly threads?: number;
  readonly connections?: number;
  /** Whether failed requests are counted rather than an error. */
  readonly mayFail?: boolean;
}

const CONNECTIONS = 64;

/** Whether wrk can be run. */
export function hasWrk(): boolean {
  try {
    new Deno.Command("wrk", { args: ["-v"], stdout: "null", stderr: "null" }).outputSync();
    return true;
  } catch {
    return false;
  }
}

/** Loads a server for so many seconds. */
export async function runWrk(url: string, load: Load, seconds: number): Promise<WrkRun> {
  const script = new URL(load.script, import.meta.url).pathname;
  const { threads = 1, connections = CONNECTIONS } = load;
  const options = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, "-s", script, url];
  const { stdout, stderr } = await new Deno.Command("wrk", { args: [...options, "--", ...load.args] })
    .output();
  const text = new TextDecoder().decode(stdout);
  const line = /^JSON (.*)$/m.exec(text)?.[1];
  if (line === undefined) throw new Error(`wrk failed: ${text}${new TextDecoder().decode(stderr)}`);
  const { requests, micros, median, p99, failed }: Record<
    "requests" | "micros" | "median" | "p99" | "failed",
    number
  > = JSON.parse(line);
  if (failed > 0 && load.mayFail !== true) {
    throw new Error(`${failed} of ${requests} requests to ${url} failed`);
  }
  return { rate: requests / (micros / 1e6), median: median / 1000, p99: p99 / 1000, failed };
}

/** The middle one of some numbers. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
