import { toError } from "@/lib/core/errors.ts";
import { createGroupCommitter, type GroupCommitter } from "./group_commit.ts";
import { type Key, keyText, toValue } from "./key.ts";
import type { Store } from "./open.ts";
import { StaleRead, transact, type Tx } from "./transact.ts";

/** One of several changes that share a transaction. */
export interface SharedWork<T> {
  /** Keys that `run` reads, as far as they are known: those of all works are read at once. */
  readonly reads: readonly Key[];
  /** As with `transact`, it may run more than once and has no side effects. It sees the writes of works before it. */
  readonly run: (tx: Tx) => Promise<T>;
}

/** Runs changes of one name that arrive together in one transaction, where they would otherwise take turns. */
export interface SharedTransactions {
  /**
   * Settles once the change is durably stored. `name` is that of the queue whose other changes it takes turns with.
   * @throws AppError as `transact`; a failure of `work` concerns this change only.
   */
  run<T>(name: string, work: SharedWork<T>): Promise<T>;
  /** Settles when all changes so far are stored or have failed. */
  drain(): Promise<void>;
}

/** Changes in one transaction, of which each may read and write some ten keys of its own. */
const MAX_TOGETHER = 16;

interface Item {
  readonly name: string;
  readonly work: SharedWork<unknown>;
}

/** Thrown by a transaction of several works of which one failed, so that none of them is committed. */
class FailedTogether extends Error {
  override readonly name = "FailedTogether";
}

/** Creates the shared transactions of one process. */
export function createSharedTransactions(store: Store): SharedTransactions {
  const line: GroupCommitter<Item, unknown> = createGroupCommitter({
    maxItems: MAX_TOGETHER,
    commit: (items) => commitByName(store, items),
  });
  return {
    run: async <T>(name: string, work: SharedWork<T>) => toValue<T>(await line.submit({ name, work })),
    drain: () => line.drain(),
  };
}

/** Runs the items of each name together, and returns the results in the order of the items. */
async function commitByName(store: Store, items: readonly Item[]): Promise<unknown[]> {
  const results = new Map<Item, unknown>();
  const groups = [...Map.groupBy(items, ({ name }) => name)];
  await Promise.all(groups.map(async ([name, group]) => {
    const ran = await commitTogether(store, name, group.map(({ work }) => work));
    for (const [at, item] of group.entries()) results.set(item, ran[at]);
  }));
  return items.map((item) => results.get(item));
}

/** Runs works in one transaction or, when one of them fails, each in its own. */
async function commitTogether(
  store: Store,
  name: string,
  works: readonly SharedWork<unknown>[],
): Promise<readonly unknown[]> {
  try {
    return await transact(store, (tx) => runAll(tx, works), name);
  } catch (error) {
    if (!(error instanceof FailedTogether)) return works.map(() => toError(error));
  }
  return await Promise.all(
    works.map((work) => transact(store, (tx) => runOne(tx, work), name).catch(toError)),
  );
}

async function runAll(tx: Tx, works: readonly SharedWork<unknown>[]): Promise<unknown[]> {
  // Works share keys, each of which is read once.
  const keys = new Map(works.flatMap(({ reads }) => reads.map((key) => [keyText(key), key])));
  await Promise.all([...keys.values()].map((key) => tx.get(key)));
  const results: unknown[] = [];
  for (const { run } of works) {
    try {
      results.push(await run(tx));
    } catch (error) {
      throw works.length === 1 || error instanceof StaleRead ? error : new FailedTogether();
    }
  }
  return results;
}

async function runOne(tx: Tx, work: SharedWork<unknown>): Promise<unknown> {
  const [result] = await runAll(tx, [work]);
  return result;
}
