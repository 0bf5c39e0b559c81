import { errorMessage } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { AtomicOperation, CommitResult, Kv } from "./kv.ts";
import { backOff, isLocked, LOCK_ATTEMPTS } from "./retry.ts";

/** Number of entries of a listing after which the event loop takes its turn. */
const SLICE = 500;

/** Error of a read that the store did not answer; clients may repeat their request. */
export class ReadFailure extends Error {
  override readonly name = "ReadFailure";

  constructor(cause: unknown) {
    super(`The store cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

/** Span of a call in a trace. */
interface CallSpan {
  fail(error: unknown): void;
  end(): void;
}

/** Starts the span of a call that reads or writes `key`, the first of `size` keys. */
export type StartSpan = (operation: string, key?: Deno.KvKey, size?: number) => CallSpan;

/** Options of a database. */
interface DatabaseOptions {
  /**
   * Another connection to the same file, which reads; by default, the only one. Reads on a connection wait behind a
   * commit that waits for the lock of another process.
   */
  readonly reader?: Kv;
  /** Makes each call a span of the request that makes it; without it, calls are not traced. */
  readonly startSpan?: StartSpan | undefined;
  /** Called for each step of a listing. */
  readonly onListed?: () => void;
}

/**
 * A database as the store uses it. Reads are repeated while the file is locked, and throw ReadFailure when the database
 * fails; those with invalid arguments throw TypeError or RangeError. Long listings let the event loop take its turn.
 */
export class Database implements Kv {
  readonly #kv: Kv;
  readonly #reader: Kv;
  readonly #startSpan: StartSpan | undefined;
  readonly #onListed: () => void;

  constructor(kv: Kv, { reader = kv, startSpan, onListed = () => {} }: DatabaseOptions = {}) {
    this.#kv = kv;
    this.#reader = reader;
    this.#startSpan = startSpan;
    this.#onListed = onListed;
  }

  get<T = unknown>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    const read = () => this.#reader.get<T>(key);
    return this.#call(() => untilRead(read), "get", key);
  }

  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    const read = () => this.#reader.getMany<T>(keys);
    return this.#call(() => untilRead(read), "get_many", keys[0], keys.length);
  }

  list<T = unknown>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> {
    const listing = this.#reader.list<T>(selector, options);
    const span = this.#startSpan?.("list", "prefix" in selector ? selector.prefix : selector.start);
    return new Listing(listing, this.#onListed, span);
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): Promise<Deno.KvCommitResult> {
    return this.#call(() => this.#kv.set(key, value, options), "set", key);
  }

  delete(key: Deno.KvKey): Promise<void> {
    return this.#call(() => this.#kv.delete(key), "delete", key);
  }

  atomic(): AtomicOperation {
    const operation = this.#kv.atomic();
    return this.#startSpan === undefined ? operation : new TracedOperation(operation, this.#startSpan);
  }

  /** Closes both connections. */
  close(): void {
    if (this.#reader !== this.#kv) this.#reader.close();
    this.#kv.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #call<T>(call: () => Promise<T>, operation: string, key?: Deno.KvKey, size?: number): Promise<T> {
    return this.#startSpan === undefined ? call() : track(this.#startSpan(operation, key, size), call);
  }
}

/** A listing that pauses, repeats reads as single ones are repeated, and ends its span when its reader leaves it. */
class Listing<T> implements Deno.KvListIterator<T> {
  readonly #listing: Deno.KvListIterator<T>;
  readonly #onStep: () => void;
  readonly #span: CallSpan | undefined;
  #steps = 0;

  constructor(listing: Deno.KvListIterator<T>, onStep: () => void, span: CallSpan | undefined) {
    this.#listing = listing;
    this.#onStep = onStep;
    this.#span = span;
  }

  get cursor(): string {
    return this.#listing.cursor;
  }

  next(): Promise<IteratorResult<Deno.KvEntry<T>, undefined>> {
    this.#onStep();
    const step = ++this.#steps % SLICE === 0 ? yieldToEventLoop().then(this.#read) : this.#read();
    return this.#span === undefined ? step : this.#track(step, this.#span);
  }

  return(): Promise<IteratorResult<Deno.KvEntry<T>, undefined>> {
    this.#span?.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #next = () => this.#listing.next();

  readonly #read = () => untilRead(this.#next);

  async #track(step: Promise<IteratorResult<Deno.KvEntry<T>, undefined>>, span: CallSpan) {
    try {
      const result = await step;
      if (result.done === true) span.end();
      return result;
    } catch (error) {
      span.fail(error);
      span.end();
      throw error;
    }
  }
}

/** An atomic operation whose commit is traced. */
class TracedOperation implements AtomicOperation {
  readonly #operation: AtomicOperation;
  readonly #startSpan: StartSpan;

  constructor(operation: AtomicOperation, startSpan: StartSpan) {
    this.#operation = operation;
    this.#startSpan = startSpan;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#operation.check(...checks);
    return this;
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): this {
    this.#operation.set(key, value, options);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#operation.delete(key);
    return this;
  }

  sum(key: Deno.KvKey, amount: bigint): this {
    this.#operation.sum(key, amount);
    return this;
  }

  commit(): Promise<CommitResult> {
    return track(this.#startSpan("commit"), () => this.#operation.commit());
  }
}

/** Makes a call and ends its span. */
async function track<T>(span: CallSpan, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Reads, and again while the store is locked. */
function untilRead<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error) => recover(error, read));
}

async function recover<T>(failure: unknown, read: () => Promise<T>): Promise<T> {
  let error = failure;
  for (let attempt = 1; isLocked(error) && attempt < LOCK_ATTEMPTS; attempt++) {
    await backOff(attempt);
    try {
      return await read();
    } catch (again) {
      error = again;
    }
  }
  throw error instanceof TypeError || error instanceof RangeError ? error : new ReadFailure(error);
}
