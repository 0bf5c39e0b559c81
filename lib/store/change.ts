import { isStorableKey, type Key, keyText, toValue } from "./key.ts";
import { type AtomicOperation, MAX_CHECKS, MAX_KEY_BYTES, MAX_MUTATIONS } from "./kv.ts";
import { type ReadEntry, readMany } from "./reads.ts";
import type { Store } from "./open.ts";
import { CHANGE_OPTIONS, MAX_RECORDS, recordChange } from "./replicas.ts";
import { type Place, placeOf } from "./resident.ts";
import { type ChangedRow, encodeRows, type Snapshot, versionKey } from "./snapshot.ts";
import type { Tx } from "./tx.ts";

type Write =
  | {
    readonly kind: "set";
    readonly key: Key;
    readonly value: unknown;
    readonly expireIn: number | undefined;
  }
  | { readonly kind: "delete"; readonly key: Key };

/** Thrown by a transaction's work that read two moments of the store; the work is run again. */
export class StaleRead extends Error {
  override readonly name = "StaleRead";
}

/** Number of values that are known until an organization's next version. */
const MAX_SETTLED = 10_000;
/** Size of a commit with the records of its change, in bytes; the store takes 819,200, and keys are larger there. */
const MAX_RECORDED_BYTES = 780_000;

/** Returns the key of the number that a sequence has reached. */
export function sequenceKey(name: string): Key {
  return ["seq", name];
}

function written<T>(write: Write): T | null {
  return write.kind === "delete" ? null : toValue<T>(write.value);
}

/** Reads of a change. */
export interface ChangeOptions {
  readonly readEntry?: ReadEntry;
  /** Whether it is decided on organizations as they are now, and not as this process knows them. */
  readonly isCurrent?: boolean;
  /** A change that this one will join, and whose writes it sees. */
  readonly before?: Change;
  /**
   * Organizations that changes which share reads are decided on: what one of them reads is never older than the
   * organization on which another is decided.
   */
  readonly bases?: Map<number, Promise<Snapshot>>;
}

/** Reads and writes of one run of a transaction's work, to be committed alone or joined with others. */
export class Change implements Tx {
  readonly #store: Pick<Store, "kv" | "replicas">;
  readonly #readEntry: ReadEntry;
  readonly #isCurrent: boolean;
  readonly #before: Change | undefined;
  /** Organizations on which it is decided: the commit checks their versions. */
  readonly #bases: Map<number, Promise<Snapshot>>;
  /** The same, once they are known. */
  readonly #snapshots = new Map<number, Snapshot>();
  readonly #read = new Map<string, Deno.KvEntryMaybe<unknown>>();
  readonly #writes = new Map<string, Write>();
  readonly #sums = new Map<string, { key: Key; amount: bigint }>();
  /** Rows of organizations that it changes, as far as they are kept in memory; from `prepare` on. */
  readonly #rows = new Map<number, ChangedRow[]>();
  /** Organizations that count as changed although no row of them in memory is. */
  readonly #counted = new Set<number>();
  readonly #signalNames = new Set<string>();
  #order = 0;
  /** Whether rows had to be loaded, and the organization had changed by then. */
  isStale = false;
  /** Versionstamp of what it wrote; "" before its commit. */
  committedAs = "";

  /** Creates a change. It may rely on organizations as this process knows them, because its commit checks that. */
  constructor(
    store: Pick<Store, "kv" | "replicas">,
    { readEntry = (key) => store.kv.get(key), isCurrent = false, before, bases = new Map() }: ChangeOptions =
      {},
  ) {
    this.#store = store;
    this.#readEntry = readEntry;
    this.#isCurrent = isCurrent;
    this.#before = before;
    this.#bases = bases;
    if (before !== undefined) this.#order = before.#order;
  }

  /** Returns the organization that this change is decided on, and whose version its commit checks. */
  async organization(realmId: number): Promise<Snapshot> {
    const { replicas } = this.#store;
    let reading = this.#bases.get(realmId);
    if (reading === undefined) {
      reading = this.#isCurrent ? replicas.current(realmId) : replicas.known(realmId);
      this.#bases.set(realmId, reading);
    }
    const base = await reading;
    // Rows of this change that were loaded meanwhile are kept.
    if (!this.#snapshots.has(realmId)) this.#snapshots.set(realmId, base);
    return base;
  }

  async #readResident<T>(key: Key, place: Place): Promise<T | null> {
    const base = await this.organization(place.realmId);
    const known = this.#snapshots.get(place.realmId) ?? base;
    const snapshot = await this.#store.replicas.withRows(known, place);
    if (snapshot.stamp !== base.stamp) {
      this.isStale = true;
      throw new StaleRead("The organization changed while its rows were loaded");
    }
    this.#snapshots.set(place.realmId, snapshot);
    return snapshot.get<T>(key);
  }

