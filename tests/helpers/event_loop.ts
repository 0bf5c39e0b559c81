import { setImmediate } from "node:timers";

/** Runs of each request; the least of their longest blocks counts, as a busy machine lengthens some of them. */
const ROUNDS = 2;
/** Steps of the baseline, which take some milliseconds. */
const BASELINE_STEPS = 12_000_000;

/** Returns the longest time in milliseconds for which the event loop of this process is blocked during `work`. */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await work();
    // One more turn measures a block at the end.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    isDone = true;
  }
  return longest;
}

/** Returns the least of the longest blocks of several runs, in milliseconds. */
export async function measureBlock(work: () => Promise<unknown>): Promise<number> {
  const blocks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) blocks.push(await measureLongestBlock(work));
  return Math.min(...blocks);
}

/** Returns the block of a computation that always has the same steps, in milliseconds, to compare blocks with. */
export async function measureBaseline(): Promise<number> {
  return await measureBlock(() => {
    let mixed = 1;
    for (let step = 0; step < BASELINE_STEPS; step++) mixed = Math.imul(mixed ^ (mixed >>> 15), step | 1);
    return Promise.resolve(mixed);
  });
}
