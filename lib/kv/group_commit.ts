import { setImmediate } from "node:timers";

/** Joins many small writes into few commits; each caller is answered after the commit that holds its item. */
export interface GroupCommitter<Item, Result> {
  /** Settles once the item is durably stored, or once the commit that held it failed. */
  submit(item: Item): Promise<Result>;
  /** How many items wait or are being written. */
  readonly depth: number;
  /** Settles when everything submitted so far is written or has failed. */
  drain(): Promise<void>;
}

/** How a group committer writes. */
export interface GroupCommitOptions<Item, Result> {
  /** The most items one commit may hold. */
  readonly maxItems: number;
  /**
   * Writes all items durably and gives each its result, in order; an Error among the results fails its item alone, a
   * throw fails all of these items.
   */
  readonly commit: (items: Item[]) => Promise<(Result | Error)[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A group committer that has one commit under way at a time; what comes in meanwhile shares the next one. */
export function createGroupCommitter<Item, Result>(
  { maxItems, commit }: GroupCommitOptions<Item, Result>,
): GroupCommitter<Item, Result> {
  let queue: Waiting<Item, Result>[] = [];
  let writing = 0;
  let loop: Promise<void> | null = null;

  const writeBatch = async (batch: Waiting<Item, Result>[]) => {
    try {
      const results = await commit(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new RangeError("A commit must give each item its result");
      results.forEach((result, at) => {
        if (result instanceof Error) batch[at]?.reject(result);
        else batch[at]?.resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const run = async () => {
    // One turn of the event loop lets requests that arrived together share the first commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue.length <= maxItems ? queue : queue.slice(0, maxItems);
      queue = queue.length <= maxItems ? [] : queue.slice(maxItems);
      writing = batch.length;
      await writeBatch(batch);
      writing = 0;
    }
    loop = null;
  };

  return {
    submit(item) {
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        loop ??= run();
      });
    },
    get depth() {
      return queue.length + writing;
    },
    async drain() {
      while (loop !== null) await loop;
    },
  };
}
