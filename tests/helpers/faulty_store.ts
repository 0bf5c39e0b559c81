import { isDeepStrictEqual } from "node:util";
import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { Database } from "@/lib/store/database.ts";
import { migrate } from "@/lib/store/migrate.ts";
import { type Store, toStore } from "@/lib/store/open.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { keyText } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";
import { cacheReads } from "@/tests/helpers/read_cache.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/**
 * Faults of one call of the store: it fails, fails because another process locks the file, is answered late,
 * loses against another writer, or is carried out and fails nevertheless.
 */
export type FaultKind = "failure" | "lock" | "delay" | "conflict" | "lost_answer";
/** A kind of fault and the calls that have it, counted from 0. */
export interface Fault {
  readonly at: readonly number[];
  readonly kind: FaultKind;
}

/** Kind of a call of the store; a checked write can have a conflict. */
export type CallKind = "read" | "write" | "checked_write";
/** Faults that each kind of call can have. */
export const FAULTS: Readonly<Record<CallKind, readonly FaultKind[]>> = {
  read: ["failure", "delay"],
  write: ["failure", "lock", "delay", "lost_answer"],
  checked_write: ["failure", "lock", "delay", "conflict", "lost_answer"],
};

/** Texts of the store's own errors. */
const ERRORS = {
  failure: "disk I/O error",
  lock: "database is locked",
  lost_answer: "disk I/O error",
} as const;
/** Turns of the event loop for which a late call waits. */
const LATE_TURNS = 12;

/** A row whose value differs from that of the snapshot; a value of undefined is no row. */
export interface ChangedRow {
  readonly key: Deno.KvKey;
  readonly before: unknown;
  readonly after: unknown;
}

/** A database whose calls are not counted. */
type DirectStore = Pick<Kv, "list" | "getMany" | "atomic">;

/**
 * A real store in memory, one of whose calls can fail, and which returns to a snapshot of its rows. Reads of rows that were
 * not written since they were read are answered from memory, and fail like others.
 */
export class FaultyStore {
  readonly #calls: CallKind[] = [];
  readonly #rows = new Map<string, Deno.KvEntry<unknown>>();
  readonly #written = new Map<string, Deno.KvKey>();
  #fault: Fault | null = null;
  #hasFailed = false;

  private constructor(readonly store: Store, private readonly direct: DirectStore) {}

  /** Opens an empty store. */
  static async open(): Promise<FaultyStore> {
    const kv = await Deno.openKv(":memory:");
    cacheReads(kv);
    const direct = { list: kv.list.bind(kv), getMany: kv.getMany.bind(kv), atomic: kv.atomic.bind(kv) };
    const calls: Interceptor = { call: (_kind, run) => run(), onWrite: () => {} };
    intercept(kv, calls);
    const faulty = new FaultyStore(toStore(new Database(kv), { location: ":memory:", path: null }), direct);
    await migrate(faulty.store, MIGRATIONS);
    calls.call = (kind, run) => faulty.#call(kind, run);
    calls.onWrite = (key) => faulty.#written.set(keyText(key), key);
    return faulty;
  }

  /** Takes the rows as they are now as the snapshot. */
  async takeSnapshot(): Promise<void> {
    this.#rows.clear();
    this.#written.clear();
    for await (const entry of this.direct.list({ start: [], end: [true] })) {
      this.#rows.set(keyText(entry.key), entry);
    }
  }

  /** Counts the calls from here on. */
  arm(fault: Fault | null): void {
    this.#calls.length = 0;
    this.#hasFailed = false;
    this.#fault = fault;
  }

