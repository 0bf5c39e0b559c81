/** Source of randomness, so that tests can determine what is drawn. */
export interface RandomSource {
  /** Returns a whole number from 0 up to but not including `limit` (at most 65,536), all equally likely. */
  below(limit: number): number;
}

const POOL_SIZE = 2048;
const RANGE = 0x10000;

/** Creates a source that draws from the system's cryptographic generator without bias. */
export function cryptographicRandom(): RandomSource {
  const pool = new Uint16Array(POOL_SIZE);
  let next = POOL_SIZE;
  const draw = (): number => {
    if (next === POOL_SIZE) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    return pool[next++] ?? 0;
  };
  return {
    below(limit) {
      // Values above the last whole multiple would make the first results likelier.
      const fair = RANGE - (RANGE % limit);
      let value = draw();
      while (value >= fair) value = draw();
      return value % limit;
    },
  };
}
