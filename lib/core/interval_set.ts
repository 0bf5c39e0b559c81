/** The greatest number that a set can hold; an interval up to it stands for one without an end. */
export const GREATEST = Number.MAX_SAFE_INTEGER;

/**
 * A set of whole numbers from 0 to GREATEST that never changes, kept as its intervals: small however many numbers it
 * holds, as long as they lie together. What changes nothing gives the very same set, so that nothing need be written.
 */
export class IntervalSet {
  /** The set without a number. */
  static readonly empty: IntervalSet = new IntervalSet([]);

  /** `bounds` are the intervals, `[from, to, from, to, …]`: both ends belong to them, they ascend and never touch. */
  private constructor(readonly bounds: readonly number[]) {}

  /** The numbers from `from` to `to`, both included; none when `to` comes first. */
  static of(from: number, to: number = from): IntervalSet {
    return to < from ? IntervalSet.empty : new IntervalSet([requireWhole(from), requireWhole(to)]);
  }

  /** The set of these numbers, in any order and as often as they come. */
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
   * The set that has these bounds, as `bounds` gave them.
   * @throws RangeError where they are not whole numbers, do not ascend or touch.
   */
  static fromBounds(bounds: readonly number[]): IntervalSet {
    let last = -2;
    for (const [at, bound] of bounds.entries()) {
      const least = at % 2 === 0 ? last + 2 : last;
      if (requireWhole(bound) < least) throw new RangeError("intervals are out of order");
      last = bound;
    }
    if (bounds.length % 2 === 1) throw new RangeError("an interval has no end");
    return new IntervalSet([...bounds]);
  }

  /**
   * The set that `serialize()` wrote.
   * @throws RangeError where the bytes are no set.
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

  /** Few bytes for the store: each bound as its distance from the one before, in groups of seven bits. */
  serialize(): Uint8Array<ArrayBuffer> {
    let last = -2;
    return new Uint8Array(this.bounds.flatMap((bound, at) => {
      const distance = bound - (at % 2 === 0 ? last + 2 : last);
      last = bound;
      return varintOf(distance);
    }));
  }

  /** Whether it holds no number. */
  get isEmpty(): boolean {
    return this.bounds.length === 0;
  }

  /** Its smallest number. */
  get first(): number | undefined {
    return this.bounds[0];
  }

  /** Its greatest number. */
  get last(): number | undefined {
    return this.bounds.at(-1);
  }

  /** Its intervals, ascending. */
  *intervals(): Generator<{ readonly from: number; readonly to: number }> {
    for (let at = 0; at < this.bounds.length; at += 2) {
      yield { from: this.bounds[at] ?? 0, to: this.bounds[at + 1] ?? 0 };
    }
  }

  /** Whether it holds a number. */
  has(number: number): boolean {
    return this.#edgesUpTo(number) % 2 === 1;
  }

  /** How many numbers from `from` to `to` it holds. */
  count(from: number = 0, to: number = GREATEST): number {
    let count = 0;
    for (let at = this.#edgesUpTo(from) & ~1; at < this.bounds.length; at += 2) {
      const start = Math.max(from, this.bounds[at] ?? 0);
      if (start > to) break;
      count += Math.min(to, this.bounds[at + 1] ?? 0) - start + 1;
    }
    return count;
  }

  /** The set with the numbers from `from` to `to`. */
  add(from: number, to: number = from): IntervalSet {
    return this.union(IntervalSet.of(from, to));
  }

  /** The set without the numbers from `from` to `to`. */
  remove(from: number, to: number = from): IntervalSet {
    return this.subtract(IntervalSet.of(from, to));
  }

  /** Its numbers from `from` to `to`. */
  within(from: number, to: number): IntervalSet {
    return this.intersect(IntervalSet.of(from, to));
  }

  /** The numbers from `from` to `to` that it does not hold. */
  gaps(from: number, to: number): IntervalSet {
    return IntervalSet.of(from, to).subtract(this);
  }

  /** The numbers of either. */
  union(other: IntervalSet): IntervalSet {
    return this.#combine(other, (inThis, inOther) => inThis || inOther);
  }

  /** The numbers of both. */
  intersect(other: IntervalSet): IntervalSet {
    return this.#combine(other, (inThis, inOther) => inThis && inOther);
  }

  /** Its numbers that the other does not hold. */
  subtract(other: IntervalSet): IntervalSet {
    return this.#combine(other, (inThis, inOther) => inThis && !inOther);
  }

  /** Whether both hold the same numbers. */
  equals(other: IntervalSet): boolean {
    return this.bounds.length === other.bounds.length &&
      this.bounds.every((bound, at) => bound === other.bounds[at]);
  }

  /** Walks over the edges of both at once; between two edges, either all numbers are kept or none. */
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

  /** How many edges lie at or before a number: odd inside of an interval. */
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

/** Where an interval begins, or the first number behind it. */
function edgeAt(bounds: readonly number[], at: number): number {
  return (bounds[at] ?? Infinity) + at % 2;
}

function requireWhole(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is not in a set's range`);
  return number;
}

/** The bytes of a whole number from 0 to 2^53 - 1: seven bits each, lowest first, the top bit says that more follow. */
function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push(rest % 0x80 + 0x80);
  bytes.push(rest);
  return bytes;
}

/** The number that begins at a byte, and where the next one begins. */
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
