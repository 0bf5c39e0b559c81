/** Two kinds of work whose durations are compared. */
export interface Comparison {
  /** Runs of each kind in a round. */
  readonly samples: number;
  /** Rounds before the comparison counts as failed. */
  readonly rounds?: number;
  /** Returns the milliseconds that one run takes; its duration by default. */
  readonly measure?: (work: () => Promise<unknown>) => Promise<number>;
  /** Whether a ratio, `work` over `baseline`, is acceptable. */
  readonly accept: (ratio: number) => boolean;
}

/** Returns the milliseconds that `work` takes. */
export async function measureMs(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns the median of numbers; NaN if there are none. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

/**
 * Compares how long two kinds of work take: the ratio of their medians, measured in turn within one run. A ratio that is
 * not accepted is measured again, as a busy machine can spoil a round but not all of them.
 * @returns the ratios of the rounds, the accepted one last.
 * @throws Error with all ratios when no round is accepted.
 */
export function compareMedians(
  work: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
  comparison: Comparison,
): Promise<readonly number[]> {
  return compare({ work, baseline, summarize: median }, comparison);
}

/**
 * Compares the least times that two kinds of work take, as `compareMedians` does. It suits work that computes for so long
 * that a busy machine interrupts most of its runs, and the other kind's hardly ever.
 * @throws Error with all ratios when no round is accepted.
 */
export function compareLeast(
  work: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
  comparison: Comparison,
): Promise<readonly number[]> {
  return compare({ work, baseline, summarize: (values) => Math.min(...values) }, comparison);
}

/** Two kinds of work, and the number that stands for the durations of each. */
interface Compared {
  readonly work: () => Promise<unknown>;
  readonly baseline: () => Promise<unknown>;
  readonly summarize: (durations: readonly number[]) => number;
}

async function compare(
  { work, baseline, summarize }: Compared,
  { samples, rounds = 5, measure = measureMs, accept }: Comparison,
): Promise<readonly number[]> {
  const ratios: number[] = [];
  while (ratios.length < rounds) {
    const [workMs, baselineMs]: [number[], number[]] = [[], []];
    for (let sample = 0; sample < samples; sample++) {
      workMs.push(await measure(work));
      baselineMs.push(await measure(baseline));
    }
    const ratio = summarize(workMs) / summarize(baselineMs);
    ratios.push(ratio);
    if (accept(ratio)) return ratios;
  }
  throw new Error(`Ratios: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
}
