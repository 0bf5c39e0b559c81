import { type AtomicOperation, type Kv, MAX_KEYS } from "@/lib/store/kv.ts";
import { isStorableKey, type Key, keyText, toValue } from "@/lib/store/key.ts";

type Entry = Deno.KvEntryMaybe<unknown>;
/** An entry that a store has; its value is frozen. */
export type StoredEntry = Deno.KvEntry<unknown>;
/** Runs a write of some keys. */
type Write = <T>(keys: readonly Key[], run: () => Promise<T>) => Promise<T>;

/**
 * Makes a store answer reads of keys and listings from memory until one of the keys is written, for tests that
 * send many requests to the same state. The store must have no other writer. Values are frozen, because several
 * readers get them. `rows` are all rows that the store has, by the texts of their keys; without them, each row is read once.
 */
export function cacheReads(kv: Kv, rows?: ReadonlyMap<string, StoredEntry>): void {
  const [set, remove, atomic] = [kv.set.bind(kv), kv.delete.bind(kv), kv.atomic.bind(kv)];
  const entries = new EntryCache(kv.getMany.bind(kv), rows);
  const listings = new ListingCache(kv.list.bind(kv));
  const forget = (keys: readonly Key[]) => {
    entries.forget(keys);
    listings.forget(keys);
  };
  const write: Write = async (keys, run) => {
    forget(keys);
    try {
      return await run();
    } finally {
      // Reads during the write may have got what was there before.
      forget(keys);
    }
  };
  const cached: Pick<Kv, "get" | "getMany" | "list" | "set" | "delete" | "atomic"> = {
    get: async <T>(key: Key) => toValue<Deno.KvEntryMaybe<T>>((await entries.read([key]))[0]),
    async getMany<T extends readonly unknown[]>(keys: readonly [...{ [K in keyof T]: Key }]) {
      return toValue<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }>(await entries.read(keys));
    },
    list: <T>(...sent: Parameters<Kv["list"]>) => listings.list<T>(...sent),
    set: (...sent) => write([sent[0]], () => set(...sent)),
    delete: (key) => write([key], () => remove(key)),
    atomic: () => watchOperation(atomic(), write),
  };
  Object.assign(kv, cached);
}

/** Entries by key, as they are in the store. */
class EntryCache {
  readonly #entries = new Map<string, Entry>();
  /** Names of keys that were written since all rows were known. */
  readonly #written = new Set<string>();
  /** Number of begins and ends of writes: a read that one of them falls into may return an older entry. */
  #writes = 0;

  constructor(
    private readonly getMany: Kv["getMany"],
    private readonly rows?: ReadonlyMap<string, StoredEntry>,
  ) {}

