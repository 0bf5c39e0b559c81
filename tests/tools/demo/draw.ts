/** Values below which a source draws whole numbers. */
const RANGE = 2 ** 32;

/** A deterministic source of random values: the same seed always draws the same. */
export interface Draw {
  /** Draws a whole number from 0 up to but not including `limit`. */
  below(limit: number): number;
  /** Draws a number from 0 up to but not including 1. */
  unit(): number;
  /** Draws a whole number between two numbers, both included. */
  between(low: number, high: number): number;
  /** Whether an event of this probability happens. */
  chance(probability: number): boolean;
  /**
   * Draws an item of a list.
   * @throws RangeError for an empty list.
   */
  pick<T>(list: readonly T[]): T;
  /** Draws different items of a list, in random order; all of them when the list is shorter. */
  sample<T>(list: readonly T[], count: number): T[];
}

/** Creates a source (mulberry32) for a purpose, so that one purpose does not shift what another draws. */
export function createDraw(purpose: string): Draw {
  let state = hash(purpose);
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
  const below = (limit: number) => Math.floor(unit() * limit);
  return {
    unit,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => unit() < probability,
    pick(list) {
      const index = below(list.length);
      for (const [at, item] of list.entries()) if (at === index) return item;
      throw new RangeError("There is nothing to pick from");
    },
    sample(list, count) {
      const left = [...list];
      const drawn = [];
      while (drawn.length < count && left.length > 0) drawn.push(...left.splice(below(left.length), 1));
      return drawn;
    },
  };
}

/** Returns a 32-bit number for a text (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** Returns a function that draws the index of a weight, in proportion to the weights. */
export function createWeightedDraw(draw: Draw, weights: readonly number[]): () => number {
  let sum = 0;
  const sums = weights.map((weight) => sum += weight);
  return () => {
    const target = draw.unit() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
