import assert from "node:assert/strict";

/** An operation of a client; its times are positions in the history. */
export interface Operation {
  readonly client: number;
  readonly kind: string;
  /** Name of what the operation creates or changes. */
  readonly name: string;
  /** Value that it writes; empty for what it creates. */
  readonly value: string;
  readonly start: number;
  /** Null while no answer came, and for good when the server was lost first. */
  end: number | null;
  /** Status of the answer. */
  status: number | null;
}

/** Items of one kind as a server lists them, and values by name. */
export interface Observed {
  /** Names of the created items, by kind of operation. */
  readonly items: Readonly<Record<string, readonly string[]>>;
  /** Current values, by kind of operation and name. */
  readonly values: Readonly<Record<string, ReadonlyMap<string, string>>>;
}

/** Operations of concurrent clients, with the order in which they began and were answered. */
export class History {
  readonly operations: Operation[] = [];
  #now = 0;
  #acknowledged = 0;

  /** Number of operations that succeeded. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Records that a client sends an operation. */
  begin(operation: Pick<Operation, "client" | "kind" | "name" | "value">): Operation {
    const begun: Operation = { ...operation, start: this.#now++, end: null, status: null };
    this.operations.push(begun);
    return begun;
  }

  /** Records the answer of an operation, which has to be a success. */
  end(operation: Operation, { status, text }: { readonly status: number; readonly text: string }): void {
    operation.end = this.#now++;
    operation.status = status;
    assert.ok(status < 300, `${operation.kind} ${operation.name}: ${status} ${text.slice(0, 300)}`);
    this.#acknowledged++;
  }

  /** Lists the operations of a kind. */
  list(kind: string): Operation[] {
    return this.operations.filter((operation) => operation.kind === kind);
  }

  /**
   * Holds the state of a server against the history: what was acknowledged is there exactly once, what was
   * sent at most once, and values are those of the last acknowledged write or of one that began after it.
   */
  verify({ items, values }: Observed): void {
    for (const [kind, names] of Object.entries(items)) this.#verifyItems(kind, names);
    for (const [kind, byName] of Object.entries(values)) this.#verifyValues(kind, byName);
  }

  #verifyItems(kind: string, names: readonly string[]): void {
    const sent = this.list(kind);
    const known = new Set(sent.map(({ name }) => name));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const doubled = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
    assert.deepEqual(doubled, [], `${kind}: stored twice`);
    assert.deepEqual(names.filter((name) => !known.has(name)), [], `${kind}: stored, and never sent`);
    const lost = sent.filter(({ end, name }) => end !== null && !counts.has(name)).map(({ name }) => name);
    assert.deepEqual(lost, [], `${kind}: acknowledged, and not stored`);
  }

  /** A name has one writer at a time, so its writes are in the order in which they began. */
  #verifyValues(kind: string, byName: ReadonlyMap<string, string>): void {
    for (const [name, writes] of Map.groupBy(this.list(kind), (operation) => operation.name)) {
      const last = writes.findLastIndex(({ end }) => end !== null);
      const found = byName.get(name);
      const allowed = writes.slice(Math.max(0, last)).map(({ value }) => value);
      // Without an acknowledged write, the value from before is right as well.
      const isRight = last < 0 || (found !== undefined && allowed.includes(found));
      assert.ok(isRight, `${kind} of ${name} is ${found}; it should be one of ${allowed}`);
    }
  }
}