  /** Ends the fault and returns the calls since `arm`, and whether one of them had the fault. */
  disarm(): { readonly calls: readonly CallKind[]; readonly hasFailed: boolean } {
    this.#fault = null;
    return { calls: [...this.#calls], hasFailed: this.#hasFailed };
  }

  /** Lists the rows that differ from the snapshot. */
  async listChanges(): Promise<ChangedRow[]> {
    const entries = await readMany<unknown>(this.direct, [...this.#written.values()]);
    const rows = entries.map(({ key, value, versionstamp }): ChangedRow => ({
      key,
      before: this.#rows.get(keyText(key))?.value,
      after: versionstamp === null ? undefined : value,
    }));
    return rows.filter(({ before, after }) => !isDeepStrictEqual(before, after));
  }

  /** Returns every row to the snapshot; returns whether one was written since. */
  async restore(): Promise<boolean> {
    if (this.#written.size === 0) return false;
    const atomic = this.direct.atomic();
    for (const [name, key] of this.#written) {
      const row = this.#rows.get(name);
      if (row === undefined) atomic.delete(key);
      else atomic.set(key, row.value);
    }
    // What is known until the next version of an organization may not be so in the snapshot.
    for (const { key, value } of this.#rows.values()) if (key[1] === "version") atomic.set(key, value);
    await atomic.commit();
    this.#written.clear();
    return true;
  }

  async #call<T>(kind: CallKind, run: () => Promise<T>): Promise<T> {
    const at = this.#calls.push(kind) - 1;
    const fault = this.#fault?.at.includes(at) === true ? this.#fault.kind : null;
    // Only commits with checks have conflicts.
    if (fault === null || (fault === "conflict" && kind !== "checked_write")) return await run();
    this.#hasFailed = true;
    if (fault === "failure" || fault === "lock") throw new Error(ERRORS[fault]);
    if (fault === "delay") { for (let turn = 0; turn < LATE_TURNS; turn++) await yieldToEventLoop(); }
    if (fault === "conflict") return { ok: false } as T;
    const result = await run();
    if (fault === "lost_answer") throw new Error(ERRORS[fault]);
    return result;
  }
}

/** Functions that run in place of a database's calls. */
interface Interceptor {
  call: <T>(kind: CallKind, run: () => Promise<T>) => Promise<T>;
  onWrite: (key: Deno.KvKey) => void;
}

/** Replaces the methods of a database by ones that pass through an interceptor. */
function intercept(kv: Kv, through: Interceptor): void {
  const [get, getMany, list] = [kv.get.bind(kv), kv.getMany.bind(kv), kv.list.bind(kv)];
  const [set, remove, atomic] = [kv.set.bind(kv), kv.delete.bind(kv), kv.atomic.bind(kv)];
  const replaced: Pick<Kv, "get" | "getMany" | "list" | "set" | "delete" | "atomic"> = {
    get: <T>(...args: Parameters<typeof get>) => through.call("read", () => get<T>(...args)),
    getMany<T extends readonly unknown[]>(keys: readonly [...{ [K in keyof T]: Deno.KvKey }]) {
      return through.call("read", () => getMany<T>(keys));
    },
    list<T>(...args: Parameters<typeof list>) {
      const listing = list<T>(...args);
      const next = listing.next.bind(listing);
      return Object.assign(listing, { next: () => through.call("read", next) });
    },
    set(...args) {
      through.onWrite(args[0]);
      return through.call("write", () => set(...args));
    },
    delete(key) {
      through.onWrite(key);
      return through.call("write", () => remove(key));
    },
    atomic: () => interceptAtomic(atomic(), through),
  };
  Object.assign(kv, replaced);
}

function interceptAtomic(operation: AtomicOperation, through: Interceptor): AtomicOperation {
  const [set, remove] = [operation.set.bind(operation), operation.delete.bind(operation)];
  const [sum, commit] = [operation.sum.bind(operation), operation.commit.bind(operation)];
  const check = operation.check.bind(operation);
  let isChecked = false;
  const replaced: Pick<AtomicOperation, "check" | "set" | "delete" | "sum" | "commit"> = {
    check(...checks) {
      isChecked = true;
      return check(...checks);
    },
    set(...args) {
      through.onWrite(args[0]);
      return set(...args);
    },
    delete(key) {
      through.onWrite(key);
      return remove(key);
    },
    sum(key, amount) {
      through.onWrite(key);
      return sum(key, amount);
    },
    commit: () => through.call(isChecked ? "checked_write" : "write", commit),
  };
  return Object.assign(operation, replaced);
}
