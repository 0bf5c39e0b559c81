import { nextTurn } from "@/lib/core/yield_to_event_loop.ts";

/** Commit function and limits of a queue. */
interface CommitQueueOptions<Item, Result> {
  /** Maximum number of items in a commit. */
  readonly maxItems: number;
  /** Maximum weight of a commit's items together; one that is heavier is committed alone. No limit by default. */
  readonly maxWeight?: number;
  /** Returns the weight of an item; 0 by default. */
  readonly weigh?: (item: Item) => number;
  /**
   * Writes all items durably and returns the result of each, in order. An Error among the results fails its
   * item only; a thrown error fails all of these items.
   */
  readonly commit: (items: Item[]) => Promise<(Result | Error)[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines many small writes into few commits, one at a time: items that arrive during a commit share the next one.
 */
export class CommitQueue<Item, Result> {
  readonly #options: CommitQueueOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #writing = 0;
  #loop: Promise<void> | null = null;

  constructor(options: CommitQueueOptions<Item, Result>) {
    this.#options = options;
  }

  /** Settles once the item is durably stored, or once the commit that held it failed. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#loop ??= this.#run();
    });
  }

  /** Number of items that wait or are being written. */
  get depth(): number {
    return this.#waiting.length + this.#writing;
  }

  /** Settles when everything submitted so far is written or has failed. */
  async drain(): Promise<void> {
    while (this.#loop !== null) await this.#loop;
  }

  async #run(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share the first commit.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      this.#writing = batch.length;
      await this.#write(batch);
      this.#writing = 0;
    }
    this.#loop = null;
  }

  #take(): Waiting<Item, Result>[] {
    const all = this.#waiting;
    const count = this.#countNext(all);
    this.#waiting = all.slice(count);
    return all.length === count ? all : all.slice(0, count);
  }

  /** Returns how many of the waiting items the next commit has. */
  #countNext(all: readonly Waiting<Item, Result>[]): number {
    const { maxItems, maxWeight = Infinity, weigh } = this.#options;
    const most = Math.min(all.length, maxItems);
    if (weigh === undefined) return most;
    let weight = 0;
    const tooMany = all.findIndex(({ item }, at) => (weight += weigh(item)) > maxWeight && at > 0);
    return tooMany === -1 ? most : Math.min(most, tooMany);
  }

  async #write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.commit(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new RangeError("A commit must give each item its result");
      results.forEach((result, at) => {
        if (result instanceof Error) batch[at]?.reject(result);
        else batch[at]?.resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