  async read(keys: readonly Key[]): Promise<readonly Entry[]> {
    const names = keys.map(keyText);
    const known = names.map((name, at) => this.#entries.get(name) ?? this.#findRow(name, keys[at] ?? []));
    // The store refuses more keys than a read may have.
    if (keys.length > MAX_KEYS) return await this.getMany<unknown[]>([...keys]);
    const missing = keys.filter((_, at) => known[at] === undefined);
    if (missing.length === 0) return known.filter((one) => one !== undefined);
    const writes = this.#writes;
    const read: readonly Entry[] = await this.getMany<unknown[]>(missing);
    // All entries of a read are of one moment.
    if (writes !== this.#writes) return await this.getMany<unknown[]>([...keys]);
    for (const entry of read) this.#entries.set(keyText(entry.key), freeze(entry));
    const found = read.values();
    return known.flatMap((one) => one ?? found.next().value ?? []);
  }

  /** Returns what the store had for a key before any write; undefined where that is unknown or outdated. */
  #findRow(name: string, key: Key): Entry | undefined {
    if (this.rows === undefined || this.#written.has(name)) return undefined;
    // The store refuses other keys.
    if (!isStorableKey(key)) return undefined;
    return this.rows.get(name) ?? { key, value: null, versionstamp: null };
  }

  forget(keys: readonly Key[]): void {
    this.#writes++;
    for (const name of keys.map(keyText)) {
      this.#entries.delete(name);
      this.#written.add(name);
    }
  }
}

/** A complete listing, with the cursor after each entry. */
interface Listing {
  readonly entries: readonly Entry[];
  readonly cursors: readonly string[];
}

/** Complete listings by their selector and options, as they are in the store. */
class ListingCache {
  readonly #listings = new Map<string, Listing>();
  /** Names of listings by the text of the longest prefix that all their keys have. */
  readonly #names = new Map<string, Set<string>>();
  /** Number of begins and ends of writes. */
  #writes = 0;

  constructor(private readonly listStored: Kv["list"]) {}

  list<T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> {
    const parts = [selector, options].flatMap((one) => Object.entries(one ?? {})).flat();
    const name = parts.map((part) => Array.isArray(part) ? keyText(part) : String(part)).join(" ");
    const known = this.#listings.get(name);
    const listing = this.listStored<T>(selector, options);
    if (known === undefined) {
      return Object.assign(listing, { next: this.#record(name, selector, listing) });
    }
    const { next, readCursor } = replay<T>(known);
    Object.defineProperty(listing, "cursor", { get: readCursor });
    return Object.assign(listing, { next });
  }

  forget(keys: readonly Key[]): void {
    this.#writes++;
    for (const key of keys) {
      for (let length = 0; length <= key.length; length++) {
        const prefix = keyText(key.slice(0, length));
        for (const name of this.#names.get(prefix) ?? []) this.#listings.delete(name);
        this.#names.delete(prefix);
      }
    }
  }

  /** Returns the steps of a listing in the store, which is kept once it has ended. */
  #record<T>(name: string, selector: Deno.KvListSelector, listing: Deno.KvListIterator<T>) {
    const next = listing.next.bind(listing);
    const writes = this.#writes;
    const entries: Deno.KvEntry<T>[] = [];
    const cursors: string[] = [];
    return async () => {
      const step = await next();
      if (step.done !== true) {
        entries.push(freeze(step.value));
        cursors.push(listing.cursor);
      } else if (writes === this.#writes) this.#keep(name, commonPrefix(selector), { entries, cursors });
      return step;
    };
  }

  #keep(name: string, prefix: Key, listing: Listing): void {
    this.#listings.set(name, listing);
    const text = keyText(prefix);
    this.#names.set(text, (this.#names.get(text) ?? new Set()).add(name));
  }
}

/** Returns the steps of a listing of entries that are known, and its cursor. */
function replay<T>({ entries, cursors }: Listing) {
  let at = 0;
  return {
    next: (): Promise<IteratorResult<Deno.KvEntry<T>, undefined>> => {
      const entry = entries[at++];
      return Promise.resolve(
        entry === undefined
          ? { done: true, value: undefined }
          : { done: false, value: toValue<Deno.KvEntry<T>>(entry) },
      );
    },
    // A listing without entries has no cursor.
    readCursor: () => cursors[Math.min(at, cursors.length) - 1] ?? "",
  };
}

/** Returns the parts with which all keys of a selector begin. */
function commonPrefix(selector: Deno.KvListSelector): Key {
  if ("prefix" in selector) return selector.prefix;
  const { start, end } = selector;
  const different = start.findIndex((part, at) => part !== end[at]);
  return different < 0 ? start : start.slice(0, different);
}

/** Freezes a value with all its members, except for bytes, which cannot be frozen. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/** Makes a commit of an operation a write of its keys. */
function watchOperation(operation: AtomicOperation, write: Write): AtomicOperation {
  const keys: Key[] = [];
  const [set, remove] = [operation.set.bind(operation), operation.delete.bind(operation)];
  const [sum, commit] = [operation.sum.bind(operation), operation.commit.bind(operation)];
  const watched: Pick<AtomicOperation, "set" | "delete" | "sum" | "commit"> = {
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
