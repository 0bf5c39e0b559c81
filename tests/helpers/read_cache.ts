import { type Key, keyText, toValue } from "@/lib/kv/key.ts";
import { MAX_KEYS } from "@/lib/kv/limits.ts";

type Entry = Deno.KvEntryMaybe<unknown>;
/** Runs a write of some keys. */
type Write = <T>(keys: readonly Key[], run: () => Promise<T>) => Promise<T>;

/**
 * Makes a store answer reads of keys from memory until the keys are written, for tests that send many requests
 * to the same state. The store must have no other writer. Values are frozen, because several readers get them.
 */
export function cacheReads(kv: Deno.Kv): void {
  const [set, remove, atomic] = [kv.set.bind(kv), kv.delete.bind(kv), kv.atomic.bind(kv)];
  const entries = new EntryCache(kv.getMany.bind(kv));
  const write: Write = async (keys, run) => {
    entries.forget(keys);
    try {
      return await run();
    } finally {
      // Reads during the write may have got what was there before.
      entries.forget(keys);
    }
  };
  const cached: Pick<Deno.Kv, "get" | "getMany" | "set" | "delete" | "atomic"> = {
    get: async <T>(key: Key) => toValue<Deno.KvEntryMaybe<T>>((await entries.read([key]))[0]),
    async getMany<T extends readonly unknown[]>(keys: readonly [...{ [K in keyof T]: Key }]) {
      return toValue<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }>(await entries.read(keys));
    },
    set: (...sent) => write([sent[0]], () => set(...sent)),
    delete: (key) => write([key], () => remove(key)),
    atomic: () => watchOperation(atomic(), write),
  };
  Object.assign(kv, cached);
}

/** Entries by key, as they are in the store. */
class EntryCache {
  readonly #entries = new Map<string, Entry>();
  /** Number of begins and ends of writes: a read that one of them falls into may return an older entry. */
  #writes = 0;

  constructor(private readonly getMany: Deno.Kv["getMany"]) {}

  async read(keys: readonly Key[]): Promise<readonly Entry[]> {
    const names = keys.map(keyText);
    const known = names.map((name) => this.#entries.get(name));
    // The store refuses more keys than a read may have.
    if (keys.length <= MAX_KEYS && !known.includes(undefined)) {
      return known.filter((one) => one !== undefined);
    }
    const writes = this.#writes;
    const read: readonly Entry[] = await this.getMany<unknown[]>([...keys]);
    if (writes === this.#writes) {
      for (const [at, entry] of read.entries()) this.#entries.set(names[at] ?? "", freeze(entry));
    }
    return read;
  }

  forget(keys: readonly Key[]): void {
    this.#writes++;
    for (const key of keys) this.#entries.delete(keyText(key));
  }
}

/** Freezes a value with all its members, except for bytes, which cannot be frozen. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/** Makes a commit of an operation a write of its keys. */
function watchOperation(operation: Deno.AtomicOperation, write: Write): Deno.AtomicOperation {
  const keys: Key[] = [];
  const [set, remove] = [operation.set.bind(operation), operation.delete.bind(operation)];
  const [sum, commit] = [operation.sum.bind(operation), operation.commit.bind(operation)];
  const watched: Pick<Deno.AtomicOperation, "set" | "delete" | "sum" | "commit"> = {
    set(...sent) {
      keys.push(sent[0]);
      set(...sent);
      return operation;
    },
    delete(key) {
      keys.push(key);
      remove(key);
      return operation;
    },
    sum(key, amount) {
      keys.push(key);
      sum(key, amount);
      return operation;
    },
    commit: () => write(keys, commit),
  };
  return Object.assign(operation, watched);
}