  #writeOf(name: string): Write | undefined {
    return this.#writes.get(name) ??
      (this.#before === undefined ? undefined : this.#before.#writes.get(name));
  }

  async get<T>(key: Key): Promise<T | null> {
    const name = keyText(key);
    const write = this.#writeOf(name);
    if (write !== undefined) return written<T>(write);
    const place = placeOf(key);
    if (place !== null) return await this.#readResident<T>(key, place);
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
    const write = this.#writeOf(name);
    if (write !== undefined) return written<T>(write);
    const place = placeOf(key);
    if (place !== null) return await this.#readResident<T>(key, place);
    if (!isStorableKey(key)) return null;
    return toValue<T | null>((this.#read.get(name) ?? await this.#readEntry(key, name)).value);
  }

  async settled<T>(realmId: number, key: Key): Promise<T | null> {
    const { settled } = await this.organization(realmId);
    const name = keyText(key);
    // What this change writes is not stored yet.
    if (this.#writeOf(name) !== undefined) return await this.get<T>(key);
    const known = settled.get(name) ?? await this.peek<T>(key);
    if (known === null) return await this.get<T>(key);
    if (settled.size < MAX_SETTLED) settled.set(name, known);
    return toValue<T>(known);
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

  countUp(realmId: number): void {
    this.#counted.add(realmId);
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

  /** Completes the change before it is joined or committed: reads the organizations that it changes. */
  async prepare(): Promise<void> {
    for (const { key, amount } of [...this.#sums.values()]) {
      if (placeOf(key) === null) continue;
      const sum = await this.get<Deno.KvU64>(key);
      this.set(key, new Deno.KvU64(BigInt.asUintN(64, (sum?.value ?? 0n) + amount)));
      this.#sums.delete(keyText(key));
    }
    this.#rows.clear();
    for (const realmId of this.#counted) {
      await this.organization(realmId);
      this.#rows.set(realmId, []);
    }
    for (const write of this.#writes.values()) {
      const place = placeOf(write.key);
      if (place === null) continue;
      await this.organization(place.realmId);
      const rows = this.#rows.get(place.realmId) ?? [];
      this.#rows.set(place.realmId, rows);
      rows.push({ key: write.key, value: write.kind === "set" ? write.value : undefined });
    }
  }

  /** Organizations whose versions the commit checks, each with whether the change counts it up. */
  get organizations(): ReadonlyMap<number, boolean> {
    return new Map(Array.from(this.#snapshots.keys(), (realmId) => [realmId, this.#rows.has(realmId)]));
  }

  /** Whether this process knows of no later version of the organizations that the change is decided on. */
  get isLatest(): boolean {
    return this.#snapshots.values().every((snapshot) => this.#store.replicas.isLatest(snapshot));
  }

  /**
   * Adopts the reads and writes of another change. Adopts nothing when one of them reads or writes what the other writes,
   * unless the other has seen it; when they read different moments of a key; or when both exceed one commit.
   */
  join(other: Change): "joined" | "touched" | "full" {
    if (this.#isTouchedBy(other) || other.#isTouchedBy(this)) return "touched";
    if (!this.#hasRoomFor(other)) return "full";
    for (const [realmId, snapshot] of other.#snapshots) this.#snapshots.set(realmId, snapshot);
    for (const [realmId, rows] of other.#rows) this.#rows.set(realmId, rows);
    for (const [name, entry] of other.#read) this.#read.set(name, entry);
    for (const [name, write] of other.#writes) this.#writes.set(name, write);
    for (const { key, amount } of other.#sums.values()) this.sum(key, amount);
    for (const name of other.#signalNames) this.#signalNames.add(name);
    this.#order = Math.max(this.#order, other.#order);
    return "joined";
  }

  #isTouchedBy(other: Change): boolean {
    const isSeen = this.#before === other || other.#before === this;
    for (const name of isSeen ? [] : other.#writes.keys()) {
      if (this.#read.has(name) || this.#writes.has(name)) return true;
    }
    for (const [name, { versionstamp }] of other.#read) {
      const own = this.#read.get(name);
      if (own !== undefined && own.versionstamp !== versionstamp) return true;
    }
    for (const [realmId, { stamp }] of other.#snapshots) {
      const own = this.#snapshots.get(realmId);
      if (own !== undefined && (own.stamp !== stamp || other.#rows.has(realmId))) return true;
    }
    return false;
  }

  #hasRoomFor(other: Change): boolean {
    const checks = new Set([...this.#read.keys(), ...other.#read.keys()]).size;
    const versions = new Set([...this.#snapshots.keys(), ...other.#snapshots.keys()]).size;
    const sums = new Set([...this.#sums.keys(), ...other.#sums.keys()]).size;
    return checks + versions <= MAX_CHECKS &&
      this.#writes.size + other.#writes.size + sums + this.#countRecords() + other.#countRecords() <=
        MAX_MUTATIONS;
  }

  /** Number of writes that record changes of organizations. */
  #countRecords(): number {
    return this.#rows.size * MAX_RECORDS;
  }

  /** A change beyond the limits is a programming error, so it is not reported as a failure of the store. */
  requireFits(): void {
    const checks = this.#read.size + this.#snapshots.size;
    const writes = this.#writes.size + this.#sums.size;
    if (checks > MAX_CHECKS || writes + this.#countRecords() > MAX_MUTATIONS) {
      throw new RangeError(
        `One change may read ${MAX_CHECKS} and write ${MAX_MUTATIONS} keys; ` +
          `this one reads ${checks} and writes ${writes}`,
      );
    }
    for (const { key } of [...this.#writes.values(), ...this.#sums.values()]) {
      if (!isStorableKey(key)) throw new RangeError(`A written key has at most ${MAX_KEY_BYTES} bytes`);
    }
  }

  /** Returns the versionstamp that the commit checks under a key, which it has read. */
  stampOf(text: string): string | null | undefined {
    return this.#read.get(text)?.versionstamp;
  }

  /** Whether all values read are still current: then there was a moment at which all of them were true. */
  async isCurrent(): Promise<boolean> {
    const read = this.#checks();
    const now = await readMany(this.#store.kv, read.map(({ key }) => key));
    return read.every(({ versionstamp }, at) => now[at]?.versionstamp === versionstamp);
  }

  async commit(): Promise<boolean> {
    const atomic = this.#store.kv.atomic();
    for (const check of this.#checks()) atomic.check(check);
    for (const write of this.#writes.values()) {
      if (write.kind === "delete") atomic.delete(write.key);
      else if (write.expireIn === undefined) atomic.set(write.key, write.value);
      else atomic.set(write.key, write.value, { expireIn: write.expireIn });
    }
    // Counters have 64 bits and wrap around, so that a negative amount lowers them.
    for (const { key, amount } of this.#sums.values()) atomic.sum(key, BigInt.asUintN(64, amount));
    const recorded = this.#record(atomic);
    const result = await atomic.commit();
    if (result.ok) {
      this.committedAs = result.versionstamp;
      for (const [base, bytes] of recorded) this.#store.replicas.applyOwn(base, result.versionstamp, bytes);
    }
    return result.ok;
  }

  /** Counts up the versions of the organizations that it changes, and records their rows, which it returns as bytes. */
  #record(atomic: AtomicOperation): ReadonlyMap<Snapshot, Uint8Array> {
    const recorded = new Map<Snapshot, Uint8Array>();
    if (this.#rows.size === 0) return recorded;
    const writes = Array.from(
      this.#writes.values(),
      (write) => ({ key: write.key, value: write.kind === "set" ? write.value : undefined }),
    );
    let room = MAX_RECORDED_BYTES - encodeRows(writes).length;
    for (const [realmId, base] of this.#snapshots) {
      const rows = this.#rows.get(realmId);
      if (rows === undefined) continue;
      const version = base.version + 1;
      const bytes = encodeRows(rows);
      recorded.set(base, bytes);
      atomic.set(versionKey(realmId), version);
      for (const [key, piece] of recordChange({ realmId, version, bytes }, room)) {
        atomic.set(key, piece, CHANGE_OPTIONS);
        room -= piece.bytes.length;
      }
    }
    return recorded;
  }

  #checks(): Deno.AtomicCheck[] {
    const versions = Array.from(
      this.#snapshots,
      ([realmId, { stamp }]) => ({ key: versionKey(realmId), versionstamp: stamp === "" ? null : stamp }),
    );
    return [...this.#read.values().map(({ key, versionstamp }) => ({ key, versionstamp })), ...versions];
  }
}
