/** Two kinds of work whose durations are compared. */
export interface Comparison {
  /** Runs of each kind in a round. */
  readonly samples: number;
  /** Rounds before the comparison counts as failed. */
  readonly rounds?: number;
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
export async function compareMedians(
  work: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
  { samples, rounds = 5, accept }: Comparison,
): Promise<readonly number[]> {
  const ratios: number[] = [];
  while (ratios.length < rounds) {
    const [workMs, baselineMs]: [number[], number[]] = [[], []];
    for (let sample = 0; sample < samples; sample++) {
      workMs.push(await measureMs(work));
      baselineMs.push(await measureMs(baseline));
    }
    const ratio = median(workMs) / median(baselineMs);
    ratios.push(ratio);
    if (accept(ratio)) return ratios;
  }
  throw new Error(`Ratios: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
}
