import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { type Key, keyText } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";

/** The keys that commits have written since the last `forget` or `undo`, with their former values. */
export interface WriteJournal {
  /** Keys that were written, in the order of the first commit of each. */
  readonly keys: readonly Key[];
  /** Accepts the writes. */
  forget(): void;
  /** Restores the former values. */
  undo(): Promise<void>;
}

/** Records sets, deletions and sums of a store from now on. The store commits them as before. */
export function recordWrites(kv: Kv): WriteJournal {
  const former = new Map<string, Deno.KvEntryMaybe<unknown>>();
  const [atomic, set, remove] = [kv.atomic.bind(kv), kv.set.bind(kv), kv.delete.bind(kv)];
  const record = async <T>(keys: readonly Key[], write: () => Promise<T>): Promise<T> => {
    const unseen = keys.filter((key) => !former.has(keyText(key)));
    const entries = unseen.length === 0 ? [] : await readMany<unknown>(kv, unseen);
    const result = await write();
    for (const entry of entries) former.set(keyText(entry.key), entry);
    return result;
  };
  Object.assign(kv, {
    atomic: () => recordOperation(atomic(), record),
    set: (...sent: Parameters<Kv["set"]>) => record([sent[0]], () => set(...sent)),
    delete: (key: Key) => record([key], () => remove(key)),
  });
  return {
    get keys() {
      return [...former.values()].map(({ key }) => key);
    },
    forget: () => former.clear(),
    async undo() {
      const operation = atomic();
      for (const { key, value } of former.values()) {
        if (value === null) operation.delete(key);
        else operation.set(key, value);
      }
      former.clear();
      await operation.commit();
    },
  };
}

type Recorder = (
  keys: readonly Key[],
  write: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
) => Promise<Deno.KvCommitResult | Deno.KvCommitError>;

function recordOperation(operation: AtomicOperation, record: Recorder): AtomicOperation {
  const keys: Key[] = [];
  const [set, remove, sum, commit] = [
    operation.set.bind(operation),
    operation.delete.bind(operation),
    operation.sum.bind(operation),
    operation.commit.bind(operation),
  ];
  const addKey = (key: Key, _call: unknown) => {
    keys.push(key);
    return operation;
  };
  return Object.assign(operation, {
    set: (...sent: Parameters<AtomicOperation["set"]>) => addKey(sent[0], set(...sent)),
    delete: (key: Key) => addKey(key, remove(key)),
    sum: (key: Key, amount: bigint) => addKey(key, sum(key, amount)),
    commit: () => record(keys, commit),
  });
}
