import type { AtomicOperation, Kv } from "./kv.ts";
import { durably } from "./durably.ts";
import { createGroupCommitter, type GroupCommitter } from "./group_commit.ts";
import type { StoreTally } from "./store_tally.ts";

/** Writes of one blob that are committed together. */
export interface BlobWrite {
  /** Size of the values in bytes, beside some hundred of small records. */
  readonly bytes: number;
  /** Adds the writes, a dozen at most, to a commit. */
  readonly addTo: (commit: AtomicOperation) => void;
}

/** Commits the writes of all blobs of a process: those that arrive together share a commit. */
export interface BlobWrites extends Pick<GroupCommitter<BlobWrite, null>, "submit"> {
  /** Whether so many blobs are written that each should hold few bytes. */
  readonly isCrowded: boolean;
  /** Counts the writer of a blob until it is disposed of. */
  enter(): Disposable;
}

/** Size of a commit in bytes; the store takes 819,200 with keys. */
const MAX_BYTES = 720 * 1024;
/** Writes of blobs in one commit, which holds 1,000 writes at most. */
const MAX_ITEMS = 64;
/**
 * Beyond so many writes that run or wait, or so many writers, it is crowded. More writers are allowed, because the
 * bytes of most may arrive slowly.
 */
const MAX_WAITING = 4;
const MAX_WRITERS = 32;

/**
 * Creates the line of a store. One commit is under way at a time: parallel ones would only wait within the store, with
 * all that they hold. A commit that fails with UNAVAILABLE fails all writes in it.
 */
export function createBlobWrites(
  { kv, tally }: { readonly kv: Kv; readonly tally: StoreTally },
): BlobWrites {
  const line = createGroupCommitter<BlobWrite, null>({
    maxItems: MAX_ITEMS,
    maxWeight: MAX_BYTES,
    weigh: ({ bytes }) => bytes,
    commit: async (writes) => {
      await durably({ tally }, () => {
        const commit = kv.atomic();
        for (const { addTo } of writes) addTo(commit);
        return commit.commit();
      });
      return writes.map(() => null);
    },
  });
  let writers = 0;
  return {
    submit: (write) => line.submit(write),
    get isCrowded() {
      return line.depth > MAX_WAITING || writers > MAX_WRITERS;
    },
    enter() {
      writers++;
      return { [Symbol.dispose]: () => void writers-- };
    },
  };
}
