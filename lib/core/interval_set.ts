/** The greatest number that a set can hold; an interval up to it has no end. */
export const GREATEST = Number.MAX_SAFE_INTEGER;

/**
 * An immutable set of whole numbers from 0 to GREATEST, kept as intervals: small however many numbers it
 * holds, as long as they are adjacent. An operation that changes nothing returns the same set, so that
 * nothing need be written.
 */
export class IntervalSet {
  static readonly empty: IntervalSet = new IntervalSet([]);

  /**
   * `bounds` are the intervals `[from, to, from, to, …]`: both ends are included, they ascend and never
   * touch.
   */
  private constructor(readonly bounds: readonly number[]) {}

  /** Creates the set of the numbers from `from` to `to`, both included; empty when `to` comes first. */
  static of(from: number, to: number = from): IntervalSet {
    return to < from ? IntervalSet.empty : new IntervalSet([requireWhole(from), requireWhole(to)]);
  }

  /** Creates a set of numbers in any order, repeated ones included. */
  static from(numbers: Iterable<number>): IntervalSet {
    const bounds: number[] = [];
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const last = bounds.at(-1);
      if (last === undefined || requireWhole(number) > last + 1) bounds.push(requireWhole(number), number);
      else bounds[bounds.length - 1] = number;
    }
    return new IntervalSet(bounds);
  }

  /**
   * Parses a set that `serialize()` wrote.
   * @throws RangeError for bytes that are not a set.
   */
  static parse(bytes: Uint8Array): IntervalSet {
    const bounds: number[] = [];
    for (let at = 0; at < bytes.length;) {
      const { value, next } = readVarint(bytes, at);
      const least = bounds.length % 2 === 0 ? (bounds.at(-1) ?? -2) + 2 : bounds.at(-1) ?? 0;
      bounds.push(requireWhole(least + value));
      at = next;
    }
    if (bounds.length % 2 === 1) throw new RangeError("an interval has no end");
    return new IntervalSet(bounds);
  }

  /**
   * Returns few bytes for the store: each bound as its distance from the previous one, in groups of seven
   * bits.
   */
  serialize(): Uint8Array<ArrayBuffer> {
    let last = -2;
    return new Uint8Array(this.bounds.flatMap((bound, at) => {
      const distance = bound - (at % 2 === 0 ? last + 2 : last);
      last = bound;
      return varintOf(distance);
    }));
  }

  get isEmpty(): boolean {
    return this.bounds.length === 0;
  }

  get first(): number | undefined {
    return this.bounds[0];
  }

  get last(): number | undefined {
    return this.bounds.at(-1);
  }

  /** Yields the intervals, ascending. */
  *intervals(): Generator<{ readonly from: number; readonly to: number }> {
    for (let at = 0; at < this.bounds.length; at += 2) {
      yield { from: this.bounds[at] ?? 0, to: this.bounds[at + 1] ?? 0 };
    }
  }

  has(number: number): boolean {
    return this.#edgesUpTo(number) % 2 === 1;
  }

  add(from: number, to: number = from): IntervalSet {
    return this.union(IntervalSet.of(from, to));
  }

  remove(from: number, to: number = from): IntervalSet {
    return this.subtract(IntervalSet.of(from, to));
  }

  /** Returns the elements from `from` to `to`. */
  within(from: number, to: number): IntervalSet {
    return this.intersect(IntervalSet.of(from, to));
  }

  union(other: IntervalSet): IntervalSet {
    return this.#combine(other, (inThis, inOther) => inThis || inOther);
  }

  intersect(other: IntervalSet): IntervalSet {
    return this.#combine(other, (inThis, inOther) => inThis && inOther);
  }

  /** Returns the elements that the other set lacks. */
  subtract(other: IntervalSet): IntervalSet {
    return this.#combine(other, (inThis, inOther) => inThis && !inOther);
  }

  /** Returns the first element up to a number that the other set lacks. */
  firstWithout(other: IntervalSet, upTo: number): number | undefined {
    for (let at = 0; at < this.bounds.length; at += 2) {
      let first = this.bounds[at] ?? 0;
      const next = other.#edgesUpTo(first);
      if (next % 2 === 1) first = edgeAt(other.bounds, next);
      if (first > upTo) return undefined;
      if (first <= (this.bounds[at + 1] ?? 0)) return first;
    }
    return undefined;
  }

  equals(other: IntervalSet): boolean {
    return this.bounds.length === other.bounds.length &&
      this.bounds.every((bound, at) => bound === other.bounds[at]);
  }

  /** Walks over the edges of both sets at once; between two edges, either all numbers are kept or none. */
  #combine(other: IntervalSet, keeps: (inThis: boolean, inOther: boolean) => boolean): IntervalSet {
    const bounds: number[] = [];
    let [left, right] = [0, 0];
    while (left < this.bounds.length || right < other.bounds.length) {
      const at = Math.min(edgeAt(this.bounds, left), edgeAt(other.bounds, right));
      if (edgeAt(this.bounds, left) === at) left++;
      if (edgeAt(other.bounds, right) === at) right++;
      const isKept = keeps(left % 2 === 1, right % 2 === 1);
      if (isKept !== (bounds.length % 2 === 1)) bounds.push(isKept ? at : at - 1);
    }
    const combined = new IntervalSet(bounds);
    return combined.equals(this) ? this : combined;
  }

  /** Number of edges at or before a number: odd within an interval. */
  #edgesUpTo(number: number): number {
    let [low, high] = [0, this.bounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edgeAt(this.bounds, middle) <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Start of an interval, or the first number after it. */
function edgeAt(bounds: readonly number[], at: number): number {
  return (bounds[at] ?? Infinity) + at % 2;
}

function requireWhole(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is not in a set's range`);
  return number;
}

/**
 * Returns the bytes of a whole number from 0 to 2^53 - 1: seven bits each, lowest first; the top bit
 * announces another byte.
 */
function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push(rest % 0x80 + 0x80);
  bytes.push(rest);
  return bytes;
}

/** Reads the number that begins at a byte, and the position after it. */
function readVarint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  let factor = 1;
  for (let at = start; at < bytes.length && value <= Number.MAX_SAFE_INTEGER; at++, factor *= 0x80) {
    const byte = bytes[at] ?? 0;
    value += byte % 0x80 * factor;
    if (byte >= 0x80) continue;
    if (value > Number.MAX_SAFE_INTEGER) break;
    return { value, next: at + 1 };
  }
  throw new RangeError("a number is cut off or too great");
}
