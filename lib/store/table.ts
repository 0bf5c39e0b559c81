/** Identifies a row among those of its kind. */
export type RowId = number | string;

/** Number of changed rows from which a table is written anew, in place of remembering what differs. */
const MAX_CHANGED = 128;

/**
 * Rows of one kind at one moment. A table never changes: each change returns another one, which shares with it what is
 * the same.
 */
export class Table<T> {
  readonly #base: Base<T>;
  /** Rows that differ from the base; undefined for a deleted one. */
  readonly #changed: ReadonlyMap<RowId, T | undefined>;
  readonly size: number;
  #entries: readonly (readonly [RowId, T])[] | null = null;
  #values: readonly T[] | null = null;

  private constructor(base: Base<T>, changed: ReadonlyMap<RowId, T | undefined>, size: number) {
    this.#base = base;
    this.#changed = changed;
    this.size = size;
  }

  /** Creates a table of rows, which it keeps. */
  static of<T>(rows: ReadonlyMap<RowId, T>): Table<T> {
    return new Table(new Base(rows), new Map(), rows.size);
  }

  get(id: RowId): T | undefined {
    return this.#changed.size > 0 && this.#changed.has(id) ? this.#changed.get(id) : this.#base.rows.get(id);
  }

  /** Returns the table with another row under an id; without one for undefined. */
  with(id: RowId, row: T | undefined): Table<T> {
    const difference = Number(row !== undefined) - Number(this.get(id) !== undefined);
    const changed = new Map(this.#changed).set(id, row);
    const size = this.size + difference;
    return changed.size <= MAX_CHANGED
      ? new Table(this.#base, changed, size)
      : Table.of(new Map(new Table(this.#base, changed, size).entries()));
  }

  /** Returns all rows with their ids, those with numbers in ascending order. */
  entries(): readonly (readonly [RowId, T])[] {
    return this.#entries ??= this.#changed.size === 0 ? this.#base.entries() : this.#merged();
  }

  /** Returns all rows in the order of `entries`. */
  values(): readonly T[] {
    return this.#values ??= this.entries().map(([, row]) => row);
  }

  #merged(): readonly (readonly [RowId, T])[] {
    const merged: (readonly [RowId, T])[] = [];
    for (const entry of this.#base.entries()) {
      const [id] = entry;
      const row = this.#changed.has(id) ? this.#changed.get(id) : entry[1];
      if (row === entry[1]) merged.push(entry);
      else if (row !== undefined) merged.push([id, row]);
    }
    for (const [id, row] of this.#changed) {
      if (row !== undefined && !this.#base.rows.has(id)) merged.push([id, row]);
    }
    return sorted(merged);
  }
}

/** Rows that a table and those made from it share. */
class Base<T> {
  #entries: readonly (readonly [RowId, T])[] | null = null;

  constructor(readonly rows: ReadonlyMap<RowId, T>) {}

  entries(): readonly (readonly [RowId, T])[] {
    return this.#entries ??= sorted([...this.rows]);
  }
}

/** Sorts rows that are in order except for few. */
function sorted<T>(entries: (readonly [RowId, T])[]): readonly (readonly [RowId, T])[] {
  const isInOrder = entries.every(([id], at) => {
    const before = entries[at - 1]?.[0];
    return typeof id !== "number" || typeof before !== "number" || before < id;
  });
  return isInOrder ? entries : entries.sort(([one], [other]) => Number(one) - Number(other));
}

/** Returns a function of tables or other objects that never change, which remembers its results while they exist. */
export function derived<K extends object, R>(build: (from: K) => R): (from: K) => R {
  const known = new WeakMap<K, { readonly result: R }>();
  return (from) => {
    let found = known.get(from);
    if (found === undefined) known.set(from, found = { result: build(from) });
    return found.result;
  };
}
