/** A source of randomness, so that tests can force what is drawn. */
export interface RandomSource {
  /** A whole number from 0 up to, not including, `limit` (at most 65,536), each equally likely. */
  below(limit: number): number;
}

const POOL_SIZE = 2048;
const RANGE = 0x10000;

/** A source that draws from the system's cryptographic generator, without bias. */
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
      // Values above the last whole multiple would make the first few results likelier.
      const fair = RANGE - (RANGE % limit);
      let value = draw();
      while (value >= fair) value = draw();
      return value % limit;
    },
  };
}
