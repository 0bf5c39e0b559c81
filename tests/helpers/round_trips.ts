import type { Kv } from "@/lib/store/kv.ts";
import { Database } from "@/lib/store/database.ts";
import { migrate } from "@/lib/store/migrate.ts";
import { type Store, toStore } from "@/lib/store/open.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/** Turns of the event loop without a further call after which the calls of a step are carried out. */
const QUIET_TURNS = 40;
/** Number of entries that a listing reads at once unless its options name another. */
const DEFAULT_BATCH = 100;

/** Calls of a store by some work. */
export interface RoundTrips {
  /** Number of reads, single and batched, batches of listings and commits. */
  readonly calls: number;
  /** Number of times that the work waits for the store; it waits once for calls that are under way together. */
  readonly steps: number;
}

/** Carries out a call of the store. */
type Pass = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * A real store in memory that counts its calls. While it measures, a call waits until the work makes no further
 * ones, and then all of them are carried out: the steps are those of a store that answers slowly.
 */
export class MeteredStore {
  #calls = 0;
  #steps = 0;
  #isMeasuring = false;
  /** Settles when the calls of the current step are carried out. */
  #step: Promise<void> | null = null;

  private constructor(readonly store: Store) {}

  /** Opens an empty store that servers take for one in the network, where they also count rate limits. */
  static async open(): Promise<MeteredStore> {
    const kv = await Deno.openKv(":memory:");
    let pass: Pass = (call) => call();
    countCalls(kv, (call) => pass(call));
    const place = { location: "a store in the network", path: null };
    const metered = new MeteredStore(toStore(new Database(kv), place));
    await migrate(metered.store, MIGRATIONS);
    pass = (call) => metered.#pass(call);
    return metered;
  }

  /** Runs some work and returns its calls until it has settled. */
  async measure(work: () => Promise<unknown>): Promise<RoundTrips> {
    this.#calls = this.#steps = 0;
    this.#isMeasuring = true;
    try {
      await work();
    } finally {
      this.#isMeasuring = false;
    }
    return { calls: this.#calls, steps: this.#steps };
  }

  async #pass<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isMeasuring) {
      this.#calls++;
      await (this.#step ??= this.#collectCalls());
    }
    return await call();
  }

  async #collectCalls(): Promise<void> {
    this.#steps++;
    let known = this.#calls;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await yieldToEventLoop();
      if (this.#calls === known) continue;
      known = this.#calls;
      quiet = 0;
    }
    this.#step = null;
  }
}

/** Replaces the methods of a database by ones that pass each call on. */
function countCalls(kv: Kv, pass: Pass): void {
  const [get, getMany, list] = [kv.get.bind(kv), kv.getMany.bind(kv), kv.list.bind(kv)];
  const [set, remove, atomic] = [kv.set.bind(kv), kv.delete.bind(kv), kv.atomic.bind(kv)];
  const counted: Pick<Kv, "get" | "getMany" | "list" | "set" | "delete" | "atomic"> = {
    get: <T>(...args: Parameters<typeof get>) => pass(() => get<T>(...args)),
    getMany<T extends readonly unknown[]>(keys: readonly [...{ [K in keyof T]: Deno.KvKey }]) {
      return pass(() => getMany<T>(keys));
    },
    list: <T>(...[selector, options = {}]: Parameters<typeof list>) =>
      countBatches(list<T>(selector, options), options, pass),
    set: (...args) => pass(() => set(...args)),
    delete: (key) => pass(() => remove(key)),
    atomic() {
      const operation = atomic();
      const commit = operation.commit.bind(operation);
      return Object.assign(operation, { commit: () => pass(commit) });
    },
  };
  Object.assign(kv, counted);
}

/** Passes those steps of a listing on that read a batch; the others return what was read. */
function countBatches<T>(
  listing: Deno.KvListIterator<T>,
  { limit = Infinity, batchSize }: Deno.KvListOptions,
  pass: Pass,
): Deno.KvListIterator<T> {
  const size = batchSize ?? Math.min(limit, DEFAULT_BATCH);
  const next = listing.next.bind(listing);
  let returned = 0;
  return Object.assign(listing, {
    next: () => returned < limit && returned++ % size === 0 ? pass(next) : next(),
  });
}
