import type { Kv } from "./kv.ts";
import { isStorableKey, type Key, keyText, toValue } from "./key.ts";
import { MAX_CHECKS, MAX_KEY_BYTES, MAX_MUTATIONS } from "./limits.ts";
import { readMany } from "./read_many.ts";
import type { ReadEntry } from "./joined_reads.ts";
import type { Tx } from "./tx.ts";

type Write =
  | {
    readonly kind: "set";
    readonly key: Key;
    readonly value: unknown;
    readonly expireIn: number | undefined;
  }
  | { readonly kind: "delete"; readonly key: Key };

/** Returns the key of the number that a sequence has reached. */
export function sequenceKey(name: string): Key {
  return ["seq", name];
}

function written<T>(write: Write): T | null {
  return write.kind === "delete" ? null : toValue<T>(write.value);
}

/** Reads and writes of one run of a transaction's work, to be committed alone or joined with others. */
export class Change implements Tx {
  readonly #kv: Kv;
  readonly #readEntry: ReadEntry;
  readonly #read = new Map<string, Deno.KvEntryMaybe<unknown>>();
  readonly #writes = new Map<string, Write>();
  readonly #sums = new Map<string, { key: Key; amount: bigint }>();
  readonly #signalNames = new Set<string>();
  #order = 0;

  /** Creates a change whose reads may be shared with others. */
  constructor(kv: Kv, readEntry: ReadEntry = (key) => kv.get(key)) {
    this.#kv = kv;
    this.#readEntry = readEntry;
  }

  async get<T>(key: Key): Promise<T | null> {
    const name = keyText(key);
    const write = this.#writes.get(name);
    if (write !== undefined) return written<T>(write);
    // Nothing is ever written under such a key, so the commit need not check it.
    if (!isStorableKey(key)) return null;
    const found = this.#read.get(name) ?? await this.#readEntry(key, name);
    // Of two simultaneous reads, both must return the value that the commit checks.
    const entry = this.#read.get(name) ?? found;
    this.#read.set(name, entry);
    return toValue<T | null>(entry.value);
  }

  async peek<T>(key: Key): Promise<T | null> {
    const name = keyText(key);
    const write = this.#writes.get(name);
    if (write !== undefined) return written<T>(write);
    if (!isStorableKey(key)) return null;
    return toValue<T | null>((this.#read.get(name) ?? await this.#readEntry(key, name)).value);
  }

  set(key: Key, value: unknown, options: { expireIn?: number } = {}): void {
    this.#writes.set(keyText(key), { kind: "set", key, value, expireIn: options.expireIn });
  }

  delete(key: Key): void {
    this.#writes.set(keyText(key), { kind: "delete", key });
  }

  sum(key: Key, amount: bigint): void {
    const name = keyText(key);
    this.#sums.set(name, { key, amount: amount + (this.#sums.get(name)?.amount ?? 0n) });
  }

  nextOrder(): string {
    return String(this.#order++).padStart(6, "0");
  }

  notify(name: string): void {
    this.#signalNames.add(name);
  }

  /** Names of the signals to send after the commit. */
  get signalNames(): Iterable<string> {
    return this.#signalNames;
  }

  async nextId(name: string): Promise<number> {
    const key = sequenceKey(name);
    const id = (await this.get<number>(key) ?? 0) + 1;
    this.set(key, id);
    return id;
  }

  /**
   * Adopts the reads and writes of another change. Returns false and adopts nothing when one of them reads or
   * writes what the other writes, when they read different moments of a key, or when both exceed one commit.
   */
  join(other: Change): boolean {
    if (this.#isTouchedBy(other) || other.#isTouchedBy(this) || !this.#hasRoomFor(other)) return false;
    for (const [name, entry] of other.#read) this.#read.set(name, entry);
    for (const [name, write] of other.#writes) this.#writes.set(name, write);
    for (const { key, amount } of other.#sums.values()) this.sum(key, amount);
    for (const name of other.#signalNames) this.#signalNames.add(name);
    return true;
  }

  #isTouchedBy(other: Change): boolean {
    for (const name of other.#writes.keys()) {
      if (this.#read.has(name) || this.#writes.has(name)) return true;
    }
    for (const [name, { versionstamp }] of other.#read) {
      const own = this.#read.get(name);
      if (own !== undefined && own.versionstamp !== versionstamp) return true;
    }
    return false;
  }

  #hasRoomFor(other: Change): boolean {
    const checks = new Set([...this.#read.keys(), ...other.#read.keys()]).size;
    const sums = new Set([...this.#sums.keys(), ...other.#sums.keys()]).size;
    return checks <= MAX_CHECKS && this.#writes.size + other.#writes.size + sums <= MAX_MUTATIONS;
  }

  /** A change beyond the limits is a programming error, so it is not reported as a failure of the store. */
  requireFits(): void {
    if (this.#read.size > MAX_CHECKS || this.#writes.size + this.#sums.size > MAX_MUTATIONS) {
      throw new RangeError(
        `One change may read ${MAX_CHECKS} and write ${MAX_MUTATIONS} keys; ` +
          `this one reads ${this.#read.size} and writes ${this.#writes.size + this.#sums.size}`,
      );
    }
    for (const { key } of [...this.#writes.values(), ...this.#sums.values()]) {
      if (!isStorableKey(key)) throw new RangeError(`A written key has at most ${MAX_KEY_BYTES} bytes`);
    }
  }

  /** Whether all values read are still current: then there was a moment at which all of them were true. */
  async isCurrent(): Promise<boolean> {
    const read = [...this.#read.values()];
    const now = await readMany(this.#kv, read.map(({ key }) => key));
    return read.every(({ versionstamp }, at) => now[at]?.versionstamp === versionstamp);
  }

  async commit(): Promise<boolean> {
    const atomic = this.#kv.atomic();
    for (const { key, versionstamp } of this.#read.values()) atomic.check({ key, versionstamp });
    for (const write of this.#writes.values()) {
      if (write.kind === "delete") atomic.delete(write.key);
      else if (write.expireIn === undefined) atomic.set(write.key, write.value);
      else atomic.set(write.key, write.value, { expireIn: write.expireIn });
    }
    // Counters have 64 bits and wrap around, so that a negative amount lowers them.
    for (const { key, amount } of this.#sums.values()) atomic.sum(key, BigInt.asUintN(64, amount));
    return (await atomic.commit()).ok;
  }
}
