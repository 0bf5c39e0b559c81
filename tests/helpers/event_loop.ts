import { setImmediate } from "node:timers";

/** Runs of each request; the least of their longest blocks counts, as a busy machine lengthens some of them. */
const ROUNDS = 2;
/** Steps of the baseline, which take some milliseconds. */
const BASELINE_STEPS = 12_000_000;

/** Pause between two looks at the clock while blocks are measured, in milliseconds. */
const SAMPLING_MS = 1;

/** Reads a clock in milliseconds. */
export type ReadMs = () => number;

/** Returns the time that has passed. */
const readPassedMs: ReadMs = () => performance.now();

/**
 * Returns the processor time of this thread, which a busy machine hardly lengthens; the time that has passed on
 * systems that do not report it.
 */
export function readThreadMs(): number {
  try {
    const [nanoseconds] = Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return readPassedMs();
  }
}

/**
 * Returns the longest time in milliseconds for which the event loop of this process is blocked during `work`,
 * by the time that has passed or by another clock. Short turns before a block count as part of it, up to
 * SAMPLING_MS.
 */
export async function measureLongestBlock(
  work: () => Promise<unknown>,
  readMs: ReadMs = readPassedMs,
): Promise<number> {
  let longest = 0;
  let last = readMs();
  const sample = () => {
    const now = readMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  // A timer lets the process wait for the store, where a callback of each turn would keep a processor busy.
  const timer = setInterval(sample, SAMPLING_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  sample();
  return longest;
}

/** Returns the longest turn of the event loop during `work` in milliseconds. */
export async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = readPassedMs();
  await onEachTurn(() => {
    longest = Math.max(longest, readPassedMs() - last);
    last = readPassedMs();
  }, work);
  return longest;
}

/** Calls `onTurn` at each turn of the event loop during `work`, and once after it; returns the result of `work`. */
export async function onEachTurn<T>(onTurn: () => void, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const turn = () => {
    onTurn();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return await work();
  } finally {
    isDone = true;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the turns that the event loop takes during `work`. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  await onEachTurn(() => turns++, work);
  return turns;
}

/** Returns the least of the longest blocks of several runs, in milliseconds. */
export async function measureBlock(
  work: () => Promise<unknown>,
  readMs: ReadMs = readPassedMs,
): Promise<number> {
  const blocks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) blocks.push(await measureLongestBlock(work, readMs));
  return Math.min(...blocks);
}

/** Returns the block of a computation that always has the same steps, in milliseconds, to compare blocks with. */
export async function measureBaseline(readMs: ReadMs = readPassedMs): Promise<number> {
  return await measureBlock(() => {
    let mixed = 1;
    for (let step = 0; step < BASELINE_STEPS; step++) mixed = Math.imul(mixed ^ (mixed >>> 15), step | 1);
    return Promise.resolve(mixed);
  }, readMs);
}
